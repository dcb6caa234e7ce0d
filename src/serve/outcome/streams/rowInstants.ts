/** When rows came, by their seq, as far back as a cursor may be. Both only rise. */
export class RowInstants {
  private seqs: number[] = []
  private atUs: number[] = []
  /** Place of the first that is kept. */
  private first = 0
  private declare readonly keptUs: number

  /** @param keptUs how far back a cursor may be, µs. */
  constructor(keptUs: number) {
    this.keptUs = keptUs
  }

  take(seq: number, atUs: number): void {
    if (this.atUs.at(-1) === atUs) return
    this.seqs.push(seq)
    this.atUs.push(atUs)
    this.forget(atUs)
  }

  /** When the row came, or the last one before it; −1 before all rows that are kept, µs. */
  at(seq: number): number {
    let low = this.first
    let high = this.seqs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.seqs[middle]! > seq) high = middle
      else low = middle + 1
    }
    return low === this.first ? -1 : this.atUs[low - 1]!
  }

  /** A cursor between two instants is that of the earlier one, so that the last one before the window is kept. */
  private forget(nowUs: number): void {
    while (this.atUs[this.first + 1]! + this.keptUs <= nowUs) this.first++
    if (this.first * 2 < this.atUs.length) return
    this.seqs = this.seqs.slice(this.first)
    this.atUs = this.atUs.slice(this.first)
    this.first = 0
  }
}
