/**
 * Piles and multisets as lists, for the games.
 */
import { areSame, shown } from "./canonical.mjs";
import { MisfitError } from "./draws.mjs";

const MOST_COPIES = 1000;

/** Return a list with so many copies of an item; no pile is as high as the most. */
export function copies(item, count) {
  if (count > MOST_COPIES) {
    throw new MisfitError(`${count} times ${shown(item)}`);
  }
  return Array.from({ length: Math.max(0, count) }, () => item);
}

/** Return items without each of the others, one for one and the first of its sort. */
export function without(items, gone) {
  const left = [...items];
  for (const item of gone) {
    const at = left.findIndex((each) => areSame(each, item));
    if (at < 0) {
      throw new MisfitError(`no ${shown(item)} where it comes from`);
    }
    left.splice(at, 1);
  }
  return left;
}

/** Return items in the order of their places in another list; equal ones keep theirs. */
export function inOrderOf(order, items) {
  return [...items].sort((one, other) => order.indexOf(one) - order.indexOf(other));
}

/** Return the item at a place of a list, which has to be there. */
export function itemAt(items, at) {
  if (!Object.hasOwn(items, at)) {
    throw new MisfitError(`nothing at place ${at}`);
  }
  return items[at];
}
