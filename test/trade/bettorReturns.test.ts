import { describe, expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import impatient from '../../src/agent/bettors/impatient.ts'
import { OutcomeEvent, PositionOpened as OutcomeOpened, RfqCreated, SaleRow } from '../../src/venue/outcome/protocol/events.ts'
import { ParlayEvent, PositionBoughtBack, PositionOpened, PositionTransferred, RequestCreated } from '../../src/venue/parlay/protocol/events.ts'
import { ofKind } from '../engine/loggedRow.ts'
import { OutcomeLog } from '../engine/outcomeLog.ts'
import { RowLog } from '../engine/rowLog.ts'
import { type BettorTerms, playBettor, type PlayedService } from './bettorPlay.ts'

const SECOND_US = 1_000_000
const LATENCY = '{ feed: 0ms, submit: { base: 30ms, jitter: 200ms }, broadcast: { base: 20ms, jitter: 100ms } }'
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** What the service knows of the bettor: requests, positions and what they cost, sales and what they brought. */
interface Known { readonly requests: number; readonly fills: number; readonly stakedMicros: number; readonly sales: number; readonly soldMicros: number }

function knownTo(service: PlayedService): { readonly sinks: NonNullable<BettorTerms['sinks']>; readonly known: () => Known } {
  const log = service === 'parlay' ? new RowLog() : new OutcomeLog()
  const known = (): Known => {
    const [requests, opened, received] = service === 'parlay'
      ? [ofKind(log.rows, ParlayEvent.requestCreated, RequestCreated), ofKind(log.rows, ParlayEvent.positionOpened, PositionOpened), [
        ...ofKind(log.rows, ParlayEvent.positionBoughtBack, PositionBoughtBack).map(({ toHolderMicros }) => toHolderMicros),
        ...ofKind(log.rows, ParlayEvent.positionTransferred, PositionTransferred).map(({ toSellerMicros }) => toSellerMicros),
      ]]
      : [ofKind(log.rows, OutcomeEvent.rfqCreated, RfqCreated).filter(({ betMicros }) => betMicros > 0), ofKind(log.rows, OutcomeEvent.positionOpened, OutcomeOpened),
        ofKind(log.rows, [OutcomeEvent.positionClosed, OutcomeEvent.positionTransferred], SaleRow).map(({ priceMicros }) => priceMicros)]
    return {
      requests: requests.length, fills: opened.length, stakedMicros: sumOf(opened.map(({ netStakeMicros, takerFeeMicros }) => netStakeMicros + takerFeeMicros)),
      sales: received.length, soldMicros: sumOf(received),
    }
  }
  return { sinks: [log], known }
}

const SELLER = impatient as unknown as BettorStrategy
const VALUES = {
  legsMin: 2, legsMax: 2, maxAge: 1e12, patience: 10, toleranceMin: 0.9, toleranceMax: 0.95, shareMin: 0.1, shareMax: 0.1, listen: SECOND_US, holdMin: 5 * SECOND_US, holdMax: 10 * SECOND_US,
}

describe.each(['parlay', 'outcome'] as const)('a bettor of the %s service', (service) => {
  it.each([5, 7])('that is dropped in every turn whose number %i divides loses no request, and counts no money twice', async (every) => {
    const { sinks, known } = knownTo(service)
    const { summary, said } = await playBettor(SELLER, { service, values: VALUES, latency: LATENCY, sinks, isDropped: (n) => n <= 100 && n % every === 0 })
    const { arrivals, requests, fills, stakedMicros, sales, soldMicros } = summary
    expect([arrivals, said.filter((text) => text.endsWith('is back')).length]).toEqual([8, Math.floor(100 / every)])
    expect({ requests, fills, stakedMicros, sales, soldMicros }).toEqual(known())
    expect(sales).toBeGreaterThan(1)
  })

  it('that comes late bets from then on', async () => {
    const { sinks, known } = knownTo(service)
    const { summary, said } = await playBettor(SELLER, { service, values: VALUES, latency: LATENCY, sinks, afterTurns: 100 })
    const { arrivals, requests, fills, stakedMicros, sales, soldMicros } = summary
    expect([arrivals, said.map((text) => text.slice(0, 27))]).toEqual([8, ['the client of ours was not ', 'the client of ours is back']])
    expect({ requests, fills, stakedMicros, sales, soldMicros }).toEqual(known())
    expect(sales).toBeGreaterThan(1)
  })
})
