import { describe, expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import type { CohortEntry, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { externalMaker } from '../../src/scenario/externalSeats.ts'
import { OutcomeEvent } from '../../src/venue/outcome/protocol/events.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { counts, crowding, firstShown, numbered, type Shown } from './numbered.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, cohorts, makerEntry, NO_FAULTS } from './world.ts'

const SECONDS = 60
const CONFIGS = { parlay: auctionConfig, outcome: outcomeAuctionConfig } as const
type Service = keyof typeof CONFIGS

const mine = (shown: Shown[]) => ({ ...makerEntry('mine', numbered(shown)), faults: NO_FAULTS })
const rivals = (count: number) => counts(count).map((i) => ({ ...makerEntry(`rival ${i}`, crowding), faults: NO_FAULTS }))

function played(service: Service, rivalCount: number): { shown: Shown[]; quotes: number } {
  const shown: Shown[] = []
  const log = service === 'parlay' ? new RowLog() : new OutcomeLog()
  new Session({ ...CONFIGS[service](SECONDS, { makers: [...rivals(rivalCount), mine(shown)] }), sinks: [log] }).runToEnd()
  const kind = service === 'parlay' ? ParlayEvent.quoteSubmitted : OutcomeEvent.quoteCreated
  return { shown, quotes: log.rows.filter((row) => row.kind === kind).length }
}

/** What others do shows in the best quotes and bids, which the parlay service tells everybody. */
const told = (shown: readonly Shown[]): Shown[] => shown.filter(({ handler }) => handler !== 'onBest' && handler !== 'onBestBid')

describe.each(['parlay', 'outcome'] as const)('a maker of the %s service', (service) => {
  const alone = played(service, 0)
  const crowded = played(service, 4)

  it('is shown the same numbers whether rivals quote and bid a lot or there are none', () => {
    expect(crowded.quotes).toBeGreaterThan(alone.quotes * 3)
    expect(told(crowded.shown)).toEqual(told(alone.shown))
  })

  it('is shown requests, quotes, positions, auctions and bids that count 1, 2, 3, …', () => {
    for (const { shown } of [alone, crowded]) {
      const kinds = firstShown(shown, service)
      expect(Object.keys(kinds).toSorted()).toEqual(service === 'parlay' ? ['auctions', 'bids', 'positions', 'quotes', 'requests'] : ['positions', 'quotes', 'requests'])
      for (const [kind, numbers] of Object.entries(kinds)) {
        expect([kind, numbers.length > 5]).toEqual([kind, true])
        expect([kind, numbers]).toEqual([kind, counts(numbers.length)])
      }
    }
  })

  it('knows by one number what it was told of one thing: a position by its request and quote, a purchase by its auction', () => {
    const { shown } = crowded
    const requests = new Set(shown.flatMap(({ handler, request }) => (handler === 'onRequest' ? [request] : [])))
    const quotes = new Set(shown.flatMap(({ handler, quote, auction }) => (handler === 'onAck' && auction === undefined ? [quote] : [])))
    const opened = shown.filter(({ handler }) => handler === 'onOpened')
    expect(opened.length).toBeGreaterThan(5)
    for (const { request, quote } of opened) expect([requests.has(request), quotes.has(quote)]).toEqual([true, true])
    const positions = new Set(shown.flatMap(({ handler, position }) => (handler === 'onOpened' || handler === 'onCashOut' ? [position] : [])))
    for (const { handler, position } of shown) if (handler === 'onSettled' || handler === 'onBought') expect([handler, positions.has(position)]).toEqual([handler, true])
  })

  it('goes on with its numbers where a session goes on from an image', () => {
    const shown: Shown[] = []
    const config = CONFIGS[service](SECONDS, { makers: [mine(shown)] })
    const first = new Session(config)
    while (shown.length < 100) first.run(5)
    const other = new Session(config)
    other.restore(first.snapshot())
    other.runToEnd()
    expect(shown).toEqual(alone.shown)
  })

  it('passes on the service’s own numbers where a client holds the seat, which is given ids in their place', () => {
    const passed: number[] = []
    const client = { ...makerEntry('client', externalMaker(({ kind, view }) => { if (kind === 'onCashOut') passed.push(view.position) })), faults: NO_FAULTS }
    const log = service === 'parlay' ? new RowLog() : new OutcomeLog()
    new Session({ ...CONFIGS[service](SECONDS, { makers: [client, mine([])] }), sinks: [log] }).runToEnd()
    const kind = service === 'parlay' ? ParlayEvent.auctionOpened : OutcomeEvent.rfqCreated
    const sold = log.rows.flatMap((row) => (row.kind === kind && (row as unknown as { position: number }).position >= 0 ? [(row as unknown as { position: number }).position] : []))
    expect(new Set(passed)).toEqual(new Set(sold))
    expect([...new Set(passed)]).not.toEqual(counts(new Set(passed).size))
  })
})

it.each(['parlay', 'outcome'] as const)('a bettor of the %s service knows its position and request by its arrival, whatever else is asked for', (service) => {
  const seen: number[][] = []
  const [noise] = cohorts
  const strategy = noise!.strategy as unknown as BettorStrategy
  const telling: BettorStrategy = { ...strategy, create: (values) => ({ ...strategy.create(values), onOpened: ({ arrival, position, request }) => { seen.push([arrival, position, request]) } }) }
  const config = CONFIGS[service](SECONDS, { cohorts: [...cohorts, { ...noise!, name: 'seen', strategy: telling as unknown as CohortEntry['strategy'] }] }) as SessionConfig
  new Session(config).runToEnd()
  expect(seen.length).toBeGreaterThan(3)
  for (const [arrival, position, request] of seen) expect([position, request]).toEqual([arrival, arrival])
})
