// A server that talks to gtp2ogs as online-go.com does: challenges, handicap, clocks, pauses, connections that break.
//
// node server.mjs GTP2OGS GAMES AT_ONCE SEED ranked|unranked
//
// GTP2OGS is the program of the client, whose package `ws` is used; with `unranked` no game is ranked or has a handicap. The guests move
// at random; some resign, some pass as soon as the bot does, some play on until no move is left.
// Prints lines of JSON: {"port": N}, then {"finished": N} after each game, and at the end what happened. Exit status: 0 all is well,
// 1 the bot lost a game, or took one that its configuration refuses.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { Board, PASS } from "./board.mjs";

const [program, games, atOnce, seed, ranked] = process.argv.slice(2).map((word, place) => (place === 0 || place === 4 ? word : Number(word)));
const offersRanked = ranked === "ranked";
const { WebSocketServer } = createRequire(program)("ws");

const SIZE = 9;
const BOT = 1;
const GUEST = 100; // added to a game's number: who plays it
const KOMI = { even: 7.5, handicap: 0.5 };
const RESIGNS_AT = 40; // moves, in every third game
const PLAYOUTS = 31; // for the count at the end
const LEFT = { thinking_time: 60, periods: 5, period_time: 30 }; // seconds, at each move: the clock does not run down from move to move
const PATIENCE = 1000 * (LEFT.thinking_time + LEFT.periods * LEFT.period_time); // milliseconds that the bot has, disconnected or not
const PAUSE = 400; // milliseconds
const AGAIN = 1000; // milliseconds until a challenge is offered again that the bot has declined for the moment
const CONNECTED = [8000, 25000]; // milliseconds until the connection breaks: never within a second, where gtp2ogs gives up for good
const TIME = { system: "byoyomi", speed: "live", main_time: 300, period_time: 30, periods: 5, pause_on_weekends: false };
const LETTERS = "abcdefghijklmnopqrs";

// Challenges that the configuration in scripts/bridges refuses, and the code that gtp2ogs answers.
const REFUSED = [
  [{ width: 5, height: 5 }, "board_size_not_allowed"],
  [{ width: 9, height: 13 }, "board_size_not_square"],
  [{ komi: 50 }, "komi_out_of_range"],
  [{ ranked: true, min_ranking: 38 }, offersRanked ? "player_rank_out_of_range" : "ranked_not_allowed"],
  [{ time_control: { ...TIME, speed: "correspondence" } }, "correspondence_not_allowed"],
  [{ time_control: { ...TIME, speed: "blitz" } }, "blitz_not_allowed"],
  [{ time_control: { ...TIME, period_time: 1 } }, "period_time_out_of_range"],
];

const report = {
  finished: 0, won_on_the_board: 0, won_by_resignation: 0, lost: [], lost_moves: [], moves: 0, handicap_games: 0, moves_out_of_turn: 0, pauses: 0, pauses_ended_by_bot: 0,
  disconnects: 0, connections: 0, configurations: 0, greetings: 0, farewells: 0, variations: 0, refused: {}, wrongly_accepted: [], wrongly_refused: [], declined: 0, most_at_once: 0,
};
const offered = new Set();
const running = new Map();
const finished = new Map();
let begun = 0;
let again;
let client = null;

// xorshift: the same games for the same seed, as far as the bot's are the same
let state = seed * 2654435769 + 1;
function random() {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
}

const say = (data) => console.log(JSON.stringify(data));
const encode = (point) => (point === PASS ? [-1, -1] : [point % SIZE, Math.floor(point / SIZE)]);
const vertex = (point) => (point === PASS ? "pass" : `${"ABCDEFGHJ"[point % SIZE]}${SIZE - Math.floor(point / SIZE)}`);
const decode = (text) => (text === ".." ? PASS : LETTERS.indexOf(text[1]) * SIZE + LETTERS.indexOf(text[0]));
const send = (...message) => client && client.readyState === 1 && client.send(JSON.stringify(message));

const handicapOf = (id) => (offersRanked && id % 5 === 0 ? 2 : 0);
const isRanked = (id) => offersRanked && id % 3 > 0;
const komiOf = (id) => (handicapOf(id) ? KOMI.handicap : KOMI.even);

class Game {
  constructor(id) {
    this.id = id;
    this.board = new Board(SIZE);
    this.moves = [];
    this.handicap = handicapOf(id);
    this.botColor = id % 2 === 0 ? "b" : "w";
    this.komi = komiOf(id);
    this.isRanked = isRanked(id);
    this.pauses = [9 + (id % 7), 24 + (id % 9)]; // the numbers of the moves before which its guest pauses
    this.isPaused = false;
    this.outcome = "";
    running.set(id, this);
    report.handicap_games += this.handicap ? 1 : 0;
    report.most_at_once = Math.max(report.most_at_once, running.size);
  }

