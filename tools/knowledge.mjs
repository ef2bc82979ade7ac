/**
 * What is known of games without their rules: data files, and how their draws show in events.
 */
import { readFileSync } from "node:fs";

import { misfitOf } from "./forms.mjs";
import { Appenzell } from "./games/appenzell.mjs";
import { DaleOfMerchants } from "./games/dale_of_merchants.mjs";
import { Hellweg } from "./games/hellweg.mjs";
import { HighlandClans } from "./games/highland_clans.mjs";
import { Troedler } from "./games/troedler.mjs";
import { hasSeal } from "./reading.mjs";
import { UnreadableError } from "./report.mjs";

const PILES = {
  troedler: Troedler,
  hellweg: Hellweg,
  highland_clans: HighlandClans,
  appenzell: Appenzell,
  dale_of_merchants: DaleOfMerchants,
};
const PLATFORM = tableIn("platform");

/** Who may know `move` and `bot` of a commit. */
export const COMMAND = PLATFORM.command;

/** The form of the event that opens a match. */
export const MATCH_STARTED = PLATFORM.events.MatchStarted.form;

/**
 * Return what is known of a game: its version, its events, and the class that follows its piles.
 *
 * @throws {UnreadableError} unknown_game
 */
export function knowledgeOf(game) {
  if (!Object.hasOwn(PILES, game)) {
    const expected = `one of ${Object.keys(PILES).join(", ")}`;
    throw new UnreadableError("unknown_game", "game", expected, game);
  }
  const table = tableIn(game);
  return { ...table, events: { ...table.events, ...PLATFORM.events }, Piles: PILES[game] };
}

/** Return the covered fields of a class of events, with who may know them. */
export function coveredOf(game, type) {
  return Object.hasOwn(game.events, type) ? game.events[type].covered : {};
}

/** Return the path of the first part of an event without its form, or null; "type" if unknown. */
export function misfitOfEvent(game, event, maySeal) {
  if (!Object.hasOwn(game.events, event.type)) {
    return "type";
  }
  const { form, covered } = game.events[event.type];
  const mayBeSealed = (field) => maySeal && Object.hasOwn(covered, field);
  const isOpen = ([field, value]) => !(mayBeSealed(field) && hasSeal(value));
  const open = Object.fromEntries(Object.entries(event.data).filter(isOpen));
  const isSealed = (field) => Object.hasOwn(event.data, field) && !Object.hasOwn(open, field);
  const required = form.required.filter((field) => !isSealed(field));
  return misfitOf({ ...form, required }, open);
}

function tableIn(name) {
  return JSON.parse(readFileSync(new URL(`./games/${name}.json`, import.meta.url), "utf8"));
}
