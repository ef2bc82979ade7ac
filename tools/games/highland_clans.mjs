/**
 * How the draws of Highland Clans show in its events (docs/rules/highland_clans.md).
 */
import { copies, without } from "../piles.mjs";

const CLANS = ["campbell", "macdonald", "macgregor", "mackenzie", "macleod"];
const COLOURS = ["yellow", "blue", "green", "red"];
const ALL_CUBES = { yellow: 29, blue: 27, green: 20, red: 10 };
/** How many cards there are of each value. */
const CARDS = { 1: 20, 2: 18, 3: 16, 4: 13 };
/** The numbers of the estate tiles: two of each, but one of the highest. */
const ESTATE_NUMBERS = Array.from({ length: 25 }, (_, at) => 30 + Math.floor(at / 2));
const MADE_OF = { castle: { blue: 2 }, monastery: { green: 3 }, cattle: { red: 1 } };
const FIRST_CARDS = 4;
const CUBES_DRAWN = 6;

/** The bag, the deck and the discard pile of a match; both piles are multisets, sorted. */
export class HighlandClans {
  constructor(table) {
    this.table = table;
    this.bag = { ...ALL_CUBES };
    this.deck = Object.entries(CARDS).flatMap(([value, count]) => copies(Number(value), count));
    this.discardPile = [];
    this.estates = [...ESTATE_NUMBERS];
  }

  after = {
    GameStarted({ clans }) {
      const { options, luck, seats } = this.table;
      this.table.same("clans", options.clans ?? luck.pick("clans", CLANS, seats), clans);
    },

    CubesSetAside({ yellow, blue }) {
      this.put({ yellow, blue }, -1);
    },

    BoardsPrepared({ warriors, bagpipers, cattle }) {
      this.put({ yellow: warriors, blue: bagpipers, red: cattle }, -this.table.seats);
    },

    HandDealt({ cards }) {
      this.take("hands", FIRST_CARDS, cards);
    },

    StartSeatChosen({ seat }) {
      const { options, luck, seats } = this.table;
      this.table.same("seat", options.start_seat ?? luck.draw("start seat", seats), seat);
    },

    CubesDrawn({ cubes }) {
      this.grab("cubes", CUBES_DRAWN, "cubes", cubes);
    },

    CubesRedrawn({ returned, drawn }) {
      this.put(returned);
      const count = COLOURS.reduce((sum, colour) => sum + (returned[colour] ?? 0), 0);
      this.grab("redrawn cubes", count, "drawn", drawn);
    },

    CardsDrawn({ count, cards }) {
      this.take("cards", count, cards);
    },

    DeckReshuffled() {
      this.deck = this.discardPile;
      this.discardPile = [];
    },

    CardsDiscarded({ cards }) {
      this.discard(cards);
    },

    FightResolved(fight) {
      this.discard([fight.attacker_value, fight.defender_value]);
      this.put({ blue: Number(fight.attacker_bagpiper) + Number(fight.defender_bagpiper) });
    },

    EstateAcquired({ from_drawn: drawn, from_court: court }) {
      this.put(drawn);
      this.put(court);
    },

    BardPlayed({ taken, kept }) {
      this.put({ blue: 1 });
      taken.filter((colour) => colour !== kept).forEach((colour) => this.put({ [colour]: 1 }));
    },

    ActionsEnded({ returned }) {
      this.put(returned);
    },

    SpoilsTaken({ kind, cattle_placed: isPlaced }) {
      this.put(MADE_OF[kind], isPlaced ? 0 : 1);
    },

    EstateRemoved({ number }) {
      if (number !== null) {
        this.table.same("number", this.table.luck.roll("estate number", this.estates), number);
        this.estates = without(this.estates, [number]);
      }
    },
  };

  put(cubes, times = 1) {
    COLOURS.forEach((colour) => {
      this.bag[colour] += times * (cubes[colour] ?? 0);
    });
  }

  /** Compare cubes drawn from the bag, and take them out. */
  grab(name, count, field, found) {
    const each = COLOURS.flatMap((colour) => copies(colour, this.bag[colour]));
    const drawn = this.table.luck.pick(name, each, count);
    const countOf = (colour) => [colour, drawn.filter((cube) => cube === colour).length];
    this.table.same(field, Object.fromEntries(COLOURS.map(countOf)), found);
    this.put(found, -1);
  }

  /** Compare cards drawn from the deck, and take them out. */
  take(name, count, found) {
    const drawn = this.table.luck.pick(name, this.deck, count);
    this.table.same("cards", drawn.sort(byValue), found);
    this.deck = without(this.deck, found);
  }

  discard(cards) {
    this.discardPile = [...this.discardPile, ...cards].sort(byValue);
  }
}

const byValue = (one, other) => one - other;
