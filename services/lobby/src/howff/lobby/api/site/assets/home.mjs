// What goes on just now: the services, open tables, matches in play, the latest results.

import { asked, askNames, clockWords, follow, holder, holders, made, moment } from "./common.mjs";

const PROBED_EVERY = 15_000;
const MOST_SHOWN = 12;
const byId = (id) => document.getElementById(id);
const titles = new Map(
  [...document.querySelectorAll("[data-game]")].map((each) => [each.dataset.game, each.dataset.title]),
);
const titleOf = (game) => titles.get(game) ?? game;
const tables = new Map();
const matches = new Map();
const results = new Map();
let areAllTold = true;
let areResultsRead = false;

for (const each of document.querySelectorAll("[data-origin]")) each.textContent = location.origin;

async function probe(service) {
  const state = service.querySelector(".state");
  try {
    const signal = AbortSignal.timeout(5000);
    const answer = await fetch(service.dataset.probe, { method: "HEAD", cache: "no-store", signal });
    state.dataset.state = answer.ok ? "answers" : "away";
    state.textContent = answer.ok ? "answers" : `does not answer (${answer.status})`;
  } catch {
    state.dataset.state = "away";
    state.textContent = "does not answer";
  }
}

function probeAll() {
  if (!document.hidden) document.querySelectorAll("[data-probe]").forEach(probe);
}

function watchLink(match, text, label) {
  const address = `/watch?match=${encodeURIComponent(match.id)}`;
  return made("a", { href: address, "aria-label": label }, text);
}

function shownTable(table) {
  const who = holders(table.players);
  const terms = [clockWords(table.clock), table.rated ? "rated" : "not rated"].join(" · ");
  const url = `${location.origin}/v1/tables/${encodeURIComponent(table.id)}`;
  const waiting = made("span", { class: "whole" }, "--wait");
  return made(
    "li",
    {},
    made(
      "div",
      { class: "head" },
      made("h3", {}, titleOf(table.game)),
      made("span", { class: "small" }, `${table.free} of ${table.seats} seats free`),
    ),
    made("p", {}, who ? `Here: ${who}` : "Nobody sits here yet"),
    made("p", { class: "small" }, terms, " · since ", moment(table.opened_at)),
    made(
      "details",
      {},
      made("summary", {}, "How to join", made("span", { class: "visually-hidden" }, ` ${titleOf(table.game)}`)),
      made("p", { class: "command" }, made("code", {}, `howff table join ${url} `, waiting)),
    ),
  );
}

function shownMatch(match) {
  const title = titleOf(match.game);
  const who = holders(match.seats);
  return made(
    "li",
    {},
    made(
      "div",
      { class: "head" },
      made("h3", {}, title),
      watchLink(match, "Watch", `Watch ${title}: ${who}`),
    ),
    made("p", {}, who),
    made("p", { class: "small" }, match.rated ? "rated · " : "", "since ", moment(match.started_at)),
  );
}

function ranking(match) {
  if (!match.places) return holders(match.seats);
  return match.seats
    .map((seat, number) => ({ name: holder(seat), place: match.places[number] }))
    .sort((one, other) => one.place - other.place)
    .map(({ name, place }) => `${place}. ${name}`)
    .join(" · ");
}

const ENDS = { resigned: "the others have left", aborted: "aborted" };

function shownResult(match) {
  const title = titleOf(match.game);
  const how = ENDS[match.reason];
  return made(
    "li",
    {},
    made(
      "div",
      { class: "head" },
      made("h3", {}, title),
      watchLink(match, "Look back", `Look back at ${title}: ${ranking(match)}`),
    ),
    made("p", {}, ranking(match)),
    made("p", { class: "small" }, how ? `${how} · ` : "", moment(match.ended_at)),
  );
}

function newest(all, field) {
  return [...all.values()].sort((one, other) => (one[field] < other[field] ? 1 : -1));
}

