import { expect, it } from 'vitest'
import type { BettorDesk } from '../../src/agent/bettorDesk.ts'
import type { MakerDesk } from '../../src/agent/makerDesk.ts'
import { fakeDesk } from './fakes.ts'

/** What a strategy of either kind may not do: `tsc` is what checks it, nobody calls these. */
const forbidden = {
  maker(desk: MakerDesk): void {
    // @ts-expect-error: money moves by what is delivered alone
    desk.freeMicros = 5
    // @ts-expect-error: time moves by the session alone
    desk.wake(0)
    // @ts-expect-error: the engine books
    desk.withdrew(0)
    // @ts-expect-error: the engine saves
    desk.restore(null)
  },
  bettor(desk: BettorDesk): void {
    // @ts-expect-error: the service announces its fee
    desk.takerFeeBps = 0
    // @ts-expect-error: time moves by the session alone
    desk.wake(0)
  },
}

it('a strategy can write nothing on a desk, and does not see what the engine does with it', () => {
  const desk: MakerDesk = fakeDesk().desk
  expect([desk.name, desk.freeMicros, Object.keys(forbidden)]).toEqual(['me', 1_000_000_000, ['maker', 'bettor']])
})
