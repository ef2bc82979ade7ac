/**
 * Draws made again from the seed, and compared with what the events tell of them.
 */
import { areSame, hmac } from "./canonical.mjs";
import { fits } from "./forms.mjs";
import { failOn } from "./report.mjs";

const RANGE = 2n ** 64n;

/** Events that do not fit the piles: no rules have made them of what went before. */
export class MisfitError extends Error {}

/** The named draws of a match; those of one name are numbered through the whole match. */
export class Luck {
  constructor(seed, match, entropies) {
    this.seed = seed;
    this.match = match;
    this.entropies = entropies;
    this.counts = new Map();
    this.made = new Map();
  }

  /** Return a number from 0 to n - 1. */
  draw(name, n) {
    return below(n, this.#next(name));
  }

  /** Return items in a random order: Fisher-Yates, from the last place down. */
  shuffle(name, items) {
    const numbers = this.#next(name);
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const chosen = below(last + 1, numbers);
      [shuffled[last], shuffled[chosen]] = [shuffled[chosen], shuffled[last]];
    }
    return shuffled;
  }

  /** Return one of the faces. */
  roll(name, faces) {
    return faces[this.draw(name, faces.length)];
  }

  /** Return so many of the items in the order drawn, one draw each; none comes back. */
  pick(name, items, count) {
    const left = [...items];
    const picked = [];
    while (picked.length < count) {
      picked.push(...left.splice(this.draw(name, left.length), 1));
    }
    return picked;
  }

  /** Go on to the next commit, after one that says how many draws it has made. */
  close(draws) {
    for (const [name, count] of Object.entries(draws)) {
      this.counts.set(name, (this.counts.get(name) ?? 0) + count);
    }
    this.made = new Map();
  }

  #next(name) {
    const made = this.made.get(name) ?? 0;
    this.made.set(name, made + 1);
    return this.#numbers(name, (this.counts.get(name) ?? 0) + made);
  }

  * #numbers(name, number) {
    for (let block = 0; ; block += 1) {
      const message = ["draw", this.match, this.entropies, name, number, block];
      const digest = hmac(this.seed, message);
      for (let at = 0; at < digest.length; at += 8) {
        yield digest.readBigUInt64BE(at);
      }
    }
  }
}

/** What a game's file is given to compare with: the luck, and the event that is looked at. */
export class Table {
  constructor(started, luck) {
    this.luck = luck;
    this.options = started.options;
    this.seats = started.seats.length;
    this.place = {};
    this.isCompared = true;
    this.dealt = 0;
  }

  /** Compare a field of the event with what follows from draws. */
  same(field, expected, found) {
    if (this.isCompared && !areSame(expected, found)) {
      failOn("unlawful_commit", { ...this.place, field }, expected, found);
    }
  }

  /** Compare cards that come from a pile which luck has ordered; they are counted. */
  deal(field, expected, found) {
    this.same(field, expected, found);
    this.dealt += this.isCompared ? [expected].flat().length : 0;
  }
}

/**
 * Compare all draws of a whole match.
 *
 * Draws by other rules than the known ones are counted, not compared; so are all after events that
 * such rules have made and that the piles do not fit, and all of a branch.
 *
 * @returns {{compared: number, dealt: number, left: number}}
 */
export function compareDraws({ commits, game, seed, header }) {
  const started = commits[0].events[0].data;
  checkStart(game, started);
  const table = new Table(started, new Luck(seed, header.match, started.entropies));
  const piles = new game.Piles(table);
  const tally = { compared: 0, left: 0 };
  let rules = started;
  // A branch begins in the middle: how its piles lie is told in no event that could be followed.
  let isLost = commits[0].events[1]?.type === "MatchBranched";
  for (const commit of commits) {
    rules = rulesOf(commit) ?? rules;
    table.isCompared = !isLost && areRulesOf(game, rules);
    isLost ||= !follow(piles, table, commit);
    tally[table.isCompared ? "compared" : "left"] += total(commit.draws);
    if (table.isCompared) {
      compareCounts(table.luck.made, commit);
    }
    table.luck.close(commit.draws);
  }
  return { ...tally, dealt: table.dealt };
}

function rulesOf({ events }) {
  return events[0]?.type === "RulesChanged" ? events[0].data : null;
}

function areRulesOf(game, rules) {
  return rules.rules_version === game.rules_version && rules.data_hash === game.data_hash;
}

function checkStart(game, started) {
  const place = { version: 1, event: 0 };
  if (!game.seats.includes(started.seats.length)) {
    const expected = `one of ${game.seats.join(", ")} seats`;
    failOn("unlawful_commit", { ...place, field: "seats" }, expected, started.seats.length);
  }
  // Other rules than the known ones may lack some of the options.
  const required = areRulesOf(game, started) ? Object.keys(game.options.properties) : [];
  if (!fits({ ...game.options, required }, started.options)) {
    const expected = "the options of the game";
    failOn("unlawful_commit", { ...place, field: "options" }, expected, started.options);
  }
}

/** Follow the events of a commit; return whether the piles could. */
function follow(piles, table, commit) {
  try {
    commit.events.forEach((event, at) => {
      table.place = { version: commit.version, event: at };
      if (event.type === "GameStarted") {
        table.same("options", table.options, event.data.options);
        table.same("seats", table.seats, event.data.seats);
      }
      piles.after[event.type]?.call(piles, event.data);
    });
    return true;
  } catch (error) {
    if (!(error instanceof MisfitError)) {
      throw error;
    }
    if (table.isCompared) {
      failOn("unlawful_commit", table.place, "events that fit the piles", error.message);
    }
    return false;
  }
}

/** Compare how many draws of each name the events of a commit tell. */
function compareCounts(made, { version, draws }) {
  const expected = Object.fromEntries(made);
  if (!areSame(expected, draws)) {
    failOn("unlawful_commit", { version, field: "draws" }, expected, draws);
  }
}

function below(n, numbers) {
  if (n < 1) {
    throw new MisfitError("a draw of nothing");
  }
  // A remainder is even only below the last whole multiple of n, so the rest is thrown away.
  const limit = RANGE - (RANGE % BigInt(n));
  let number = limit;
  while (number >= limit) {
    number = numbers.next().value;
  }
  return Number(number % BigInt(n));
}

function total(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