/** Return the row of an item: that which stands there already, if it says the same. */
function row(list, item, shown) {
  const fresh = shown(item);
  const before = [...list.children].find((each) => each.dataset.of === item.id);
  if (before?.textContent === fresh.textContent) return before;
  fresh.dataset.of = item.id;
  return fresh;
}

function show(name, all, field, shown, empty) {
  const list = byId(`${name}-list`);
  const items = newest(all, field);
  const rows = items.slice(0, MOST_SHOWN).map((item) => row(list, item, shown));
  if (items.length > MOST_SHOWN) {
    const more = areAllTold ? items.length - MOST_SHOWN : "many";
    rows.push(made("li", { class: "empty" }, `and ${more} more`));
  }
  if (!rows.length) rows.push(made("li", { class: "empty" }, empty));
  put(list, rows);
  list.removeAttribute("aria-busy");
  const count = byId(`${name}-count`);
  if (count) count.textContent = items.length ? `${items.length}${areAllTold ? "" : "+"}` : "";
}

/** Let *list* have these rows; who reads one with the keyboard stays on it. */
function put(list, rows) {
  for (const old of [...list.children]) if (!rows.includes(old)) old.remove();
  rows.forEach((each, at) => {
    if (list.children[at] !== each) list.insertBefore(each, list.children[at] ?? null);
  });
}

function showAll() {
  show("tables", tables, "opened_at", shownTable, "No table is open. Open one by howff table create.");
  show("matches", matches, "started_at", shownMatch, "Nobody plays just now.");
  if (areResultsRead) show("results", results, "ended_at", shownResult, "No match has ended yet.");
}

function accounts() {
  const seats = [
    ...[...tables.values()].flatMap((table) => table.players),
    ...[...matches.values(), ...results.values()].flatMap((match) => match.seats),
  ];
  return seats.map((seat) => seat.account);
}

let isDrawn = false;

/** Show all, once for however many changes come at the same time. */
function changed() {
  if (isDrawn) return;
  isDrawn = true;
  setTimeout(async () => {
    isDrawn = false;
    showAll();
    if (await askNames(accounts()).catch(() => false)) showAll();
  }, 50);
}

function takeTable(table) {
  if (tables.get(table.id)?.version > table.version) return;
  if (table.phase === "open") tables.set(table.id, table);
  else tables.delete(table.id);
}

function takeMatch(match) {
  if (match.state === "playing") {
    if (!results.has(match.id)) matches.set(match.id, match);
    return;
  }
  matches.delete(match.id);
  results.set(match.id, match);
  for (const old of newest(results, "ended_at").slice(MOST_SHOWN)) results.delete(old.id);
}

async function readResults() {
  try {
    const told = await asked(`/v1/lobby/matches?state=ended&limit=${MOST_SHOWN}`);
    told.items.forEach(takeMatch);
    areResultsRead = true;
    changed();
  } catch {
    const excuse = made("li", { class: "empty" }, "Can't be read just now. Trying again …");
    if (!areResultsRead) put(byId("results-list"), [excuse]);
    setTimeout(readResults, PROBED_EVERY);
  }
}

function stale(text) {
  byId("stale").textContent = text;
  byId("stale").hidden = !text;
}

follow(
  () => "/v1/lobby/feed",
  {
    snapshot(told) {
      tables.clear();
      matches.clear();
      areAllTold = told.is_whole;
      told.tables.forEach(takeTable);
      told.matches.forEach(takeMatch);
      changed();
      readResults();
    },
    table(told) {
      takeTable(told);
      changed();
    },
    match(told) {
      takeMatch(told);
      changed();
    },
  },
  {
    lost: () => stale("The lobby does not answer just now, so that these lists may be old. Trying again …"),
    found: () => stale(""),
  },
);
probeAll();
setInterval(probeAll, PROBED_EVERY);
document.addEventListener("visibilitychange", probeAll);
