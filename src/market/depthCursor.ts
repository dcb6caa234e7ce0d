import { sequenceSearch } from '../unit/sequenceSearch.ts'
import type { DepthPiece, DepthRows, DepthSource } from './depth.ts'

/** A piece that has been begun, and its next row. */
interface OpenPiece {
  readonly piece: DepthPiece
  /** Its place among all pieces. */
  readonly place: number
  readonly rows: DepthRows
  at: number
}

const nextUs = ({ rows, at }: OpenPiece): number => rows.atUs[at]!
const isBefore = (a: OpenPiece, b: OpenPiece): boolean =>
  nextUs(a) < nextUs(b) || (nextUs(a) === nextUs(b) && (a.piece.rank < b.piece.rank || (a.piece.rank === b.piece.rank && a.place < b.place)))

/** A place in the depth of a history, which moves forward. Pieces are loaded when it comes to them, and let go when it has passed them. */
export class DepthCursor {
  private declare readonly source: Pick<DepthSource, 'pieces'>
  /** The first piece that has not been begun. */
  private next = 0
  private open: OpenPiece[] = []

  constructor(source: Pick<DepthSource, 'pieces'>) {
    this.source = source
  }

  /** Gives the rows up to an instant in order: rows `from`…`to`−1 of those of a piece, as many at once as follow each other there. */
  take(toUs: number, give: (rows: DepthRows, from: number, to: number) => void): void {
    const { pieces } = this.source
    for (;;) {
      this.enter(toUs)
      const first = this.earliest()
      if (first === undefined || nextUs(first) > toUs) return
      // Where several pieces are open their rows alternate, and the next piece to be begun comes after what is given.
      const aloneUntilUs = this.open.length > 1 ? -Infinity : this.next < pieces.length ? pieces[this.next]!.firstUs : Infinity
      const from = first.at
      const { count, atUs } = first.rows
      do first.at++
      while (first.at < count && atUs[first.at]! <= toUs && atUs[first.at]! < aloneUntilUs)
      give(first.rows, from, first.at)
      if (first.at === count) this.open.splice(this.open.indexOf(first), 1)
    }
  }

  /** Stands where all rows up to an instant have been passed. */
  seek(us: number): void {
    const { pieces } = this.source
    this.open = []
    for (this.next = 0; this.next < pieces.length && pieces[this.next]!.firstUs <= us; this.next++) {
      if (pieces[this.next]!.lastUs > us) this.begin(this.next, us)
    }
  }

  /** Begins the pieces that may have the next row. */
  private enter(toUs: number): void {
    const { pieces } = this.source
    for (; this.next < pieces.length; this.next++) {
      const { firstUs } = pieces[this.next]!
      if (firstUs > toUs || (this.open.length > 0 && firstUs > nextUs(this.earliest()!))) return
      this.begin(this.next, -Infinity)
    }
  }

  /** Begins a piece after the rows up to an instant. */
  private begin(place: number, us: number): void {
    const piece = this.source.pieces[place]!
    const rows = piece.rows()
    const at = sequenceSearch(rows.count, (row) => rows.atUs[row]! > us)
    if (at < rows.count) this.open.push({ piece, place, rows, at })
  }

  private earliest(): OpenPiece | undefined {
    let [first] = this.open
    for (let i = 1; i < this.open.length; i++) if (isBefore(this.open[i]!, first!)) first = this.open[i]
    return first
  }
}
