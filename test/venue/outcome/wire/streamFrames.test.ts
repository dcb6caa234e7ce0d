import { describe, expect, it } from 'vitest'
import { MARKET_FRAMES, STREAM_FRAMES } from '../../../../src/serve/outcome/frames.ts'
import type { Kind } from '../../../../src/venue/eventCells.ts'
import { OutcomeCode } from '../../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeEvent, STREAM_EVENT_NAMES } from '../../../../src/venue/outcome/protocol/events.ts'
import {
  eventFrame, FRAME_BYTES_MAX, frameBytes, frameText, heartbeatFrame, isStreamEvent, newestOf, pricesFrame, SNAPSHOT_ITEMS_MAX, snapshotFrame,
} from '../../../../src/venue/outcome/wire/streamFrames.ts'
import { AT_US, type Fields, identity, names, row, sent } from './rows.ts'

const AT = '2025-06-20T00:23:00.000007Z'
const UNTIL = '2025-06-20T00:23:02.000007Z'
const untilUs = AT_US + 2_000_000
describe('the frame of an event', () => {
  const LEGS = [{ outcome_id: '1180591620717411303427', side: 'YES' }, { outcome_id: '1180591620717411303429', side: 'NO' }]
  /** The frame as clients read it, which is as the service describes it. */
  const told = (kind: Kind, fields: Fields, list: readonly number[] = [], backer = 19) => {
    const frame = sent(eventFrame(names, row(kind, fields, list), () => backer))
    STREAM_FRAMES[frame['event'] as keyof typeof STREAM_FRAMES].parse(frame)
    return frame
  }
  const head = (event: string) => ({ type: 'event', event, cursor: '9', occurred_at: AT })

  it('OM-150 OM-164 is RFQ_CREATED', () => {
    const fields = {
      rfq: 2, generation: 1, owner: 10, betMicros: 25_000_000, netStakeMicros: 24_950_000, takerFeeBps: 20, profitFeeBps: 100, openUntilUs: untilUs,
    }
    expect(told(OutcomeEvent.rfqCreated, fields, [3, 1, 5, 0])).toEqual({
      ...head('RFQ_CREATED'),
      data: {
        rfq_id: identity.rfq(2), generation: 1, kind: 'ENTRY', position_id: null, stake: '25000000', taker_fee_bps: 20, net_stake: '24950000',
        fee_bps: 100, open_until: UNTIL, legs: LEGS,
      },
    })
  })

  it('OM-150 OM-164 is RFQ_CREATED of a cash-out, with payout and backing maker', () => {
    const fields = {
      rfq: 3, generation: 1, position: 12, seller: 10, backer: 20, payoutMicros: 99_000_000, netStakeMicros: 24_950_000, profitFeeBps: 100,
      openUntilUs: untilUs,
    }
    expect(told(OutcomeEvent.rfqCreated, fields, [3, 1, 5, 0])).toEqual({
      ...head('RFQ_CREATED'),
      data: {
        rfq_id: identity.rfq(3), generation: 1, kind: 'CASHOUT', position_id: identity.position(12), payout: '99000000', maker_id: identity.account(20),
        net_stake: '24950000', fee_bps: 100, open_until: UNTIL, legs: LEGS,
      },
    })
  })

  it('OM-150 OM-164 is QUOTE_CREATED', () => {
    const made = { rfq: 2, generation: 1, quote: 5, maker: 20, owner: 10, expiresAtUs: untilUs }
    const fields = { ...made, oddsE4: 39_679, riskMicros: 74_050_000, takerFeeBps: 20, netStakeMicros: 24_950_000, payoutMicros: 99_000_000 }
    const data = {
      rfq_id: identity.rfq(2), generation: 1, kind: 'ENTRY', position_id: null, quote_id: identity.quote(5), maker_id: identity.account(20),
      payout: '99000000', risk: '74050000', net_stake: '24950000', expires_at: UNTIL,
    }
    expect(told(OutcomeEvent.quoteCreated, fields)).toEqual({ ...head('QUOTE_CREATED'), data })
    expect(told(OutcomeEvent.quoteCreated, { ...made, position: 12, priceMicros: 40, payoutMicros: 40 })['data']).toEqual({
      ...data, kind: 'CASHOUT', position_id: identity.position(12), payout: '40', risk: '40', net_stake: null,
    })
  })

  it.each([
    [OutcomeEvent.quoteCreated, { expiresAtUs: untilUs }], [OutcomeEvent.quoteAccepted, { acceptance: 1, confirmUntilUs: untilUs }],
  ])('OM-164 says of row kind %d that a bid risks its price, and 0 where it is of the maker that backs the position', (kind, fields) => {
    const risk = (maker: number) => (told(kind, { rfq: 3, generation: 1, position: 12, quote: 6, maker, owner: 10, priceMicros: 40, payoutMicros: 40, ...fields }, [3, 1], 21)['data'] as { risk: string }).risk
    expect([risk(20), risk(21), risk(22)]).toEqual(['40', '0', '40'])
  })

  it('OM-150 OM-164 is QUOTE_ACCEPTED', () => {
    const fields = {
      rfq: 2, generation: 1, quote: 5, maker: 20, owner: 10, acceptance: 1, oddsE4: 39_679, riskMicros: 74_050_000, betMicros: 25_000_000,
      netStakeMicros: 24_950_000, payoutMicros: 99_000_000, confirmUntilUs: untilUs,
    }
    expect(told(OutcomeEvent.quoteAccepted, fields, [3, 1, 5, 0])).toEqual({
      ...head('QUOTE_ACCEPTED'),
      data: {
        rfq_id: identity.rfq(2), generation: 1, kind: 'ENTRY', position_id: null, quote_id: identity.quote(5), maker_id: identity.account(20),
        payout: '99000000', risk: '74050000', acceptance_id: identity.idempotencyKey(10, 7), stake: '25000000', net_stake: '24950000',
        confirm_until: UNTIL, legs: LEGS,
      },
    })
  })

  it('OM-150 OM-164 is QUOTE_ACCEPTED of a cash-out, with its price', () => {
    const fields = {
      rfq: 3, generation: 2, position: 12, quote: 6, maker: 21, owner: 10, acceptance: 1, priceMicros: 40_000_000, payoutMicros: 40_000_000,
      confirmUntilUs: untilUs,
    }
    expect(told(OutcomeEvent.quoteAccepted, fields, [3, 1, 5, 0])).toEqual({
      ...head('QUOTE_ACCEPTED'),
      data: {
        rfq_id: identity.rfq(3), generation: 2, kind: 'CASHOUT', position_id: identity.position(12), quote_id: identity.quote(6),
        maker_id: identity.account(21), payout: '40000000', risk: '40000000', acceptance_id: identity.idempotencyKey(10, 7), stake: null,
        net_stake: null, confirm_until: UNTIL, legs: LEGS,
      },
    })
  })

  it('OM-150 OM-164 is OPERATION_UPDATED, from the start to the end', () => {
    const fields = { operation: 4, account: 10, maker: 20, acceptance: 1, amountMicros: 99_000_000, operationKind: 1, nextStepAtUs: untilUs }
    const data = { operation_id: identity.operation(4), kind: 'FILL', status: 'PENDING', acceptance_id: identity.acceptance(1), amount: '99000000', next_step_at: UNTIL }
    expect(told(OutcomeEvent.operationStarted, fields)).toEqual({ ...head('OPERATION_UPDATED'), data })
    expect(told(OutcomeEvent.operationUpdated, { ...fields, status: 2, nextStepAtUs: -1 })).toEqual({
      ...head('OPERATION_UPDATED'), data: { ...data, status: 'DONE', next_step_at: null },
    })
    expect(told(OutcomeEvent.operationUpdated, { ...fields, status: 3, operationKind: 3, acceptance: -1, nextStepAtUs: -1 })).toMatchObject({
      data: { kind: 'WITHDRAWAL', status: 'FAILED', acceptance_id: null },
    })
  })

  it('OM-150 is one of four, and no other row is told', () => {
    expect([...new Set(Object.values(STREAM_EVENT_NAMES))]).toEqual(['RFQ_CREATED', 'QUOTE_CREATED', 'QUOTE_ACCEPTED', 'OPERATION_UPDATED'])
    for (const kind of Object.values(OutcomeEvent)) {
      if (!isStreamEvent(kind)) expect(() => eventFrame(names, row(kind), () => 19)).toThrow(`no stream tells row kind ${kind}`)
    }
    expect(Object.values(OutcomeEvent).filter(isStreamEvent)).toHaveLength(5)
  })
})

