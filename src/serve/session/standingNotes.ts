import type { PositionView } from '../../agent/views.ts'

/** A note that opens a position, or tells a result: it stands until its position ends. */
interface Opening {
  readonly n: number
  readonly key: string
  readonly text: string
}

interface Ending {
  readonly n: number
  readonly key: string
  readonly seat: string
  readonly profitMicros: number
}

/** What still stands of a desk's notes that are gone: without it a client that begins late would not know what the seat has at risk. */
export class StandingNotes {
  /** By number, of notes that are not gone yet. */
  private readonly coming: (Opening | Ending)[] = []
  /** By number, of notes that are gone. */
  private readonly gone = new Map<string, Opening>()
  private readonly profits = new Map<string, number>()

  /** What the positions of a seat have brought whose ends are gone, µUSDC. */
  profitMicros(seat: string): number {
    return this.profits.get(seat) ?? 0
  }

  /** A market's result has been told. */
  resulted(n: number, text: string, market: number): void {
    this.coming.push({ n, key: `result ${market}`, text })
  }

  opened(n: number, text: string, seat: string, position: PositionView): void {
    this.coming.push({ n, key: keyOf(seat, position), text })
  }

  ended(n: number, seat: string, position: PositionView): void {
    this.coming.push({ n, key: keyOf(seat, position), seat, profitMicros: position.profitMicros })
  }

  /** Notes before number `first` are gone. */
  goneTo(first: number): void {
    const kept = this.coming.findIndex(({ n }) => n >= first)
    for (const one of this.coming.splice(0, kept < 0 ? this.coming.length : kept)) {
      if ('text' in one) this.gone.set(one.key, one)
      else {
        this.gone.delete(one.key)
        this.profits.set(one.seat, this.profitMicros(one.seat) + one.profitMicros)
      }
    }
  }

  /** Those that are gone and stand, from a number on, in their order. */
  from(number: number): readonly { readonly n: number; readonly text: string }[] {
    return [...this.gone.values()].filter(({ n }) => n >= number)
  }
}

/** A maker may back a position and hold another part of it. */
const keyOf = (seat: string, { position, isHolder }: PositionView): string => `${seat} ${position} ${isHolder}`
