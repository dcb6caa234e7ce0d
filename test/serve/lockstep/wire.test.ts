import { describe, expect, it } from 'vitest'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { digestAgain, digestInside, playedOutside, preparedOf, scenarioOf } from './served.ts'
import { WAYS, wireClients, wireHandlers, WIRE_MAKERS, type WireMaker } from './wirePlay.ts'

const REQUESTS = 40

describe('makers over the parlay service’s wire leave the rows of the same strategies inside', () => {
  it.each([['drawn', true], ['no', false], ['equal', false]] as const)('with %s ways', async (ways, doesLapse) => {
    const makers = WIRE_MAKERS(WAYS[ways])
    const prepared = await preparedOf(scenarioOf(makers, true, REQUESTS))
    const played: WireMaker[] = []
    const { digest, rows } = await playedOutside(prepared, wireClients(prepared, makers, played), { handlers: wireHandlers(prepared) })
    const count = (isSo: (row: (typeof rows)[number]) => boolean): number => rows.filter(isSo).length
    expect(count(({ op }) => op === ParlayOp.submitQuote)).toBeGreaterThan(40)
    expect(count(({ op }) => op === ParlayOp.confirmSelection)).toBeGreaterThan(0)
    expect(count(({ op }) => op === ParlayOp.declineSelection)).toBeGreaterThan(0)
    expect(count(({ kind, why }) => kind === 'wake' && why === 'wake')).toBeGreaterThan(0)
    // A late decision comes after its window.
    expect(played[0]!.answers.some((status) => status === 409 || status === 410)).toBe(doesLapse)
    expect(digest).toBe(await digestInside(makers, REQUESTS))
    expect(digestAgain(prepared, rows)).toBe(digest)
  })

  it('behind a proxy that holds up and reorders connections', async () => {
    const makers = WIRE_MAKERS(WAYS.equal).slice(0, 2)
    const prepared = await preparedOf(scenarioOf(makers, true, 8))
    const { digest } = await playedOutside(prepared, wireClients(prepared, makers), { handlers: wireHandlers(prepared), spread: { mostMs: 3, seed: 7 } })
    expect(digest).toBe(await digestInside(makers, 8))
  })
})
