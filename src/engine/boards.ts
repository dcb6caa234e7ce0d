import { PriceBoard } from '../market/priceBoard.ts'
import { PublishedResults } from '../market/publishedResults.ts'
import { PriceMoves } from '../market/priceMoves.ts'
import type { Ticks } from '../market/ticks.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'

/** One price board for each feed lag in use: participants with equal lags see the same prices. Results reach them with the same lag. */
export class Boards implements Snapshot {
  declare readonly results: PublishedResults
  private declare readonly ticks: Ticks
  private declare readonly marketCount: number
  private readonly lags: number[] = []
  private readonly boards: PriceBoard[] = []
  private movesOfTicks: PriceMoves | null = null

  constructor(ticks: Ticks, marketCount: number) {
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

  /** When prices move next. It costs a look at all ticks, so it is made when somebody asks. */
  get moves(): PriceMoves {
    return (this.movesOfTicks ??= new PriceMoves(this.ticks, this.marketCount))
  }

  snapshot(): Image {
    return { boards: this.boards.map((board) => board.snapshot()), results: this.results.snapshot() }
  }

  restore(image: Image): void {
    const from = image as { boards: readonly Image[]; results: Image }
    for (let i = 0; i < this.boards.length; i++) this.boards[i]!.restore(from.boards[i]!)
    this.results.restore(from.results)
  }
}
