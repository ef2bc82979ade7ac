// What the pages share. Whatever others have written becomes text, never markup.

/** Return an element of this name with these properties and children; texts stay texts. */
export function made(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") element.className = value;
    else if (key === "data") Object.assign(element.dataset, value);
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** What a server has refused, by its problem document. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `status ${status}`);
    this.status = status;
    this.code = problem.code || "";
  }
}

/** Return the JSON that *path* answers with. */
export async function asked(path, signal = AbortSignal.timeout(10_000)) {
  const answer = await fetch(path, { headers: { Accept: "application/json" }, signal });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, told);
  return told;
}

const called = new Map();
const MOST = 50;

/** Ask what accounts are called, of those that are not known yet; true if something was new. */
export async function askNames(accounts) {
  const unknown = [...new Set(accounts)].filter((each) => each && !called.has(each));
  for (let at = 0; at < unknown.length; at += MOST) {
    const some = unknown.slice(at, at + MOST);
    const query = new URLSearchParams(some.map((id) => ["id", id]));
    const told = await asked(`/v1/accounts?${query}`);
    for (const id of some) called.set(id, null);
    for (const profile of told.items) called.set(profile.id, profile.name);
  }
  return unknown.length > 0;
}

/** Return what the holder of a seat is called. */
export function holder(seat) {
  if (seat?.bot) return `bot (${seat.bot})`;
  if (seat?.account) return called.get(seat.account) ?? "a guest";
  return "free";
}

/** Return what all holders of these seats are called, those that are called alike once. */
export function holders(seats) {
  const counts = new Map();
  for (const each of seats.map(holder)) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${count} × ${name}` : name)).join(", ");
}

/** Return a name for each of these seats that no other one has: with its number where it has to be. */
export function distinct(seats) {
  const names = seats.map(holder);
  return names.map((name, number) => {
    if (names.indexOf(name) === names.lastIndexOf(name)) return name;
    return seats[number].bot ? `bot ${number} (${seats[number].bot})` : `${name} ${number}`;
  });
}

/** Return an element that tells a moment in the reader's own way: of today the time alone. */
export function moment(at, time = "short") {
  const when = new Date(at);
  const isToday = when.toDateString() === new Date().toDateString();
  const style = isToday ? { timeStyle: time } : { dateStyle: "medium", timeStyle: time };
  const text = Number.isNaN(when.getTime()) ? String(at) : when.toLocaleString(undefined, style);
  return made("time", { datetime: at }, text);
}

/** Return what a clock is, in words. */
export function clockWords(clock) {
  if (!clock) return "no clock";
  if (clock.move_seconds) return `${clock.move_seconds} s a move`;
  if (clock.match_seconds) return `${clock.match_seconds} s a seat + ${clock.increment_seconds} s a move`;
  if (clock.turn_days) return `${clock.turn_days} days a turn`;
  return "a clock";
}

const AGAIN = 5000;

/**
 * Follow a feed of Server-Sent Events for as long as the page is looked at, also after it broke off.
 *
 * A browser opens six connections to a site, or so: pages in the background hold none of them.
 * Return what ends it.
 */
export function follow(address, on, { lost, found }) {
  let source = null;
  let coming = 0;
  const close = () => {
    clearTimeout(coming);
    source?.close();
  };
  const open = () => {
    close();
    if (document.hidden) return;
    source = new EventSource(address());
    source.addEventListener("open", found);
    for (const [kind, told] of Object.entries(on)) {
      source.addEventListener(kind, (event) => told(JSON.parse(event.data)));
    }
    source.addEventListener("error", () => {
      // A browser comes back by itself unless it was refused.
      if (source.readyState === EventSource.CLOSED) coming = setTimeout(open, AGAIN);
      lost();
    });
  };
  document.addEventListener("visibilitychange", open);
  open();
  return () => {
    document.removeEventListener("visibilitychange", open);
    close();
  };
}
