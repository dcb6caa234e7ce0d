import { describe, expect, it } from 'vitest'
import { KIND_NAMES, TRADED_SERVICES, TradedRounds } from './roundsPlay.ts'

/** A short form of `npm run soak -- --lockstep`: one round of each kind, with zero and tied latencies in turn. */
const ROUNDS = KIND_NAMES.flatMap((kind, i) => TRADED_SERVICES.map((service, j) => ({ kind, service, ways: (i + j) % 2 === 0 ? 'no' : 'equal' } as const)))
/** What a seller sends has ways of its own. */
const DRAWN = TRADED_SERVICES.map((service) => ({ kind: 'cashout-bidder', service, ways: 'drawn' } as const))
const BETS = 6

describe('a maker that parlor trade plays beside another leaves the rows of both inside, whatever a proxy does to connections', () => {
  it.each([...ROUNDS, ...DRAWN])('$kind on the $service service, with $ways ways', async ({ kind, service, ways }) => {
    const rounds = new TradedRounds(kind, service, ways, BETS)
    const round = await rounds.outside({ mostMs: 3, seed: 11 })
    expect(round.digest).toBe(await rounds.inside())
    expect(round.isReplayed).toBe(true)
    expect(round.declines).toBeGreaterThan(0)
    expect(round.lapses).toBeGreaterThan(0)
    expect(round.timers).toBeGreaterThan(0)
    if (kind === 'cashout-bidder') expect(round.resales).toBeGreaterThan(0)
  })
})
