import { describe, expect, it } from 'vitest'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_WIRE_MAKERS, outcomeHandlers, outcomeWireClients } from './outcomeWirePlay.ts'
import type { OutcomeWireMaker } from './outcomeWireMaker.ts'
import { digestAgain, digestInside, playedOutside, preparedOf, scenarioOf } from './served.ts'
import { WAYS } from './wirePlay.ts'

const REQUESTS = 40

/** Clients that share no code with the product, beside those of test/trade/outcome. */
describe('makers over the outcome service’s wire leave the rows of the same strategies inside', () => {
  it('with drawn ways', async () => {
    const makers = OUTCOME_WIRE_MAKERS(WAYS.drawn)
    const prepared = await preparedOf(scenarioOf(makers, true, REQUESTS, 'outcome'))
    const played: OutcomeWireMaker[] = []
    const { digest, rows } = await playedOutside(prepared, outcomeWireClients(prepared, makers, played), { handlers: outcomeHandlers(prepared) })
    const count = (isSo: (row: (typeof rows)[number]) => boolean): number => rows.filter(isSo).length
    expect(count(({ op }) => op === OutcomeOp.submitQuote)).toBeGreaterThan(100)
    expect(count(({ op }) => op === OutcomeOp.confirmQuote)).toBeGreaterThan(10)
    expect(count(({ op }) => op === OutcomeOp.declineQuote)).toBeGreaterThan(0)
    expect(count(({ kind, why }) => kind === 'wake' && why === 'wake')).toBeGreaterThan(0)
    expect(count(({ why }) => why === 'onBidTaken')).toBeGreaterThan(1)
    // A late decision comes after its window, and is told so.
    expect(played[0]!.answers.some((status) => status === 409 || status === 410)).toBe(true)
    expect(digest).toBe(await digestInside(makers, REQUESTS, 'outcome'))
    expect(digestAgain(prepared, rows)).toBe(digest)
  })

  it('and a socket that is lost is no event', async () => {
    const makers = OUTCOME_WIRE_MAKERS(WAYS.equal)
    const prepared = await preparedOf(scenarioOf(makers, true, 8, 'outcome'))
    let resumed = 0
    const { digest } = await playedOutside(prepared, async (doors) => {
      const clients = await outcomeWireClients(prepared, makers, [], { cutsAfter: 7 })(doors)
      for (const client of clients) void client.over.then(() => { resumed += client.resumed })
      return clients
    }, { handlers: outcomeHandlers(prepared) })
    expect(digest).toBe(await digestInside(makers, 8, 'outcome'))
    expect(resumed).toBeGreaterThan(3)
  })
})
