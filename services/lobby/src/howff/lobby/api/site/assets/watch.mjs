// One match, told in words as it is played, to whoever may watch it.

import { asked, askNames, clockWords, distinct, follow, made, moment } from "./common.mjs";

const SEAT = /\bSeat (\d+)\b/g;
const FRESH = 3000;
const LOOKED_EVERY = 1000;
const byId = (id) => document.getElementById(id);
const match = new URLSearchParams(location.search).get("match") ?? "";
const path = `/v1/matches/${encodeURIComponent(match)}`;
let seats = [];
let names = [];
let last = 0;
let liveSince = Infinity;
let endFeed = () => {};

const WHY = {
  no_such_match:
    "There is no match of this id, or only its seats may watch it. Who has a seat can follow it with howff watch.",
  rate_limited: "You have asked too often. Wait a moment, and load this page again.",
};

function named(number) {
  return made("span", { class: `seat seat-${number % 5}` }, names[number]);
}

/** Return a line with the names of the seats in the place of their numbers. */
function line(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(SEAT)) {
    parts.push(text.slice(from, found.index));
    parts.push(found[1] in names ? named(Number(found[1])) : found[0]);
    from = found.index + found[0].length;
  }
  return made("li", {}, ...parts, text.slice(from));
}

function shownCommit(commit) {
  const isFresh = performance.now() > liveSince;
  return made(
    "li",
    { class: isFresh ? "fresh" : "", data: { version: String(commit.version) } },
    made("span", { class: "version" }, String(commit.version)),
    made("ul", {}, ...commit.lines.map(line)),
    moment(commit.at, "medium"),
  );
}

function status(text, isLive = false) {
  byId("status").textContent = text;
  byId("status").dataset.live = isLive ? "yes" : "no";
}

function showSeats(now) {
  const acting = new Set(now.is_over ? [] : now.to_act);
  byId("seats").replaceChildren(
    ...seats.map((_, number) =>
      made(
        "li",
        { class: `seat-${number % 5}`, data: { acts: acting.has(number) ? "yes" : "no" } },
        named(number),
        acting.has(number) ? made("span", { class: "acts" }, "has to decide") : null,
      ),
    ),
  );
}

/** Figures that only tell whether something is so, and what they mean if it is. */
const MEANINGS = new Map([["total_damage", "has total damage and so is last by the rules"]]);

function figureWords({ name, value }) {
  if (MEANINGS.has(name)) return value ? MEANINGS.get(name) : "";
  return `${name.replaceAll("_", " ")} ${value}`;
}

function showOutcome(now) {
  byId("outcome").hidden = !now.is_over;
  if (!now.is_over) return;
  if (!now.outcome) {
    byId("places").replaceWith(made("p", { id: "places" }, "The match was aborted, and counts for nothing."));
    return;
  }
  const ranked = now.outcome.places
    .map((place, number) => ({ place, number }))
    .sort((one, other) => one.place - other.place);
  byId("places").replaceChildren(
    ...ranked.map(({ place, number }) => {
      const figures = now.outcome.figures[number].map(figureWords).filter(Boolean).join(", ");
      return made("li", { value: String(place) }, named(number), figures ? ` – ${figures}` : "");
    }),
  );
}

function showMatch(now) {
  document.title = `${now.title} · Howff`;
  byId("title").textContent = now.title;
  const terms = [clockWords(now.clock), now.rated ? "rated" : "not rated", `rules ${now.rules_version}`];
  byId("about").textContent = terms.join(" · ");
  showSeats(now);
  showOutcome(now);
}

function fail(text) {
  byId("why").textContent = text;
  byId("trouble").hidden = false;
  byId("status").hidden = true;
}

let looking = false;

/** Look at the match again, once for however many commits come at the same time. */
function lookAgain() {
  if (looking) return;
  looking = true;
  setTimeout(async () => {
    looking = false;
    const now = await asked(path).catch(() => null);
    if (!now) return;
    showMatch(now);
    if (now.is_over && now.version <= last) showOver();
  }, LOOKED_EVERY);
}

function showOver() {
  endFeed();
  status("This match is over.");
}

let waiting = [];

/** Put the commits that came at the same time on the page at once, the newest on top. */
function put() {
  const rows = waiting.map(shownCommit).reverse();
  waiting = [];
  byId("log").prepend(...rows);
}

function take(commit) {
  if (commit.version <= last) return;
  last = commit.version;
  if (!waiting.length) setTimeout(put, 30);
  waiting.push(commit);
  if (performance.now() > liveSince) lookAgain();
}

function followMatch() {
  endFeed = follow(
    () => `${path}/lines?after=${last}`,
    {
      commit: take,
      over() {
        showOver();
        lookAgain();
      },
    },
    {
      lost() {
        status("The match service does not answer just now. Trying again …");
        lookAgain(); // it may have nothing more to tell
      },
      found: () => {
        status("Live", true);
        if (liveSince === Infinity) liveSince = performance.now() + FRESH;
      },
    },
  );
}

async function begin() {
  if (!match) {
    fail("No match is named. Choose one from the list of those in play.");
    return;
  }
  try {
    const now = await asked(path);
    seats = now.seats;
    await askNames(seats.map((seat) => seat.account)).catch(() => false);
    names = distinct(seats);
    byId("raw").href = path;
    byId("export").href = `${path}/export`;
    showMatch(now);
    byId("match").hidden = false;
    followMatch();
  } catch (refusal) {
    fail(WHY[refusal.code] ?? `This match can't be watched just now: ${refusal.message}.`);
  }
}

await begin();
