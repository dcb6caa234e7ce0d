/** A time that passes when it is told to, and what is due in it. */
export class FakeTime {
  declare nowUs: number
  private readonly due: { readonly atUs: number; readonly call: () => void }[] = []

  constructor(startUs: number) {
    this.nowUs = startUs
  }

  in(delayUs: number, call: () => void): void {
    const atUs = this.nowUs + delayUs
    this.due.splice(this.due.findLastIndex((other) => other.atUs <= atUs) + 1, 0, { atUs, call })
  }

  /** Lets time pass, with all that falls due in it, in order; of one instant what was asked for first comes first. */
  pass(us: number): void {
    const untilUs = this.nowUs + us
    while (this.due.length > 0 && this.due[0]!.atUs <= untilUs) {
      const { atUs, call } = this.due.shift()!
      this.nowUs = atUs
      call()
    }
    this.nowUs = untilUs
  }
}
