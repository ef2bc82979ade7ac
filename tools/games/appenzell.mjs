/**
 * How the draws of Burg Appenzell show in its events (docs/rules/appenzell.md).
 */
import { copies, without } from "../piles.mjs";

const SIDES = ["a", "b"];
const CHEESES = ["emmental", "blue", "slices", "gouda", "brie", "camembert", "goat"];
const TILES = [
  ...CHEESES.flatMap((cheese) => copies(cheese, 3)), ...copies("plain", 10), ...copies("trap", 3),
];
/** The squares with a tile, row by row from the south, as they are laid. */
const LAYING_ORDER = [1, 2, 3, 4, 5, 6, 7].flatMap((row) => (
  (row % 2 ? ["b", "d", "f"] : ["a", "b", "c", "d", "e", "f", "g"]).map((column) => column + row)
));

/** The floor of a match: all of its luck is drawn before the first mouse is placed. */
export class Appenzell {
  constructor(table) {
    this.table = table;
  }

  after = {
    GameSetUp({ board_side: side, start_seat: seat }) {
      const { options, luck, seats } = this.table;
      const drawn = options.board_side === "random"
        ? luck.roll("board side", SIDES) : options.board_side;
      this.table.same("board_side", drawn, side);
      const first = options.start_seat === "random"
        ? luck.draw("start seat", seats) : options.start_seat;
      this.table.same("start_seat", first, seat);
    },

    FloorLaid({ spare, floor }) {
      const { options, luck } = this.table;
      const isPlain = options.spare_tile === "plain";
      const tiles = luck.shuffle("floor tiles", isPlain ? without(TILES, ["plain"]) : TILES);
      this.table.same("spare", isPlain ? "plain" : tiles.at(-1), spare);
      const laid = LAYING_ORDER.map((square, at) => ({ square, tile: tiles[at] }));
      this.table.same("floor", laid.sort(bySquare), floor);
    },
  };
}

const bySquare = (one, other) => (one.square < other.square ? -1 : 1);