  players() {
    const people = { bot: { id: BOT, username: "bot", rank: 20 }, guest: { id: GUEST + this.id, username: `guest${this.id}`, rank: 20 } };
    return this.botColor === "b" ? { black: people.bot, white: people.guest } : { black: people.guest, white: people.bot };
  }

  toPlay() {
    const later = this.moves.length - this.handicap;
    if (later < 0) return "b";
    return (later % 2 === 0) === this.handicap > 0 ? "w" : "b";
  }

  isBotsTurn() {
    return this.toPlay() === this.botColor;
  }

  clock() {
    const { black, white } = this.players();
    return {
      game_id: this.id, current_player: this.toPlay() === "b" ? black.id : white.id, title: "", last_move: Date.now(), expiration: Date.now() + PATIENCE,
      black_player_id: black.id, white_player_id: white.id, black_time: LEFT, white_time: LEFT, start_mode: false,
      pause: { paused: this.isPaused, pause_control: this.isPaused ? { paused: { pausing_player_id: GUEST + this.id } } : {} },
      ...(this.isPaused ? { paused_since: Date.now() } : {}),
    };
  }

  data() {
    return {
      game_id: this.id, game_name: "test", width: SIZE, height: SIZE, rules: "chinese", komi: this.komi, handicap: this.handicap,
      free_handicap_placement: true, ranked: this.isRanked, private: false, phase: this.outcome ? "finished" : "play", players: this.players(),
      moves: this.moves.map((point) => [...encode(point), 1000]), initial_player: "black", initial_state: { black: "", white: "" }, time_control: TIME,
      clock: this.clock(), outcome: this.outcome, winner: this.winner, removed: "",
    };
  }

  botMoves(text) {
    if (this.outcome) return;
    if (!this.isBotsTurn() || !this.play(decode(text))) {
      // a move that gtp2ogs sends again after a disconnect: the real server refuses it, too
      report.moves_out_of_turn += 1;
      send(`game/${this.id}/error`, "Illegal move");
    }
  }

  play(point) {
    if (!this.board.play(this.toPlay(), point)) return false;
    clearTimeout(this.timer);
    this.moves.push(point);
    report.moves += 1;
    send(`game/${this.id}/move`, { game_id: this.id, move_number: this.moves.length, move: [...encode(point), 1000] });
    send(`game/${this.id}/clock`, this.clock());
    if (this.board.passes === 2) this.score();
    else this.next();
    return true;
  }

  next() {
    if (this.isBotsTurn()) this.timer = setTimeout(() => this.end(false, "Timeout"), PATIENCE);
    else this.timer = setTimeout(() => this.guestMoves(), 20 + 80 * random());
  }

  guestMoves() {
    if (this.pauses[0] === this.moves.length) {
      // every second pause goes on while the guest moves: the bot ends it then
      this.pauses.shift();
      const ends = this.pauses.length % 2 === 0;
      this.pause(true);
      this.timer = setTimeout(() => {
        if (ends) this.pause(false);
        this.guestMoves();
      }, PAUSE);
    } else if (this.id % 3 === 0 && this.moves.length >= RESIGNS_AT) this.end(true, "Resignation");
    else this.play(this.board.passes && this.id % 2 ? PASS : this.board.randomMove(this.toPlay(), random));
  }

  pause(isPaused) {
    report.pauses += isPaused ? 1 : 0;
    this.isPaused = isPaused;
    send(`game/${this.id}/clock`, this.clock());
  }

  resume() {
    if (!this.isPaused) return;
    report.pauses_ended_by_bot += 1;
    this.pause(false);
  }

  // As the real server counts, which asks nobody which stones are dead: the median of random games to the end.
  score() {
    const areas = Array.from({ length: PLAYOUTS }, () => this.board.areaAfterPlayout(this.toPlay(), random)).sort((one, other) => one - other);
    const lead = areas[PLAYOUTS >> 1] - this.komi - this.handicap;
    this.end(lead > 0 === (this.botColor === "b"), `${Math.abs(lead)} points`);
  }

