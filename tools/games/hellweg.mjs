/**
 * How the draws of Hellweg Westfalicus show in its events (docs/rules/hellweg.md).
 */

const TRADING_CARDS = [
  "t01", "t02", "t03", "t04", "t05", "t06", "t07", "t08", "t09", "t10", "t11", "t12",
];
const SET_ASIDE = 2;

/** The stack of trading cards of a match, top first. */
export class Hellweg {
  constructor(table) {
    this.table = table;
    this.stack = [];
  }

  after = {
    StartingPlayerChosen({ seat }) {
      const { luck, seats } = this.table;
      this.table.same("seat", luck.draw("starting player", seats), seat);
    },

    TradingDeckShuffled({ order }) {
      this.table.same("order", this.table.luck.shuffle("trading deck", TRADING_CARDS), order);
      this.stack = [...order];
    },

    TradingCardsSetAside({ cards }) {
      this.table.deal("cards", this.stack.splice(0, SET_ASIDE), cards);
    },

    TradingCardRevealed({ card }) {
      this.table.deal("card", this.stack.shift() ?? null, card);
    },
  };
}
