import { describe, expect, it } from 'vitest'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { digestAgain, digestInside, playedOutside, preparedOf, scenarioOf } from '../serve/lockstep/served.ts'
import { WAYS, wireHandlers } from '../serve/lockstep/wirePlay.ts'
import { tradedMakers, traders } from './tradePlay.ts'

const REQUESTS = 40

describe('makers that parlor trade plays leave the rows of the same makers inside', () => {
  it.each(['drawn', 'no', 'equal'] as const)('with %s ways', async (ways) => {
    const makers = await tradedMakers(WAYS[ways])
    const prepared = await preparedOf(scenarioOf(makers, true, REQUESTS))
    const { digest, rows } = await playedOutside(prepared, traders(prepared, makers), { handlers: wireHandlers(prepared) })
    const count = (op: number): number => rows.filter((row) => row.op === op).length
    expect(count(ParlayOp.submitQuote)).toBeGreaterThan(40)
    expect(count(ParlayOp.confirmSelection)).toBeGreaterThan(0)
    expect(count(ParlayOp.declineSelection)).toBeGreaterThan(0)
    expect(count(ParlayOp.submitBid)).toBeGreaterThan(0)
    // Nobody wants what the bidder sells again.
    expect(count(ParlayOp.openCashout)).toBeGreaterThan(0)
    expect(rows.filter(({ why }) => why === 'onAuctionEnded')).toHaveLength(count(ParlayOp.openCashout))
    expect(rows.some(({ kind, why }) => kind === 'wake' && why === 'wake')).toBe(true)
    expect(digest).toBe(await digestInside(makers, REQUESTS))
    expect(digestAgain(prepared, rows)).toBe(digest)
  })

  it('behind a proxy that holds up and reorders connections', async () => {
    const makers = await tradedMakers(WAYS.equal)
    const prepared = await preparedOf(scenarioOf(makers, true, 8))
    const { digest } = await playedOutside(prepared, traders(prepared, makers), { handlers: wireHandlers(prepared), spread: { mostMs: 3, seed: 7 } })
    expect(digest).toBe(await digestInside(makers, 8))
  })
})
