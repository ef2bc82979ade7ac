/**
 * How the draws of Dale of Merchants show in its events (docs/rules/dale_of_merchants.md).
 */
import { copies, inOrderOf, itemAt, without } from "../piles.mjs";

/** The cards of each set by value: the first is dealt to the seats, the last two are worth 5. */
const SETS = {
  macaws: ["swift_broker", "cookies", "shattered_relic", "spyglass", "flashy_show",
    "favourite_toy"],
  pandas: ["loyal_partner", "prepaid_good", "essential_purchase", "market_discovery",
    "special_offer", "stock_clearance"],
  raccoons: ["wily_fellow", "nuisance", "rotten_food", "dirty_exchange", "sabotage",
    "treasure_hunter"],
  squirrels: ["stashing_vendor", "empty_chest", "nostalgic_item", "acorn", "accordion",
    "winter_is_coming"],
  ocelots: ["bold_haggler", "new_season", "whirligig", "charm", "gamble", "blindfold"],
  chameleons: ["flexible_shopkeeper", "reflection", "good_old_times", "gift_voucher",
    "trendsetting", "seeing_doubles"],
};
/** How many the market deals in of a set's cards behind the first. */
const COPIES = [3, 3, 3, 1, 1];
const JUNK = "junk";
const ORDER = [...Object.values(SETS).flat(), JUNK];
const START_DECK = 10;
const DIE = [0, 1, 1, 2, 2, 3];

/** Decks (top first), discard piles (bottom first) and hands of a match, and the market's piles. */
export class DaleOfMerchants {
  constructor(table) {
    this.table = table;
    this.sets = [];
    this.market = { deck: [], discardPile: [] };
    this.players = Array.from({ length: table.seats }, () => ({
      deck: [], discardPile: [], hand: [],
    }));
    this.changes = 0;
  }

  after = {
    GameStarted({ sets, first_seat: first }) {
      const { options, luck, seats } = this.table;
      const seat = options.first_seat === "random"
        ? luck.draw("first seat", seats) : options.first_seat;
      this.table.same("first_seat", seat, first);
      const chosen = options.sets === "random"
        ? luck.pick("sets", Object.keys(SETS), seats + 1) : options.sets;
      this.table.same("sets", inOrderOf(Object.keys(SETS), chosen), sets);
      this.sets = sets;
    },

    PlayerDeckShuffled({ seat, reason, order }) {
      const player = this.player(seat);
      const [name, items] = {
        setup: ["deck", this.startDeck()],
        reshuffle: ["reshuffle", player.discardPile],
        // Deck and discard pile have changed places just before.
        wily_fellow: ["wily fellow", player.deck],
      }[reason];
      this.table.same("order", this.table.luck.shuffle(name, items), order);
      player.deck = [...order];
      player.discardPile = reason === "reshuffle" ? [] : player.discardPile;
    },

    MarketDeckShuffled({ reason, order }) {
      const [name, items] = {
        setup: ["market deck", this.marketCards()],
        reshuffle: ["market reshuffle", this.market.discardPile],
      }[reason];
      this.table.same("order", this.table.luck.shuffle(name, items), order);
      this.market = { deck: [...order], discardPile: [] };
    },

    MarketFilled({ placements }) {
      this.draw("market", "placements", placements.map(({ card }) => card));
    },

    CardsDrawn({ seat, deck, cards }) {
      this.draw(deck === "own" ? seat : deck, "cards", cards);
      this.add(seat, cards);
    },

    CardsLookedAt({ deck, cards }) {
      this.draw(deck, "cards", cards);
    },

    MarketCardRevealed({ card }) {
      this.draw("market", "card", [card]);
    },

    TurnStarted() {
      this.changes = 0;
    },

    TurnEnded({ seat }) {
      const player = this.player(seat);
      player.hand = sorted(player.hand.map(({ card }) => held(card)));
    },

    CardPurchased({ seat, card, target, paid }) {
      this.remove(seat, paid.map((each) => each.card));
      if (target === "discard") {
        this.market.discardPile.pop();
      }
      this.add(seat, [card]);
    },

    CardsDiscarded({ owner, cards, source, cause }) {
      const { hand, discardPile } = this.player(owner);
      if (cause === "nuisance") {
        this.table.same("cards", [this.table.luck.roll("random card", hand)], cards.map(whole));
      }
      if (source === "hand") {
        this.remove(owner, cards);
      }
      discardPile.push(...cards.map(({ card }) => card));
    },

    CardsThrownAway({ seat, cards }) {
      cards.forEach((thrown) => {
        this.take(seat, thrown);
        if (thrown.to === "market_discard") {
          this.market.discardPile.push(thrown.card.card);
        }
      });
    },

    StackBuilt({ seat, cards }) {
      const player = this.player(seat);
      this.remove(seat, cards.filter(({ source }) => source === "hand").map(({ card }) => card));
      const found = cards.filter(({ source }) => source === "discard");
      const gone = new Set(found.map(({ position }) => position));
      player.discardPile = player.discardPile.filter((_, at) => !gone.has(at));
    },

    TechniquePlayed({ seat, card }) {
      this.remove(seat, [card]);
    },

    TechniqueResolved({ seat, card, destination }) {
      if (destination === "discard") {
        this.player(seat).discardPile.push(card);
      }
    },

    CardBound({ seat, card, as_type: type, changes, used }) {
      const old = whole(card);
      const all = [...old.changes, ...changes].sort((one, other) => one.number - other.number);
      const abilities = [...new Set([...old.used, ...used])];
      this.change(seat, old, { card: old.card, as_type: type, changes: all, used: abilities });
    },

    AbilityUsed({ seat, card, ability }) {
      const old = whole(card);
      this.change(seat, old, { ...old, used: [...old.used, ability] });
    },

    CardValueChanged({ seat, card, op, amount }) {
      this.changes += 1;
      const old = whole(card);
      const changes = [...old.changes, { op, amount, number: this.changes }];
      this.change(seat, old, { ...old, changes });
    },

    GlobalValueChanged() {
      this.changes += 1;
    },

    DieRolled({ face }) {
      this.table.same("face", this.table.luck.roll("die", DIE), face);
    },

    CardKept({ seat, card }) {
      this.add(seat, [card]);
    },

    CardReturnedToDeck({ seat, card }) {
      this.player(seat).deck.unshift(card);
    },

    CardPlacedOnDeck({ seat, owner, card }) {
      this.remove(seat, [card]);
      this.player(owner).deck.unshift(card.card);
    },

    CardTakenFromHand({ seat, target, card }) {
      const drawn = this.table.luck.roll("random card", this.player(target).hand);
      this.table.same("card", drawn.card, card);
      this.remove(target, [held(card)]);
      this.add(seat, [card]);
    },

    CardGivenBack({ seat, target, card }) {
      this.remove(seat, [card]);
      this.add(target, [card.card]);
    },

    CardTakenFromDiscard({ seat, owner, card }) {
      this.player(owner).discardPile.pop();
      this.add(seat, [card]);
    },

    MarketCardTaken({ seat, card }) {
      this.add(seat, [card]);
    },

    CardSwappedWithMarket({ seat, card_out: card }) {
      this.add(seat, [card]);
    },

    CardSwappedWithStall({ seat, card_out: card }) {
      this.add(seat, [card]);
    },

    DeckAndDiscardSwapped({ seat, new_discard: cards }) {
      const player = this.player(seat);
      player.deck = player.discardPile;
      player.discardPile = [...cards];
    },

    HandsMixed({ seat, target, new_hand_seat: own, new_hand_target: other }) {
      const hands = [this.player(seat).hand, this.player(target).hand];
      const mixed = this.table.luck.shuffle("hands", hands.flat().map(({ card }) => card));
      const dealt = mixed.splice(0, hands[0].length);
      this.table.same("new_hand_seat", inOrderOf(ORDER, dealt), own);
      this.table.same("new_hand_target", inOrderOf(ORDER, mixed), other);
      this.player(seat).hand = sorted(own.map(held));
      this.player(target).hand = sorted(other.map(held));
    },

    HandCardsExchanged({ seat, target, count, given, received }) {
      const { luck } = this.table;
      const cards = this.player(target).hand.map(({ card }) => card);
      const gone = sorted(luck.pick("gamble", this.player(seat).hand, count));
      this.table.same("given", gone, given.map(whole));
      this.table.same("received", inOrderOf(ORDER, luck.pick("gamble", cards, count)), received);
      this.remove(seat, given);
      this.remove(target, received.map(held));
      this.add(seat, received);
      this.add(target, given.map(({ card }) => card));
    },

    JunkTaken({ seat, count }) {
      this.add(seat, copies(JUNK, count));
    },
  };

