/**
 * What goes wrong: a file that can't be read, and a check that fails.
 */
import { printable, shown } from "./canonical.mjs";

/** A file or a command line that can't be read; `code` as `howff` has it. */
export class UnreadableError extends Error {
  constructor(code, what, expected, found) {
    super(printable(`${code}  ${what}: expected ${expected}, found ${found}`));
    this.code = code;
  }
}

/** Ends a check; `failure` has code, version, event, field, expected and found. */
export class FailureError extends Error {
  constructor(code, place, expected, found) {
    super(code);
    this.failure = { code, version: null, event: null, field: null, ...place, expected, found };
  }
}

/** End a check: a value is not what it should be. */
export function failOn(code, place, expected, found) {
  throw new FailureError(code, place, shown(expected), shown(found));
}

/** Return a failure as one line of text. */
export function textOf(failure) {
  const parts = ["version", "event", "field"].filter((name) => failure[name] !== null);
  const place = parts.map((name) => `${name} ${failure[name]}`).join(", ");
  const where = place ? ` at ${place}` : "";
  return printable(`${failure.code}${where}: expected ${failure.expected}, found ${failure.found}`);
}
