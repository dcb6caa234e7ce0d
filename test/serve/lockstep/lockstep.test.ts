import { describe, expect, it } from 'vitest'
import type { MakerStrategy } from '../../../src/agent/maker.ts'
import cashoutBidder from '../../../src/agent/makers/cashOutBidder.ts'
import fixedMargin from '../../../src/agent/makers/fixedMargin.ts'
import lastLook from '../../../src/agent/makers/lastLook.ts'
import shade from '../../../src/agent/makers/shade.ts'
import { parameterValues } from '../../../src/agent/parameters.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { digestAgain, digestInside, playedOutside, type PlayedMaker, preparedOf, scenarioOf, strategyClients } from './served.ts'

const STRATEGIES: Readonly<Record<string, MakerStrategy>> = { 'fixed-margin': fixedMargin, shade, 'cashout-bidder': cashoutBidder, 'last-look': lastLook } as never

const clientsOf = (prepared: Awaited<ReturnType<typeof preparedOf>>, makers: readonly PlayedMaker[], terms: Parameters<typeof strategyClients>[2] = {}) =>
  strategyClients(prepared, Object.fromEntries(makers.map(({ name, use, parameters }) => {
    const strategy = STRATEGIES[use]!
    return [name, { strategy, values: parameterValues(strategy.parameters, parameters?.includes('atDeadline') === true ? { atDeadline: 1 } : {}) }]
  })), terms)

const DRAWN = '{ broadcast: { base: 5ms, jitter: 20ms }, quote: { base: 20ms, jitter: 100ms }, confirm: { base: 50ms, jitter: 1s } }'
const NONE = '{ feed: 0ms, broadcast: 0ms, quote: 0ms, confirm: 0ms }'
const TIED = '{ feed: 0ms, broadcast: 5ms, quote: 5ms, confirm: 5ms }'
const TWO: readonly PlayedMaker[] = [{ name: 'a', use: 'fixed-margin', latency: TIED }, { name: 'b', use: 'shade', latency: TIED }]
const MANY = 40
const FEW = 8

describe('clients over sockets, for whom virtual time waits, leave the rows of the same strategies inside', () => {
  it.each([
    ['with drawn ways', DRAWN],
    ['with no way at all', NONE],
    ['with equal ways', TIED],
  ])('%s', async (_, latency) => {
    const makers: PlayedMaker[] = [
      { name: 'a', use: 'fixed-margin', latency }, { name: 'b', use: 'shade', latency }, { name: 'c', use: 'cashout-bidder', latency },
      { name: 'd', use: 'last-look', latency, parameters: ', params: { atDeadline: 1 }' },
    ]
    const prepared = await preparedOf(scenarioOf(makers, true, MANY))
    const outside = await playedOutside(prepared, clientsOf(prepared, makers))
    expect(outside.turns).toBeGreaterThan(100)
    expect(outside.digest).toBe(await digestInside(makers, MANY))
  })

  it.each([
    ['with drawn ways', DRAWN, 'outcome', true],
    ['with no way at all', NONE, 'outcome', false],
    ['with equal ways and EIP-712 signatures', TIED, 'outcome-eip712', false],
  ] as const)('of the outcome service %s', async (_, latency, service, isLateTaken) => {
    const makers: PlayedMaker[] = [
      { name: 'a', use: 'fixed-margin', latency }, { name: 'b', use: 'shade', latency }, { name: 'c', use: 'cashout-bidder', latency },
      { name: 'd', use: 'last-look', latency, parameters: ', params: { atDeadline: 1 }' },
    ]
    const prepared = await preparedOf(scenarioOf(makers, true, MANY, service))
    const { digest, rows, turns } = await playedOutside(prepared, clientsOf(prepared, makers))
    expect(turns).toBeGreaterThan(100)
    const count = (why: string): number => rows.filter((row) => row.why === why).length
    const sent = (op: number): number => rows.filter((row) => row.op === op).length
    expect([count('onCashOut'), count('onBidTaken'), sent(OutcomeOp.confirmQuote), sent(OutcomeOp.declineQuote)].filter((times) => times === 0)).toEqual([])
    // Whether a quote of the maker is taken that decides late.
    expect(count('wake') > 0).toBe(isLateTaken)
    expect(digest).toBe(await digestInside(makers, MANY, service))
    expect(digestAgain(prepared, rows)).toBe(digest)
  })

  it('whatever order the network brings their calls in, and so does the journal that is played again', async () => {
    const prepared = await preparedOf(scenarioOf(TWO, true, FEW))
    const { digest, rows, turns } = await playedOutside(prepared, clientsOf(prepared, TWO), { spread: { mostMs: 3, seed: 1 } })
    const inside = await digestInside(TWO, FEW)
    expect(turns).toBeGreaterThan(50)
    expect(digest).toBe(inside)
    expect(digestAgain(prepared, rows)).toBe(inside)
  })

  it('and a stream that is lost is no event', async () => {
    const prepared = await preparedOf(scenarioOf(TWO, true, FEW))
    let resumed = 0
    const { digest } = await playedOutside(prepared, async (doors) => {
      const clients = await clientsOf(prepared, TWO, { cutsAfter: 7 })(doors)
      for (const client of clients) void client.over.then(() => { resumed += client.resumed })
      return clients
    })
    expect(digest).toBe(await digestInside(TWO, FEW))
    expect(resumed).toBeGreaterThan(3)
  })
})
