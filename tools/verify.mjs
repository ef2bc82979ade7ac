#!/usr/bin/env node
/**
 * Verifies exports of Howff (`match.jsonl`) without any of its code: chain, seals, signatures, and
 * every draw made again from the seed. The rules of the games it does not know, and says so.
 *
 *     node tools/verify.mjs [--json] [--keys FILE] FILE...
 *
 * Exits with 0 if no check has failed, 1 if one has, 2 if something could not be read.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import { printable, shown } from "./canonical.mjs";
import {
  checkChain, checkHeader, checkRecord, checkSeed, checkSignatures, seedOf,
} from "./checks.mjs";
import { compareDraws } from "./draws.mjs";
import { knowledgeOf } from "./knowledge.mjs";
import { isKey, keyId, readExport } from "./reading.mjs";
import { FailureError, UnreadableError, textOf } from "./report.mjs";

const USAGE = "node tools/verify.mjs [--json] [--keys FILE] FILE...";
const NO_RULES = "this program does not know the rules; howff verify decides every move again";

/** A check that could not be made, or only in part. */
class NotCheckedError extends Error {}

const CHECKS = {
  header: checkHeader,
  seed: (match) => (match.isWhole ? checkSeed(match) : leave("the match had not ended")),
  chain: checkChain,
  signatures: checkSignatures,
  record: checkRecord,
  draws: (match) => (match.isWhole ? checkDraws(match) : leave("secrets are sealed")),
  decisions: () => leave(NO_RULES),
};

/**
 * Return what checking an export has found: its checks, the thumbprints of the keys that count, and
 * the failure, or null. Without keys the export's own ones count.
 *
 * @throws {UnreadableError} the bytes are no export, or one of an unknown game
 */
export function verifyExport(bytes, keys = null) {
  const { header, commits } = readExport(bytes);
  const match = {
    header, commits, isWhole: header.viewer === "all", seed: seedOf(commits),
    game: knowledgeOf(header.game),
    keys: new Map((keys ?? header.keys).map((key) => [keyId(key), key])),
  };
  const checks = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const hasFailed = checks.some(({ result }) => result === "failed");
    const found = hasFailed ? notChecked("an earlier check has failed") : answer(check, match);
    checks.push({ name, ...found });
  }
  const failure = checks.find(({ result }) => result === "failed")?.failure ?? null;
  return { checks, keys: [...match.keys.keys()], failure };
}

function answer(check, match) {
  try {
    return { result: "passed", detail: check(match) };
  } catch (error) {
    if (error instanceof FailureError) {
      return { result: "failed", detail: textOf(error.failure), failure: error.failure };
    }
    if (error instanceof NotCheckedError) {
      return notChecked(error.message);
    }
    throw error;
  }
}

function checkDraws(match) {
  const { compared, dealt, left } = compareDraws(match);
  const detail = `${compared} draws follow from the seed, and ${dealt} cards dealt from piles`;
  return left ? leave(`${left} draws NOT compared, made by other rules or of a branch; ${detail}`) : detail;
}

function leave(why) {
  throw new NotCheckedError(why);
}

function notChecked(detail) {
  return { result: "not checked", detail };
}

function main(words) {
  const { files, keysFile, isJson } = argumentsOf(words);
  const keys = keysFile && readKeys(keysFile);
  let status = 0;
  for (const file of files) {
    const { report, code } = reportOn(file, keys);
    status = Math.max(status, code);
    const lines = isJson ? [JSON.stringify({ file, ...report })] : linesOf(report, keys);
    if (!isJson && files.length > 1) {
      lines.unshift(`${printable(file)}:`);
    }
    process.stdout.write(`${lines.join("\n")}\n`);
  }
  return status;
}

function argumentsOf(words) {
  const left = [...words];
  const found = { files: [], keysFile: null, isJson: false };
  while (left.length) {
    const word = left.shift();
    if (word === "--json") {
      found.isJson = true;
    } else if (word === "--keys" && left.length) {
      found.keysFile = left.shift();
    } else if (word.startsWith("-")) {
      throw new UnreadableError("usage", "option", USAGE, shown(word));
    } else {
      found.files.push(word);
    }
  }
  if (!found.files.length) {
    throw new UnreadableError("usage", "files", USAGE, "no file");
  }
  return found;
}

function reportOn(file, keys) {
  try {
    const report = verifyExport(readBytes(file), keys);
    return { report, code: report.failure ? 1 : 0 };
  } catch (error) {
    if (!(error instanceof UnreadableError)) {
      throw error;
    }
    return { report: { error: { code: error.code, message: error.message } }, code: 2 };
  }
}

function linesOf({ error, checks, keys }, pinned) {
  if (error) {
    return [error.message];
  }
  const source = pinned ? "a key you trust" : "the file itself names this key";
  return [
    ...checks.map(({ name, result, detail }) => (
      `${name.padEnd(10)}  ${result.padEnd(11)}  ${detail}`
    )),
    ...keys.map((key) => `Signed by ${key} (${source})`),
  ];
}

function readKeys(file) {
  const refusal = new UnreadableError(
    "wrong_keys", `keys in ${shown(file)}`, "a list of Ed25519 keys as JWK", "something else",
  );
  let plain;
  try {
    plain = JSON.parse(readBytes(file).toString("utf8"));
  } catch (error) {
    throw error instanceof UnreadableError ? error : refusal;
  }
  const keys = Array.isArray(plain) ? plain : plain?.keys;
  if (!Array.isArray(keys) || !keys.every(isKey)) {
    throw refusal;
  }
  return keys;
}

function readBytes(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    const found = error.code ?? "none";
    throw new UnreadableError("unreadable_file", `file ${shown(file)}`, "one to read", found);
  }
}

function run() {
  try {
    process.exitCode = main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UnreadableError)) {
      throw error;
    }
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  run();
}