  startDeck() {
    const cards = this.sets.map((set) => SETS[set][0]);
    return [...cards, ...copies(JUNK, START_DECK - cards.length)];
  }

  /** The cards of the market deck, in the order of the tables. */
  marketCards() {
    const there = Object.keys(SETS).filter((set) => this.sets.includes(set));
    return there.flatMap((set) => COPIES.flatMap((count, at) => copies(SETS[set][at + 1], count)));
  }

  player(seat) {
    return itemAt(this.players, seat);
  }

  /** Compare cards from the top of a deck, a seat's or the market's, and take them off. */
  draw(deck, field, found) {
    const owner = deck === "market" ? this.market : this.player(deck);
    this.table.deal(field, owner.deck.splice(0, found.length), found);
  }

  add(seat, cards) {
    const player = this.player(seat);
    player.hand = sorted([...player.hand, ...cards.map(held)]);
  }

  remove(seat, cards) {
    const player = this.player(seat);
    player.hand = without(player.hand, cards.map(whole));
  }

  change(seat, old, changed) {
    this.remove(seat, [old]);
    this.player(seat).hand = sorted([...this.player(seat).hand, changed]);
  }

  /** Take a card that is thrown away from where it was. */
  take(seat, { card, source, at }) {
    if (source === "hand") {
      this.remove(seat, [card]);
    } else if (source === "market_deck") {
      this.draw("market", "cards", [card.card]);
    } else if (source === "discard") {
      const { discardPile } = this.player(seat);
      itemAt(discardPile, at ?? 0);
      discardPile.splice(at ?? 0, 1);
    }
  }
}

/** Return a card as it comes into a hand. */
function held(card) {
  return { card, as_type: null, changes: [], used: [] };
}

/** Return a card of a hand with all its fields. */
function whole(card) {
  return { ...held(card.card), ...card };
}

/** Return a hand in its one order: by the tables, then by what the turn has made of a card. */
function sorted(hand) {
  return [...hand].sort(inHand);
}

function inHand(one, other) {
  return ORDER.indexOf(one.card) - ORDER.indexOf(other.card)
    || ORDER.indexOf(one.as_type) - ORDER.indexOf(other.as_type)
    || inList(one.changes.map(changeKey), other.changes.map(changeKey), inList)
    || inList(one.used, other.used, inText);
}

const changeKey = ({ number, op, amount }) => [number, op, amount];

function inList(one, other, compare = inText) {
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
    const found = compare(one[at], other[at]);
    if (found) {
      return found;
    }
  }
  return one.length - other.length;
}

function inText(one, other) {
  return one === other ? 0 : one < other ? -1 : 1;
}
