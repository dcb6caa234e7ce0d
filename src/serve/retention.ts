/** Numbers with the instants at which they are forgotten, in the order in which they were added; every one is kept for the same time. */
export class Retention {
  private readonly waiting: { readonly number: number; readonly atUs: number }[] = []
  private first = 0
  declare readonly keptUs: number

  constructor(keptUs: number) {
    this.keptUs = keptUs
  }

  add(number: number, nowUs: number): void {
    this.waiting.push({ number, atUs: nowUs + this.keptUs })
  }

  /** Numbers whose time is over: `now >= end`. Each is told once. */
  due(nowUs: number): number[] {
    const numbers: number[] = []
    for (; this.first < this.waiting.length && this.waiting[this.first]!.atUs <= nowUs; this.first++) numbers.push(this.waiting[this.first]!.number)
    if (this.first > 1024 && this.first * 2 > this.waiting.length) this.first -= this.waiting.splice(0, this.first).length
    return numbers
  }
}
