/**
 * Strict reading of an export: one header, one commit a line, in the one form that they have.
 */
import {
  bytesOfBase64url, canonical, hasKeys, isHash, isKeyId, isName, isObject, isSalt,
  isSignature, sha256, shown, strangeness,
} from "./canonical.mjs";
import { fits, misfitOf } from "./forms.mjs";
import { UnreadableError } from "./report.mjs";

const TEXT = { type: "string" };
const COUNT = { type: "integer" };
const LIST = { type: "array", items: {} };
const KEY = object({ crv: { const: "Ed25519" }, kty: { const: "OKP" }, x: TEXT });
const HOLDER = {
  anyOf: [tagged("Account", object({ account: TEXT })), tagged("Bot", object({ level: TEXT }))],
};
const HEADER = object({
  format: { const: 1 }, match: TEXT, game: TEXT, rules_version: TEXT, data_hash: TEXT, options: {},
  seats: { type: "array", items: HOLDER }, seed_commitment: TEXT,
  keys: { type: "array", items: KEY }, viewer: TEXT, commits: COUNT,
});
const COMMIT = object(
  {
    match: TEXT, version: COUNT, command: TEXT, actor: TEXT, at: TEXT, schema: { const: 1 },
    move: {}, bot: {}, draws: {}, events: LIST, prev: TEXT,
    hash: TEXT, key: TEXT, signature: TEXT,
  },
  { salts: {} },
);

/**
 * Return the header and the commits of the file with these bytes.
 *
 * @throws {UnreadableError} truncated_export or malformed_export
 */
export function readExport(bytes) {
  const lines = linesOf(bytes);
  const header = readLine(lines[0], 1);
  check(1, misfitOf(HEADER, header), "the form of a header");
  checkHeader(header);
  const found = lines.length - 1;
  if (found !== header.commits || !found) {
    throw truncated(lines.length, `${header.commits || "at least 1"} commits`, String(found));
  }
  return { header, commits: lines.slice(1).map((line, at) => readCommit(line, at + 2)) };
}

/** Return the seat that an actor or a viewer names, or null. */
export function seatOf(text) {
  const found = /^seat:(0|[1-9]\d?)$/.exec(text);
  return found && Number(found[1]);
}

/** Return the thumbprint (RFC 7638) of a key. */
export function keyId({ crv, kty, x }) {
  return Buffer.from(sha256(canonical({ crv, kty, x })), "hex").toString("base64url");
}

/** Return whether a JWK tells an Ed25519 key. */
export function isKey(plain) {
  return isObject(plain) && plain.crv === "Ed25519" && plain.kty === "OKP"
    && typeof plain.x === "string" && bytesOfBase64url(plain.x)?.length === 32;
}

/** Return whether a value is exactly what stands in the place of a sealed one. */
export function isSealed(plain) {
  return hasSeal(plain) && isHash(plain.sealed);
}

/** Return whether a value would stand in the place of a sealed one, were its text a commitment. */
export function hasSeal(plain) {
  return isObject(plain) && hasKeys(plain, ["sealed"]) && typeof plain.sealed === "string";
}

/** Return the path of the first of these terms of a match that has not its form, or null. */
export function misfitOfTerms(terms) {
  const isHolder = ({ data }) => isName(data.account ?? data.level);
  const checks = {
    game: isName(terms.game), rules_version: isName(terms.rules_version),
    data_hash: isHash(terms.data_hash), seed_commitment: isHash(terms.seed_commitment),
    seats: terms.seats.every(isHolder), stand_in: isName(terms.stand_in ?? "nobody"),
  };
  return Object.keys(checks).find((name) => !checks[name]) ?? null;
}

function linesOf(bytes) {
  if (!bytes.length) {
    throw truncated(1, "a header", "an empty file");
  }
  const lines = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length || !lines.length) {
    throw truncated(lines.length + 1, "a whole line", "its beginning");
  }
  return lines;
}

function readLine(bytes, number) {
  let text, plain;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    plain = JSON.parse(text);
  } catch {
    throw malformed(number, "JSON in UTF-8", "something else");
  }
  const strange = strangeness(plain);
  if (strange) {
    throw malformed(number, "null, true, false, integers, Unicode, lists, objects", strange);
  }
  if (canonical(plain) !== text) {
    throw malformed(number, "canonical JSON, each key once", shown(text));
  }
  return plain;
}

function checkHeader(header) {
  const isViewer = ["all", "spectator"].includes(header.viewer) || seatOf(header.viewer) !== null;
  check(1, isName(header.match) ? null : "match", "a name");
  check(1, misfitOfTerms(header), "its form");
  check(1, header.keys.every(isKey) ? null : "keys", "Ed25519 keys as JWK");
  check(1, isViewer ? null : "viewer", "all, spectator or seat:N");
}

function readCommit(line, number) {
  const commit = readLine(line, number);
  check(number, misfitOf(COMMIT, commit), "the form of a commit");
  const checks = {
    match: isName(commit.match), command: isName(commit.command),
    actor: commit.actor === "platform" || seatOf(commit.actor) !== null, at: isTime(commit.at),
    draws: isObject(commit.draws) && Object.values(commit.draws).every((count) => count > 0
      && Number.isSafeInteger(count)),
    prev: isHash(commit.prev), hash: isHash(commit.hash), key: isKeyId(commit.key),
    signature: isSignature(commit.signature),
    salts: !Object.hasOwn(commit, "salts") || areSalts(commit.salts, { move: 0, bot: 0 }),
    events: commit.events.every(isEvent),
  };
  check(number, Object.keys(checks).find((name) => !checks[name]) ?? null, "its form");
  return commit;
}

function isTime(text) {
  if (!/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) {
    return false;
  }
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

function isEvent(plain) {
  const form = object({ type: TEXT, data: {} }, { salts: {} });
  return fits(form, plain) && isObject(plain.data)
    && (!Object.hasOwn(plain, "salts") || areSalts(plain.salts, plain.data));
}

/** Return whether a value holds salts of fields; an empty object would be another form of none. */
function areSalts(plain, fields) {
  return isObject(plain) && Object.keys(plain).length > 0
    && Object.entries(plain).every(([name, salt]) => Object.hasOwn(fields, name) && isSalt(salt));
}

function check(number, path, expected) {
  if (path !== null) {
    throw malformed(number, `${path || "the line"}: ${expected}`, "something else");
  }
}

function object(properties, optional = {}) {
  const required = Object.keys(properties);
  return { type: "object", properties: { ...properties, ...optional }, required };
}

function tagged(name, data) {
  return object({ type: { const: name }, data });
}

function malformed(number, expected, found) {
  return new UnreadableError("malformed_export", `line ${number}`, expected, found);
}

function truncated(number, expected, found) {
  return new UnreadableError("truncated_export", `line ${number}`, expected, found);
}
