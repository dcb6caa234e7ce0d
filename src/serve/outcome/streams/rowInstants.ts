/** When rows came, by their seq. Both only rise. */
export class RowInstants {
  private readonly seqs: number[] = []
  private readonly atUs: number[] = []

  take(seq: number, atUs: number): void {
    if (this.atUs.at(-1) === atUs) return
    this.seqs.push(seq)
    this.atUs.push(atUs)
  }

  /** When the row came, or the last one before it; −1 before all rows, µs. */
  at(seq: number): number {
    let low = 0
    let high = this.seqs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.seqs[middle]! > seq) high = middle
      else low = middle + 1
    }
    return this.atUs[low - 1] ?? -1
  }
}
