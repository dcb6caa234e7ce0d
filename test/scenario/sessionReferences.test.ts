import { expect, it } from 'vitest'
import { planOperator } from '../../src/engine/operatorInputs.ts'
import type { Reference } from '../../src/engine/reference.ts'
import { catalogueOf } from '../../src/feed/marketDraft.ts'
import { historyOf } from '../../src/feed/history/storeHistory.ts'
import { TickBuffer } from '../../src/feed/tickBuffer.ts'
import { rootKey } from '../../src/kernel/random.ts'
import { sourceOf, type TickSource } from '../../src/market/tickSource.ts'
import { sourceBefore } from '../../src/market/tickWindow.ts'
import { referencesOf } from '../../src/scenario/sessionReferences.ts'
import { madeStore } from '../feed/history/madeStore.ts'
import { DAY, DAY_US, draftOf } from '../feed/store/rows.ts'

const [FROM, TO] = [DAY + DAY_US, DAY + DAY_US + 4000]

/** Two events of two markets each. All trade on the first day, and `a` and `c` alone on the second one, which is the session's. */
const catalogue = catalogueOf([['a', 'E'], ['b', 'E'], ['c', 'F'], ['d', 'F']].map(([ticker, event]) => draftOf(ticker!, { event: event!, exclusionKeys: [`event:${event}`], outcome: null })))
const buffer = new TickBuffer()
for (const [atUs, market, priceE6] of [
  [DAY + 100, 0, 500_000], [DAY + 101, 1, 500_000], [DAY + 102, 2, 600_000], [DAY + 103, 3, 400_000],
  [FROM + 10, 0, 500_000], [FROM + 11, 2, 600_000], [FROM + 5000, 0, 500_000],
] as const) buffer.add(atUs, market, priceE6, priceE6, 1, 1, -1)
const ticks = buffer.sorted(Int32Array.of(0, 1, 2, 3))

function referenceOver(history: TickSource, share: number): Reference {
  const policy = { lagUs: 100_000, missing: 'draw', scalar: 'void', outcomes: 'drawn', correlation: { share, within: 'all' } } as const
  const plan = planOperator(catalogue.markets, sourceBefore(history, TO), FROM, TO, policy, rootKey('x'))
  expect([plan.coverage.listed, plan.ties.map(({ kind, markets }) => [kind, markets.length])]).toEqual([2, [['partition', 2], ['partition', 2]]])
  return referencesOf({ markets: catalogue.markets, plan, history, foldUs: FROM, toUs: TO, share })()
}

const valuesOf = (reference: Reference): number[] => [
  reference.parlayValue(FROM + 100, 2, [0, 2], [1, 1], 0), reference.parlayValue(FROM + 100, 2, [0, 2], [0, 1], 0), reference.touchValue('ask', FROM + 100, 2, [0, 2], [1, 1], 0),
]

it('V from a store whose days are folded is V from all prices, where a market of a drawn partition last traded before the session', () => {
  const folded = historyOf(madeStore(catalogue, [ticks], { partUs: DAY_US, rows: 100 })).ticks
  expect(valuesOf(referenceOver(folded, 0.4))).toEqual(valuesOf(referenceOver(sourceOf(ticks), 0.4)))
})

// `a` at 50 is the dearest of its event or as dear as `b`, and `c` at 60 the dearest of its: both lie at the low end of their uniforms. With
// a correlation of 1 there is one uniform, and both come true where it is below the smaller of the two.
it('V of the dearest of two partitions at a correlation of 1 is the smaller of both', () => {
  const folded = historyOf(madeStore(catalogue, [ticks], { partUs: DAY_US, rows: 100 })).ticks
  expect(referenceOver(folded, 1).parlayValue(FROM + 100, 2, [0, 2], [1, 1], 0)).toBeCloseTo(0.5, 9)
})
