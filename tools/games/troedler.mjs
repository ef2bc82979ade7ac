/**
 * How the draws of Trödler show in its events (docs/rules/troedler.md).
 */
import { copies } from "../piles.mjs";

const COLOURS = ["red", "blue", "green", "yellow"];
const GOODS = ["anvil", "bottle", "chair", "cup", "pot", "vase"];
const PIECES_PER_GOOD = 8;
/** The villages that goods are dealt to, in this order, with how many. */
const VILLAGES = {
  aberlour: 3, advie: 4, archiestown: 4, cragganmore: 3, craigellachie: 4, dallas: 6, dufftown: 3,
  glenlivet: 5, knockando: 3, macallan: 5, rothes: 2, tomnavoulin: 6,
};
const OTHERS = { bridge: 11, ferry: 11, moor_path: 11, mountain_trail: 11, extra: 4, feed: 24 };
/** The requests that are no starting cards. */
const REQUESTS = [
  "anvil3", "bottle3", "chair3", "cup3", "pot3", "vase3", "vase2_chair", "chair2_bottle",
  "bottle2_anvil", "anvil2_cup", "cup2_pot", "pot2_vase", "anvil_bottle_cup", "bottle_chair_pot",
  "chair_cup_vase", "anvil_cup_pot", "bottle_pot_vase", "anvil_chair_vase", "anvil2", "bottle2",
  "chair2", "cup2", "pot2", "vase2", "chair_pot", "cup_vase",
].map((goods) => `req_${goods}`);
/** By number of seats: so many requests, and as many feed cards, lie aside at first. */
const ASIDE = { 2: 7, 3: 9, 4: 9 };

/** The round pile (top first) and the discard pile (bottom first) of a match. */
export class Troedler {
  constructor(table) {
    this.table = table;
    this.requests = [];
    this.roundPile = [];
    this.discardPile = [];
  }

  after = {
    StartVillagesAssigned({ villages }) {
      const { options, luck, seats } = this.table;
      const colours = options.colours === "random"
        ? luck.shuffle("colours", COLOURS).slice(0, seats) : options.colours;
      this.table.same("villages", colours, villages.map(({ colour }) => colour));
    },

    GoodsPlaced({ villages }) {
      // All six kinds lie one behind the other, and so eight times.
      const rows = copies(GOODS, PIECES_PER_GOOD).flat();
      const pieces = this.table.luck.shuffle("goods", rows);
      const expected = Object.entries(VILLAGES).map(([village, count]) => (
        { village, goods: pieces.splice(0, count).sort() }
      ));
      this.table.same("villages", expected, villages);
    },

    DiscardPileFormed({ order }) {
      const { luck, seats } = this.table;
      this.requests = luck.shuffle("requests", REQUESTS);
      const aside = [...this.requests.splice(0, ASIDE[seats]), ...copies("feed", ASIDE[seats])];
      this.table.same("order", luck.shuffle("first discard pile", aside), order);
      this.discardPile = [...order];
    },

    RoundPileShuffled({ order }) {
      const { luck, seats } = this.table;
      const counts = { ...OTHERS, feed: OTHERS.feed - ASIDE[seats] };
      const others = Object.entries(counts).flatMap(([card, count]) => copies(card, count));
      this.table.same("order", luck.shuffle("round pile", [...others, ...this.requests]), order);
      this.roundPile = [...order];
    },

    StartingDealerChosen({ seat }) {
      const { options, luck, seats } = this.table;
      const chosen = options.starting_dealer;
      const dealer = chosen === "random" ? luck.draw("starting dealer", seats) : chosen;
      this.table.same("seat", dealer, seat);
    },

    DiscardPileReshuffled({ order }) {
      this.table.same("order", this.table.luck.shuffle("discard pile", this.discardPile), order);
      this.roundPile = [...order];
      this.discardPile = [];
    },

    DealerCardRevealed({ card }) {
      this.table.deal("card", this.roundPile.shift() ?? null, card);
    },

    DealerPileDiscarded({ cards }) {
      this.discardPile.push(...cards);
    },

    PlayedCardsStored({ to_discard: cards }) {
      this.discardPile.push(...cards);
    },

    HandCardDiscarded({ card }) {
      this.discardPile.push(card);
    },
  };
}
