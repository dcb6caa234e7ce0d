import { describe, expect, it } from 'vitest'
import type { MakerSummary } from '../../../src/trade/maker/makerTrader.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { outcomeHandlers } from '../../serve/lockstep/outcomeWirePlay.ts'
import { digestAgain, digestInside, playedOutside, preparedOf, scenarioOf } from '../../serve/lockstep/served.ts'
import { WAYS } from '../../serve/lockstep/wirePlay.ts'
import { outcomeTraders, tradedMakers } from '../tradePlay.ts'

const REQUESTS = 40

describe('makers that parlor trade plays on the outcome service leave the rows of the same makers inside', () => {
  it.each([['drawn', 'outcome', true], ['no', 'outcome', false], ['equal', 'outcome-eip712', false]] as const)('with %s ways: %s', async (ways, service, doesLapse) => {
    const makers = await tradedMakers(WAYS[ways])
    const prepared = await preparedOf(scenarioOf(makers, true, REQUESTS, service))
    const ended: MakerSummary[] = []
    const { digest, rows } = await playedOutside(prepared, outcomeTraders(prepared, makers, ended), { handlers: outcomeHandlers(prepared) })
    const count = (isSo: (row: (typeof rows)[number]) => boolean): number => rows.filter(isSo).length
    expect(count(({ op }) => op === OutcomeOp.submitQuote)).toBeGreaterThan(100)
    expect(count(({ op }) => op === OutcomeOp.confirmQuote)).toBeGreaterThan(10)
    expect(count(({ op }) => op === OutcomeOp.declineQuote)).toBeGreaterThan(0)
    expect(count(({ kind, why }) => kind === 'wake' && why === 'wake')).toBeGreaterThan(0)
    expect(count(({ why }) => why === 'onBidTaken')).toBeGreaterThan(1)
    expect(ended.reduce((sum, { opened }) => sum + opened, 0)).toBe(count(({ why }) => why === 'onOpened'))
    // A late decision comes after its window, and is told so.
    expect(ended.some(({ refusals }) => refusals.has('STATE_CONFLICT'))).toBe(doesLapse)
    expect(digest).toBe(await digestInside(makers, REQUESTS, service))
    expect(digestAgain(prepared, rows)).toBe(digest)
  })

  it('behind a proxy that holds up and reorders connections, and under other ids, wallets and Idempotency-Keys', async () => {
    const makers = await tradedMakers(WAYS.equal)
    const prepared = await preparedOf(scenarioOf(makers, true, 8, 'outcome'))
    const { digest } = await playedOutside(prepared, outcomeTraders(prepared, makers), { handlers: outcomeHandlers(prepared, 'another'), spread: { mostMs: 3, seed: 7 } })
    expect(digest).toBe(await digestInside(makers, 8, 'outcome'))
  })
})
