/** Things with the instants at which they are forgotten, in the order in which they were added; every one is kept for the same time. */
export class Retention<T = number> {
  private readonly waiting: { readonly thing: T; readonly atUs: number }[] = []
  private first = 0
  declare readonly keptUs: number

  constructor(keptUs: number) {
    this.keptUs = keptUs
  }

  add(thing: T, nowUs: number): void {
    this.waiting.push({ thing, atUs: nowUs + this.keptUs })
  }

  /** What is kept no longer: `now >= end`. Each is told once. */
  due(nowUs: number): T[] {
    const things: T[] = []
    for (; this.first < this.waiting.length && this.waiting[this.first]!.atUs <= nowUs; this.first++) things.push(this.waiting[this.first]!.thing)
    if (this.first > 1024 && this.first * 2 > this.waiting.length) this.first -= this.waiting.splice(0, this.first).length
    return things
  }
}
