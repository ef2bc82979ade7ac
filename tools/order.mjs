/**
 * What holds of the commits of every match, whatever the rules of its game.
 */
import {
  areSame, hasKeys, isAscii, isHash, isName, isObject,
} from "./canonical.mjs";
import { isSealed, misfitOfTerms, seatOf } from "./reading.mjs";
import { failOn } from "./report.mjs";

const MOST_ENTROPY = 64;
const ENDINGS = ["MatchEnded", "MatchAborted"];
const WITHOUT_MOVE = ["SeatResigned", "WishTold", "SeatGivenBack"];

/** Check commits of a match that began with the event `started`; a whole one has ended. */
export function checkOrder(commits, started, isWhole) {
  const seats = started.seats.length;
  checkEntropies(started.entropies, seats);
  for (const commit of commits) {
    checkActor(commit, seats);
    checkMove(commit, isWhole);
    checkPlaces(commit, isWhole && commit === commits.at(-1));
    if (isWhole && hasSalts(commit)) {
      fail(commit, "salts", "none, since nothing is sealed", "some");
    }
  }
  checkSequence(commits);
  if (isWhole) {
    checkEnd(commits.at(-1), seats);
  }
}

/** Return the field of a platform's event whose text has not its form, or null. */
export function checkTexts({ type, data }) {
  switch (type) {
    case "MatchStarted":
      return misfitOfTerms(data);
    case "MatchBranched":
      return isName(data.parent) ? null : "parent";
    case "SeatTakenOver":
      return isName(data.level) ? null : "level";
    case "RulesChanged":
      return isName(data.rules_version) && isHash(data.data_hash) ? null : "rules_version";
    case "SeedRevealed":
      return isHash(data.seed) ? null : "seed";
    default:
      return null;
  }
}

function checkEntropies(entropies, seats) {
  const isShort = (text) => text === null || (isAscii(text) && text.length <= MOST_ENTROPY);
  if (entropies.length !== seats || !entropies.every(isShort)) {
    const expected = `${seats} of null or at most ${MOST_ENTROPY} ASCII characters`;
    failOn("unlawful_commit", { version: 1, event: 0, field: "entropies" }, expected, entropies);
  }
}

function checkActor(commit, seats) {
  const seat = seatOf(commit.actor);
  const isSeat = commit.version > 1 && seat !== null && seat < seats;
  if (commit.actor !== "platform" && !isSeat) {
    fail(commit, "actor", `platform or one of ${seats} seats`, commit.actor);
  }
}

function checkMove(commit, isWhole) {
  const { actor, move } = commit;
  if (isSealed(move) && !isWhole) {
    return;
  }
  const isTagged = isObject(move) && hasKeys(move, ["type", "data"])
    && typeof move.type === "string" && isObject(move.data);
  const isOther = commit.events.some(({ type }) => WITHOUT_MOVE.includes(type));
  if (actor === "platform" || isOther ? move !== null : !isTagged) {
    fail(commit, "move", "type and data of a seat's move, else null", move);
  }
}

/** Fail on an event of the platform where it can't stand. */
function checkPlaces(commit, isLast) {
  const fromEnd = (at) => commit.events.length - at;
  const places = {
    MatchStarted: (at) => commit.version === 1 && at === 0,
    RulesChanged: (at) => commit.version > 1 && at === 0,
    MatchBranched: (at) => commit.version === 1 && at === 1,
    MatchEnded: (at) => isLast && fromEnd(at) === 2,
    MatchAborted: (at) => isLast && fromEnd(at) === 2,
    SeedRevealed: (at) => isLast && fromEnd(at) === 1,
  };
  commit.events.forEach(({ type }, event) => {
    if (Object.hasOwn(places, type) && !places[type](event)) {
      const place = { version: commit.version, event };
      failOn("unlawful_commit", place, "this event elsewhere or never", type);
    }
  });
}

/** Fail on time that goes back, and on a command that was recorded twice. */
function checkSequence(commits) {
  const known = new Set();
  commits.forEach((commit, at) => {
    const command = `${commit.actor} ${commit.command}`;
    if (known.has(command)) {
      fail(commit, "command", "an id that is new", commit.command);
    }
    known.add(command);
    if (at && commit.at < commits[at - 1].at) {
      fail(commit, "at", `${commits[at - 1].at} or later`, commit.at);
    }
  });
}

function checkEnd(last, seats) {
  const kinds = last.events.slice(-2).map(({ type }) => type);
  if (!ENDINGS.some((ending) => areSame(kinds, [ending, "SeedRevealed"]))) {
    fail(last, "events", `${ENDINGS.join(" or ")} and SeedRevealed as the last`, kinds);
  }
}

/** Check that the final account, if there is one, is of these seats; its events have their form. */
export function checkOutcome(last, seats) {
  if (last.events.at(-2).type === "MatchAborted") {
    return;
  }
  const { outcome } = last.events.at(-2).data;
  const { places, figures } = outcome;
  const names = figures.map((each) => each.map(({ name }) => name));
  const isRight = places.length === seats && figures.length === seats && seats > 0
    && places.every((place) => place === 1 + places.filter((other) => other < place).length)
    && names.every((each) => areSame(each, names[0]));
  if (!isRight) {
    const place = { version: last.version, event: last.events.length - 2, field: "outcome" };
    failOn("wrong_outcome", place, `places and the same figures of ${seats} seats`, outcome);
  }
}

function hasSalts(commit) {
  return [commit, ...commit.events].some((each) => Object.hasOwn(each, "salts"));
}

function fail({ version }, field, expected, found) {
  failOn("unlawful_commit", { version, field }, expected, found);
}