describe('the other frames', () => {
  it('OM-166 a snapshot has its cursor and items by class', () => {
    expect(sent(snapshotFrame(42, { rfqs: [{ rfq_id: 'a' }], positions: [], operations: [] }))).toEqual({
      type: 'snapshot', cursor: '42', rfqs: [{ rfq_id: 'a' }], positions: [], operations: [],
    })
    expect(sent(snapshotFrame(0, { quotes: [] }))).toEqual({ type: 'snapshot', cursor: '0', quotes: [] })
  })

  it('OM-157 a snapshot holds the newest 100 of a class', () => {
    const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)
    expect(SNAPSHOT_ITEMS_MAX).toBe(100)
    expect(newestOf(numbers(100))).toEqual(numbers(100))
    expect(newestOf(numbers(101))).toEqual(numbers(101).slice(1))
    expect(newestOf([])).toEqual([])
    expect(newestOf(numbers(5), 2)).toEqual([4, 5])
  })

  it('OM-164 a heartbeat has the newest cursor', () => {
    const frame = sent(heartbeatFrame(identity, 42, AT_US))
    expect(frame).toEqual({ type: 'heartbeat', cursor: '42', sent_at: AT })
    expect(STREAM_FRAMES.heartbeat.safeParse(frame).success).toBe(true)
  })

  it('OM-044 OM-164 prices name their outcomes', () => {
    const frame = sent(pricesFrame(names, 42, [{ outcome: 3, bidE4: 5_200, askE4: -1, atUs: AT_US }]))
    expect(frame).toEqual({ type: 'prices', cursor: '42', prices: [{ outcome_id: '1180591620717411303427', bid: '0.5200', ask: null, at: AT }] })
    expect(MARKET_FRAMES.prices.safeParse(frame).success).toBe(true)
  })
})

