// The list of games: a click on a heading sorts by its column, a second click the other way round.

const table = document.getElementById("games");
const headings = [...table.tHead.rows[0].cells];
const OTHER = { ascending: "descending", descending: "ascending" };

/** A key of a cell: a number where all of the column are numbers. */
function keysOf(rows, column) {
  const texts = rows.map((row) => row.cells[column].dataset.key);
  const numbers = texts.map(Number);
  return texts.every((text, i) => text !== "" && Number.isFinite(numbers[i])) ? numbers : texts;
}

const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true }));

function sortBy(column) {
  const heading = headings[column];
  const now = heading.getAttribute("aria-sort");
  const order = now ? OTHER[now] : heading.querySelector("button").dataset.first;
  const rows = [...table.tBodies[0].rows];
  const keys = new Map(keysOf(rows, column).map((key, i) => [rows[i], key]));
  const sign = order === "ascending" ? 1 : -1;
  rows.sort((a, b) => sign * compare(keys.get(a), keys.get(b)));
  table.tBodies[0].append(...rows);
  for (const each of headings) each.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", order);
}

headings.forEach((heading, column) => {
  const button = heading.querySelector("button");
  if (button) button.addEventListener("click", () => sortBy(column));
});