  end(botWon, outcome) {
    if (this.outcome) return;
    clearTimeout(this.timer);
    this.outcome = outcome;
    const { black, white } = this.players();
    this.winner = botWon === (this.botColor === "b") ? black.id : white.id;
    running.delete(this.id);
    finished.set(this.id, this);
    report.finished += 1;
    if (!botWon) {
      report.lost.push(`game ${this.id}, move ${this.moves.length}: ${outcome}`);
      report.lost_moves.push(`${this.botColor} lost: ${this.moves.map(vertex).join(" ")}`);
    } else if (outcome === "Resignation") report.won_by_resignation += 1;
    else report.won_on_the_board += 1;
    send(`game/${this.id}/gamedata`, this.data());
    send("active_game", { id: this.id, phase: "finished" });
    say({ finished: report.finished });
    setTimeout(report.finished < games ? challenge : finish, 1200); // then gtp2ogs has left the game
  }
}

function finish() {
  say(report);
  process.exit(report.lost.length || report.wrongly_accepted.length || report.wrongly_refused.length ? 1 : 0);
}

function notify(id, changes) {
  const user = { id: GUEST + id, username: `guest${id}`, ranking: 20 };
  send("notification", {
    id: `n${id}`, type: "challenge", challenge_id: id, game_id: id, user, time_control: TIME, width: SIZE, height: SIZE, handicap: 0, ranked: false,
    min_ranking: 20, komi: KOMI.even, rules: "chinese", ...changes,
  });
}

function offer(id) {
  notify(id, { ranked: isRanked(id), handicap: handicapOf(id), komi: komiOf(id) });
}

function offerAll() {
  for (const id of offered) offer(id);
}

function challenge() {
  while (offered.size + running.size < atOnce && begun < games) {
    begun += 1;
    offered.add(begun);
    offer(begun);
  }
}

function offerWhatIsRefused() {
  REFUSED.forEach(([changes], number) => notify(10000 + number, changes));
}

function answerChallenge(id, data) {
  if (id >= 10000) {
    const [, expected] = REFUSED[id - 10000];
    const code = data.rejection_details?.rejection_code ?? "accepted";
    if (code === expected) report.refused[code] = (report.refused[code] ?? 0) + 1;
    else report.wrongly_accepted.push(`${expected}: ${code}`);
  } else if (data.delete) {
    const code = data.rejection_details?.rejection_code;
    if (code !== "not_accepting_new_challenges") report.wrongly_refused.push(`game ${id}: ${code}`);
    else {
      report.declined += 1;
      clearTimeout(again);
      again = setTimeout(offerAll, AGAIN);
    }
  } else if (offered.delete(id)) {
    const game = new Game(id);
    send("active_game", { id, phase: "play" });
    game.next();
  }
}

const http = createServer((request, response) => {
  let body = "";
  request.on("data", (data) => {
    body += data;
  });
  request.on("end", () => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end("{}");
    const match = /challenges\/(\d+)/.exec(request.url);
    if (match) answerChallenge(Number(match[1]), request.headers["content-type"].endsWith("json") ? JSON.parse(body) : {});
  });
});

const handlers = {
  authenticate: () => {
    setTimeout(() => {
      for (const game of running.values()) send("active_game", { id: game.id, phase: "play" });
      if (report.connections === 1) offerWhatIsRefused();
      offerAll();
      challenge();
    }, 100);
    return { id: BOT, username: "bot" };
  },
  "bot/config": () => {
    report.configurations += 1;
  },
  "net/ping": (data) => send("net/pong", { client: data.client, server: Date.now() }),
  "game/connect": ({ game_id }) => send(`game/${game_id}/gamedata`, (running.get(game_id) ?? finished.get(game_id)).data()),
  "game/move": ({ game_id, move }) => running.get(game_id)?.botMoves(move),
  "game/resign": ({ game_id }) => running.get(game_id)?.end(false, "Resignation"),
  "game/resume": ({ game_id }) => running.get(game_id)?.resume(),
  "game/chat": ({ body }) => {
    if (body.type === "analysis") report.variations += 1;
    else if (body.en?.startsWith("Hello")) report.greetings += 1;
    else if (body.en?.startsWith("Thank")) report.farewells += 1;
  },
};

new WebSocketServer({ server: http }).on("connection", (socket) => {
  client = socket;
  report.connections += 1;
  socket.on("message", (text) => {
    const [command, data, id] = JSON.parse(text);
    const answer = handlers[command]?.(data);
    if (id) socket.send(JSON.stringify([id, answer ?? {}]));
  });
  socket.on("close", () => {
    if (client === socket) client = null;
  });
  setTimeout(() => {
    if (client !== socket) return;
    report.disconnects += 1;
    socket.terminate();
  }, CONNECTED[0] + (CONNECTED[1] - CONNECTED[0]) * random());
});

http.listen(0, "127.0.0.1", () => say({ port: http.address().port }));
