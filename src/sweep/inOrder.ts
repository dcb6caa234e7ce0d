/** How far work may run ahead of the taker of its outcomes. It is asked anew for each item, and may change. */
export interface Pace {
  /** Items in work at a time. */
  readonly atOnce: number
  /** Items begun, finished or not, beyond the last outcome that was taken. This bounds memory. */
  readonly ahead: number
}

/** Works on items side by side and gives the outcomes in the order of the items. An error of an item is thrown when its turn comes. */
export async function * inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>, pace: Pace): AsyncGenerator<R> {
  const outcomes = new Map<number, Promise<R>>()
  let begun = 0
  let running = 0
  let taken = 0
  let isOver = false
  const begin = (): void => {
    while (begun < items.length && running < pace.atOnce && begun < taken + pace.ahead) {
      const at = begun++
      running++
      const outcome = work(items[at]!).finally(() => {
        running--
        if (!isOver) begin()
      })
      outcome.catch(() => {})
      outcomes.set(at, outcome)
    }
  }
  try {
    for (; taken < items.length; taken++) {
      begin()
      const outcome = await outcomes.get(taken)!
      outcomes.delete(taken)
      yield outcome
    }
  } finally {
    isOver = true
  }
}