describe('the size of a frame', () => {
  const padded = (bytes: number): object => ({ type: 'x', pad: 'y'.repeat(bytes - 21) })

  it('OM-162 OM-240 is at most 1 MiB: a byte more closes the stream', () => {
    expect(FRAME_BYTES_MAX).toBe(1_048_576)
    const largest = frameText(padded(1_048_576))
    expect(largest).toBeTypeOf('string')
    expect(frameBytes(largest as string)).toBe(1_048_576)
    expect(frameText(padded(1_048_577))).toBe(OutcomeCode.snapshotTooLarge)
  })

  it('is counted in bytes, not in characters', () => {
    expect(frameBytes('é🙂')).toBe(6)
    expect(frameText({ a: 'é' }, 10)).toBe('{"a":"é"}')
    expect(frameText({ a: 'é' }, 9)).toBe(OutcomeCode.snapshotTooLarge)
  })

  it('OM-162 holds the prices of as many outcomes as a subscription names', () => {
    const prices = Array.from({ length: 256 }, (_, i) => ({ outcome: i, bidE4: 5_000, askE4: 5_100, atUs: AT_US }))
    const longest = { ...names, outcomeId: () => '9'.repeat(144) }
    expect(frameText(pricesFrame(longest, 42, prices))).toBeTypeOf('string')
  })
})
