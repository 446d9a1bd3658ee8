// The clocks: the server tells what is left, the page counts on.

import { addView, app, byId } from "./app.js";
import { ask } from "./server.js";

let toldAt = 0, told = null;

/** 75 -> "1:15"; tenths below ten seconds. */
function timeText(seconds) {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** What a side of the clock has left, `elapsed` seconds after it was told; null when the time is over. */
function leftText(clock, side, elapsed) {
  let rest = elapsed - side.main;
  if (rest <= 0) return timeText(-rest);
  let { period, periods } = side;
  for (; periods > 0; periods -= 1) {
    if (rest < period) return `${timeText(period - rest)} × ${periods}`;
    rest -= period;
    period = clock.period;
  }
  return null;
}

function drawClocks() {
  const { clock } = app.play;
  if (clock !== told) {
    told = clock;
    toldAt = performance.now();
  }
  for (const color of ["black", "white"]) {
    const place = byId(`clock-${color}`);
    place.hidden = !clock;
    if (!clock) continue;
    const elapsed = clock.running === color ? (performance.now() - toldAt) / 1000 : 0;
    const text = leftText(clock, clock[color], elapsed);
    place.textContent = text === null ? "0.0" : text;
    if (text === null && clock.running === color && !app.play.result) ask({ do: "flag" });
  }
}

addView(drawClocks);
setInterval(() => { if (app.tree && app.play && app.play.clock && app.play.clock.running) drawClocks(); }, 200);
