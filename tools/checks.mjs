/**
 * The checks of an export that need no rules: header, seed, chain, signatures, record.
 */
import { createPublicKey, verify } from "node:crypto";

import {
  areSame, bytesOfBase64url, canonical, hmac, isHash, sha256, shown,
} from "./canonical.mjs";
import { misfitOf } from "./forms.mjs";
import { COMMAND, MATCH_STARTED, coveredOf, misfitOfEvent } from "./knowledge.mjs";
import { checkOrder, checkOutcome, checkTexts } from "./order.mjs";
import { hasSeal, isSealed, misfitOfTerms, seatOf } from "./reading.mjs";
import { FailureError, failOn } from "./report.mjs";

const NO_HASH = "0".repeat(64);
const SALT_BYTES = 16;
const COMPARED = [
  "data_hash", "game", "options", "rules_version", "seats", "seed_commitment",
];
const PUBLIC = ["actor", "at", "command", "draws", "match", "prev", "schema", "version"];

/** Check that the header agrees with the first commit, and its viewer with what is told. */
export function checkHeader({ header, commits, isWhole }) {
  const started = startedBy(commits[0], "wrong_header");
  const expected = { match: commits[0].match, ...started };
  for (const field of ["match", ...COMPARED]) {
    if (!areSame(expected[field], header[field])) {
      failOn("wrong_header", { field }, expected[field], header[field]);
    }
  }
  if (!isWhole) {
    checkViewer(header, commits);
  }
  return "agrees with the first commit";
}

/** Check that the revealed seed is the one committed to. */
export function checkSeed({ header, commits, seed }) {
  const version = commits.at(-1).version;
  if (!seed) {
    failOn("wrong_seed", { version, field: "seed" }, "a seed revealed at the end", "none");
  }
  if (sha256(seed) !== header.seed_commitment) {
    failOn("wrong_seed", { version, field: "seed" }, header.seed_commitment, sha256(seed));
  }
  return "is the one committed to before the match";
}

/** Check that each commit has its place and its hash. */
export function checkChain(match) {
  let prev = NO_HASH;
  match.commits.forEach((commit, at) => {
    const version = at + 1;
    const right = { version, match: match.header.match, prev };
    for (const field of Object.keys(right)) {
      checkLink(version, field, right[field], commit[field]);
    }
    prev = match.isWhole ? hashOfWhole(match, commit) : hashOfTold(commit);
    checkLink(version, "hash", prev, commit.hash);
  });
  return `${match.commits.length} commits`;
}

/** Check that a trusted key has signed each commit. */
export function checkSignatures({ commits, keys }) {
  const trusted = new Map();
  for (const [id, { crv, kty, x }] of keys) {
    trusted.set(id, createPublicKey({ key: { crv, kty, x }, format: "jwk" }));
  }
  for (const commit of commits) {
    const { version } = commit;
    if (!trusted.has(commit.key)) {
      const expected = [...keys.keys()].join(", ") || "a trusted key, but none was given";
      failOn("unknown_key", { version, field: "key" }, expected, commit.key);
    }
    const signed = canonical([commit.match, version, commit.hash]);
    const signature = bytesOfBase64url(commit.signature);
    if (!signature || !verify(null, Buffer.from(signed), trusted.get(commit.key), signature)) {
      const expected = `one by the key ${commit.key}`;
      failOn("bad_signature", { version, field: "signature" }, expected, commit.signature);
    }
  }
  return `${commits.length} commits`;
}

/** Check what holds of every match: order, forms of events, and what a viewer may know. */
export function checkRecord(match) {
  const { commits, game, isWhole } = match;
  const started = startedBy(commits[0], "unlawful_commit");
  checkOrder(commits, started, isWhole);
  for (const commit of commits) {
    if (!isWhole) {
      const own = { seat: seatOf(commit.actor), move: commit.move, bot: commit.bot };
      checkTold(match, { version: commit.version }, COMMAND, own, commit.salts ?? {});
    }
    commit.events.forEach((event, at) => {
      const place = { version: commit.version, event: at };
      const path = misfitOfEvent(game, event, !isWhole) ?? checkTexts(event);
      if (path !== null) {
        const field = path.split(".")[0];
        failOn("unlawful_commit", { ...place, field }, "the form of an event", event.type);
      }
      if (!isWhole) {
        checkTold(match, place, coveredOf(game, event.type), event.data, event.salts ?? {});
      }
    });
  }
  if (isWhole) {
    checkOutcome(commits.at(-1), started.seats.length);
    return "in order, and the whole match";
  }
  return `in order, and what ${match.header.viewer} may know`;
}

