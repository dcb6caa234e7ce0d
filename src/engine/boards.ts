import { type CalledBook, ShownDepth } from '../agent/shownDepth.ts'
import type { DepthSource } from '../market/depth.ts'
import { DepthBoard } from '../market/depthBoard.ts'
import { PriceBoard } from '../market/priceBoard.ts'
import { PublishedResults } from '../market/publishedResults.ts'
import { PriceMoves } from '../market/priceMoves.ts'
import type { TickSource } from '../market/tickSource.ts'
import { assert } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'

/** The depth of a session, and how many levels of it are shown. */
export interface ShownLevels {
  readonly levels: number
  readonly source: DepthSource
}

/** One price board for each feed lag in use: participants with equal lags see the same prices. Results reach them with the same lag. */
export class Boards implements Snapshot {
  declare readonly results: PublishedResults
  private declare readonly ticks: TickSource
  private declare readonly marketCount: number
  private readonly lags: number[] = []
  private readonly boards: PriceBoard[] = []
  private declare readonly shownDepth: ShownLevels | undefined
  /** Of each price board that of the levels below, where somebody has one. */
  private readonly depths: (DepthBoard | undefined)[] = []
  private movesOfTicks: PriceMoves | null = null

  /** @param depth the levels that participants are shown; nobody sees any without it. */
  constructor(ticks: TickSource, marketCount: number, depth?: ShownLevels) {
    this.shownDepth = depth
    this.ticks = ticks
    this.marketCount = marketCount
    this.results = new PublishedResults(marketCount)
  }

  /** The board that shows each tick `lagUs` after its time; a negative lag looks ahead and is an oracle's. */
  withLag(lagUs: number): PriceBoard {
    const known = this.lags.indexOf(lagUs)
    if (known >= 0) return this.boards[known]!
    const board = new PriceBoard(this.ticks, this.marketCount, lagUs)
    this.lags.push(lagUs)
    this.boards.push(board)
    return board
  }

  /** The levels of books for a participant who sees prices with this lag; null where the session shows none. */
  depthFor(book: CalledBook, lagUs: number): ShownDepth | null {
    const { shownDepth, marketCount } = this
    if (shownDepth === undefined) return null
    const prices = this.withLag(lagUs)
    const board = this.depths[this.lags.indexOf(lagUs)] ??= new DepthBoard(shownDepth.source, marketCount, shownDepth.levels, lagUs)
    return new ShownDepth(board, prices, book)
  }

  /** When prices move next. It costs a look at the chunks that lie ahead, so it is made when somebody asks. */
  get moves(): PriceMoves {
    return (this.movesOfTicks ??= new PriceMoves(this.ticks, this.marketCount))
  }

  snapshot(): Image {
    return {
      boards: this.boards.map((board) => board.snapshot()), results: this.results.snapshot(),
      ...(this.shownDepth === undefined ? {} : { depths: this.boards.map((_, i) => this.depths[i]?.snapshot() ?? null) }),
    }
  }

  restore(image: Image): void {
    const from = image as { boards: readonly Image[]; results: Image; depths?: readonly (Image | null)[] }
    assert((from.depths === undefined) === (this.shownDepth === undefined), 'image of another session')
    for (let i = 0; i < this.boards.length; i++) this.boards[i]!.restore(from.boards[i]!)
    // A board that nobody had shows the same from the begin on.
    this.depths.forEach((depth, i) => { if (from.depths?.[i]) depth?.restore(from.depths[i]) })
    this.results.restore(from.results)
  }
}
