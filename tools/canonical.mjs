/**
 * Canonical JSON (RFC 8785), hashes, and the texts that stand in an export.
 */
import { createHash, createHmac } from "node:crypto";

/** How deep the values of a line may be nested. */
export const DEEPEST = 32;

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * Return plain JSON as canonical text.
 *
 * ECMAScript writes numbers and escapes just as RFC 8785 asks, and sorts keys by UTF-16 code units.
 */
export function canonical(plain) {
  if (Array.isArray(plain)) {
    return `[${plain.map(canonical).join(",")}]`;
  }
  if (isObject(plain)) {
    const members = Object.keys(plain).sort();
    return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(plain[key])}`).join(",")}}`;
  }
  return JSON.stringify(plain);
}

/** Return what in plain JSON no line of an export may tell, or null. */
export function strangeness(plain, depth = DEEPEST) {
  if (typeof plain === "string") {
    return LONE_SURROGATE.test(plain) ? "half of a character" : null;
  }
  if (typeof plain === "number") {
    return Number.isSafeInteger(plain) ? null : "no integer of less than 2^53";
  }
  if (plain === null || typeof plain === "boolean") {
    return null;
  }
  return depth === 0 ? `values nested more than ${DEEPEST} deep` : strangenessWithin(plain, depth);
}

function strangenessWithin(plain, depth) {
  for (const [key, child] of Object.entries(plain)) {
    const found = isAscii(key) ? strangeness(child, depth - 1) : "a key that is not ASCII";
    if (found) {
      return found;
    }
  }
  return null;
}

/** Return whether two values of plain JSON are the same. */
export function areSame(one, other) {
  return canonical(one) === canonical(other);
}

/** Return whether plain JSON is an object, no list. */
export function isObject(plain) {
  return typeof plain === "object" && plain !== null && !Array.isArray(plain);
}

/** Return whether an object has exactly these keys. */
export function hasKeys(plain, keys) {
  const isThere = (key) => Object.hasOwn(plain, key);
  return Object.keys(plain).length === keys.length && keys.every(isThere);
}

/** Return SHA-256 of texts (as UTF-8) and bytes, one behind the other, in lower-case hex. */
export function sha256(...parts) {
  const hash = createHash("sha256");
  parts.forEach((part) => hash.update(part));
  return hash.digest("hex");
}

/** Return HMAC-SHA-256 of plain JSON in canonical form, as bytes. */
export function hmac(key, plain) {
  return createHmac("sha256", key).update(canonical(plain)).digest();
}

/** Return the bytes that base64url without padding tells, or null if it has another form. */
export function bytesOfBase64url(text) {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : null;
}

/** Return plain JSON as short text in printable ASCII, for a message. */
export function shown(plain) {
  const text = plain === undefined ? "nothing" : JSON.stringify(plain);
  return printable(text.length <= 80 ? text : `${text.slice(0, 80)}...`);
}

/** Return a text in printable ASCII, so that nothing in it steers a screen. */
export function printable(text) {
  const escaped = (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/[^ -~]/g, escaped);
}

export const isAscii = (text) => !/[^\x00-\x7f]/.test(text);
export const isName = matcher(/^[ -~]{1,100}$/);
export const isHash = matcher(/^[0-9a-f]{64}$/);
export const isSalt = matcher(/^[0-9a-f]{32}$/);
export const isKeyId = matcher(/^[A-Za-z0-9_-]{43}$/);
export const isSignature = matcher(/^[A-Za-z0-9_-]{86}$/);

function matcher(form) {
  return (plain) => typeof plain === "string" && form.test(plain);
}
