import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { convertKalshiRfq } from '../../src/feed/rfqLog/kalshiRfq.ts'
import { recorded, temporaryFolder } from './recordedData.ts'

function converted(rows: readonly object[]) {
  const file = join(temporaryFolder(), 'rows.jsonl')
  writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
  const { lines, report } = convertKalshiRfq([file])
  return { rows: lines.map((line) => JSON.parse(line)), report, troubles: report.troubles.map(({ kind, rows: count, firstRow }) => `${kind} ${count} @${firstRow}`) }
}

/** 2026-07-06T01:55:01Z. */
const AT = 1_783_302_901_000_000
const RFQ = { id: 'r', creator_id: 'ann', market_ticker: 'NYY', contracts_fp: '10.00', created_ts: '2026-07-06T01:55:01Z' }
const QUOTE = { id: 'q', rfq_id: 'r', creator_id: 'alpha', created_ts: '2026-07-06T01:55:02Z', yes_bid_dollars: '0.4700', no_bid_dollars: '0.5000' }
const COMBO = { ...RFQ, contracts_fp: undefined, target_cost_dollars: '18.0000', mve_selected_legs: [{ market_ticker: 'CHC', side: 'yes' }, { market_ticker: 'NYM', side: 'no' }] }

describe('requests for quotes of a recorded exchange', () => {
  it('become requests for the side that the requester was left with, at a dollar less the accepted bid', () => {
    // The maker takes NO at its bid of 0.50, so that the requester has YES for 0.50: ten contracts cost 5 dollars.
    expect(converted([RFQ, { ...QUOTE, accepted_side: 'no', accepted_ts: '2026-07-06T01:55:03Z', confirmed_ts: '2026-07-06T01:55:03.119Z' }]).rows).toEqual([
      { kind: 'request', id: 'r', at_us: AT, bettor: 'ann', legs: ['NYY yes'], stake_dollars: '5' },
      { kind: 'quote', request: 'r', id: 'q', maker: 'alpha', at_us: AT + 1_000_000, price_dollars: '0.5' },
      { kind: 'acceptance', request: 'r', quote: 'q', at_us: AT + 2_000_000 },
      { kind: 'last_look', request: 'r', quote: 'q', answer: 'confirmed', at_us: AT + 2_119_000 },
    ])
    // It takes YES at 0.47, so that the requester has NO for 0.53.
    const other = converted([RFQ, { ...QUOTE, accepted_side: 'yes', accepted_ts: '2026-07-06T01:55:03Z' }]).rows
    expect(other[0]).toMatchObject({ legs: ['NYY no'], stake_dollars: '5.3' })
    expect(other[1]).toMatchObject({ price_dollars: '0.53' })
    expect(other[3]).toEqual({ kind: 'last_look', request: 'r', quote: 'q', answer: 'lapsed' })
  })

  it('of which nothing was accepted are for YES, at the best price where contracts alone are known', () => {
    const { rows, report } = converted([RFQ, QUOTE, { ...QUOTE, id: 'q2', no_bid_dollars: '0.5500' }])
    expect(rows[0]).toMatchObject({ legs: ['NYY yes'], stake_dollars: '4.5' })
    expect(report).toMatchObject({ inputRows: 3, acceptedRows: 3, quarantinedRows: 0 })
  })

  it('are one acceptance of a quote that was polled as open, accepted and confirmed, in any order', () => {
    const open = { ...QUOTE, status: 'open', accepted_side: '' }
    const accepted = { ...QUOTE, status: 'accepted', accepted_side: 'no', accepted_ts: '2026-07-06T01:55:03Z' }
    const confirmed = { ...accepted, status: 'confirmed', confirmed_ts: '2026-07-06T01:55:03.119Z' }
    const once = converted([RFQ, confirmed]).rows
    expect(once.map(({ kind }) => kind)).toEqual(['request', 'quote', 'acceptance', 'last_look'])
    for (const polls of [[open, accepted, confirmed], [confirmed, open, accepted]]) {
      const { rows, report, troubles } = converted([RFQ, RFQ, ...polls])
      expect(rows).toEqual(once)
      expect(report).toMatchObject({ inputRows: 5, acceptedRows: 5, quarantinedRows: 0 })
      expect(troubles).toEqual(['read again 3 @2'])
    }
  })

  it('take no poll that contradicts another', () => {
    const { rows, report, troubles } = converted([RFQ, QUOTE, { ...QUOTE, no_bid_dollars: '0.5100' }, { ...RFQ, contracts_fp: '11.00' }])
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({ stake_dollars: '5' })
    expect(report).toMatchObject({ inputRows: 4, acceptedRows: 2, quarantinedRows: 2 })
    expect(troubles).toEqual(['quote twice 1 @3', 'request twice 1 @4'])
  })

  it('of combinations have legs and a cost, in frames of the socket too', () => {
    const { rows } = converted([{ era: 'x', msg: COMBO }])
    expect(rows).toEqual([{ kind: 'request', id: 'r', at_us: AT, bettor: 'ann', legs: ['CHC yes', 'NYM no'], stake_dollars: '18' }])
  })

  it.each<[string, readonly object[], readonly string[]]>([
    ['NO of a combination', [COMBO, { ...QUOTE, accepted_side: 'yes', accepted_ts: '2026-07-06T01:55:03Z' }], ['other side of a combination 2 @1']],
    ['contracts of an unknown cost', [RFQ], ['no stake 1 @1']],
    ['a quote of another request', [COMBO, { ...QUOTE, rfq_id: 'x' }], ['quote of an unknown request 1 @2']],
    ['no bid against the side', [COMBO, { ...QUOTE, no_bid_dollars: '0.0000' }], ['no offer 1 @2']],
    ['what is neither', [COMBO, { step: 'orderbook', at: '2026-07-06T01:55:01Z', data: {} }, { id: 'y' }], ['not about a request 1 @2', 'wrong field 1 @3']],
    ['a step without its quote', [COMBO, { step: 'rfq_created', at: '2026-07-06T01:55:01Z', data: { id: 'z' } }], ['request without its quote 1 @2']],
  ])('set aside, with its kind and line: %s', (_, rows, expected) => {
    const { troubles, report } = converted(rows)
    expect(troubles).toEqual(expected)
    expect(report.acceptedRows + report.quarantinedRows).toBe(report.inputRows)
  })

  it('of the recorded files give nine requests, four of them taken and two confirmed', (context) => {
    const folder = recorded(context, 'kalshi-rfq')
    const { lines, report } = convertKalshiRfq(readdirSync(folder).filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name)))
    const kinds = lines.map((line) => JSON.parse(line) as { kind: string; answer?: string })
    const count = (kind: string): number => kinds.filter((row) => row.kind === kind).length
    expect(['request', 'quote', 'acceptance', 'last_look'].map(count)).toEqual([9, 4, 4, 4])
    expect(kinds.filter(({ answer }) => answer === 'confirmed')).toHaveLength(2)
    expect(report.acceptedRows + report.quarantinedRows).toBe(report.inputRows)
  })

  it('name what a row lacks', () => {
    expect(converted([COMBO, { id: 'y' }]).report.troubles.map(({ about }) => about)).toContain('market_ticker: is missing: expected string')
  })
})