/** Return the seed that a match reveals with its last event, as bytes, or null. */
export function seedOf(commits) {
  const last = commits.at(-1).events.at(-1);
  const seed = last?.type === "SeedRevealed" ? last.data.seed : null;
  return isHash(seed) ? Buffer.from(seed, "hex") : null;
}

function startedBy(first, code) {
  const event = first.events[0] ?? { type: "nothing", data: {} };
  const isStart = event.type === "MatchStarted" && !Object.hasOwn(event, "salts");
  const field = isStart ? misfitOf(MATCH_STARTED, event.data) : "type";
  const misfit = field ?? misfitOfTerms(event.data);
  if (misfit !== null) {
    failOn(code, { version: 1, event: 0, field: misfit }, "MatchStarted", event.type);
  }
  return event.data;
}

function checkViewer({ viewer, seats }, commits) {
  if (viewer !== "spectator" && seatOf(viewer) >= seats.length) {
    const expected = `all, spectator or one of ${seats.length} seats`;
    failOn("wrong_header", { field: "viewer" }, expected, viewer);
  }
  for (const { bot, version } of commits) {
    if (!isSealed(bot)) {
      failTold(viewer, { version, field: "bot" });
    }
  }
}

function checkLink(version, field, expected, found) {
  if (expected !== found) {
    failOn("broken_chain", { version, field }, expected, found);
  }
}

function hashOfWhole({ game, seed }, commit) {
  const sealedAt = (event) => (field, value) => {
    const salt = hmac(seed, ["salt", commit.match, commit.version, event, field]);
    return commitmentOf(salt.subarray(0, SALT_BYTES), value);
  };
  const own = withSeals({ move: commit.move, bot: commit.bot }, ["move", "bot"], sealedAt(null));
  const events = commit.events.map(({ type, data }, at) => {
    const there = Object.keys(coveredOf(game, type)).filter((field) => Object.hasOwn(data, field));
    return { type, data: withSeals(data, there, sealedAt(at)) };
  });
  return hashOf(commit, own, events);
}

function hashOfTold(commit) {
  const opened = (values, salts = {}) => withSeals(values, Object.keys(salts), (field, value) => (
    commitmentOf(Buffer.from(salts[field], "hex"), value)
  ));
  const own = opened({ move: commit.move, bot: commit.bot }, commit.salts);
  const events = commit.events.map(({ type, data, salts }) => (
    { type, data: opened(data, salts) }
  ));
  return hashOf(commit, own, events);
}

function hashOf(commit, own, events) {
  const told = Object.fromEntries(PUBLIC.map((field) => [field, commit[field]]));
  return sha256(canonical({ ...told, ...own, events }));
}

function withSeals(values, fields, commitment) {
  const sealed = fields.map((field) => [field, { sealed: commitment(field, values[field]) }]);
  return { ...values, ...Object.fromEntries(sealed) };
}

function commitmentOf(salt, value) {
  return sha256(salt, canonical(value));
}

/** Fail if the viewer is told more or less of some values than it may know, or salts are amiss. */
function checkTold({ header: { viewer } }, place, covered, values, salts) {
  for (const field of Object.keys(salts)) {
    if (!Object.hasOwn(covered, field)) {
      failTold(viewer, { ...place, field });
    }
  }
  for (const [field, { seats, momentary }] of Object.entries(covered)) {
    if (!Object.hasOwn(values, field)) {
      continue;
    }
    const seat = seatOf(viewer);
    const isKnown = !seats || (seat !== null && seats.some((name) => values[name] === seat));
    const hasSalt = Object.hasOwn(salts, field);
    // What is momentary may be sealed for who may know it: it was read again later.
    const isRight = hasSeal(values[field])
      ? isSealed(values[field]) && !hasSalt && (!isKnown || momentary) : hasSalt && isKnown;
    if (!isRight) {
      failTold(viewer, { ...place, field });
    }
  }
}

function failTold(viewer, place) {
  const expected = `exactly what ${viewer} may know, and its salts`;
  throw new FailureError("wrong_header", place, shown(expected), "something else");
}
