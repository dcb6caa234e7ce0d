import { describe, expect, it } from 'vitest'
import { AuctionOutcome } from '../../../src/agent/vocabulary.ts'
import { Side } from '../../../src/market/sides.ts'
import type { ExternalSeat, SeatMessage } from '../../../src/serve/serviceHandler.ts'
import { DeskFeed, NOTES_KEPT } from '../../../src/serve/session/deskFeed.ts'

const SEAT: ExternalSeat = { service: 'parlay', role: 'maker', name: 'ours', account: 3 }
const FACTS = { category: Int32Array.of(4, -1), event: Int32Array.of(1, 2), game: Int32Array.of(-1, 0), gameCategory: Int32Array.of(4, 5) }
const SHIFT_US = 1000
const FEED_US = 50

const legs = { count: 2, markets: [0, 1], sides: [Side.yes, Side.no] }
const opened = {
  kind: 'onOpened',
  view: {
    position: 9, request: 7, quote: NaN, oddsE4: 25_000, netStakeMicros: 24_750_000, riskMicros: 37_125_000, isHolder: false, costMicros: 37_125_000, profitMicros: 0, isBoughtBack: false,
    payoutMicros: 61_875_000, profitFeeBps: 0, costBasisMicros: NaN, legs,
  },
} as unknown as SeatMessage

function feed(): DeskFeed {
  const made = new DeskFeed(FACTS, 2, SHIFT_US)
  made.keep('ours', {
    seats: [{ seat: SEAT, capitalMicros: 5_000_000, wayUs: 70 }], feedUs: FEED_US,
    names: { market: (n) => `M${n}`, request: (n) => `R${n}`, quote: (n) => `Q${n}`, auction: (n) => `A${n}`, position: (n) => `P${n}`, amount: (micros) => micros / 1e6 },
  })
  return made
}

const read = (from: DeskFeed, query: string, nowUs: number, key = 'ours', method = 'GET') => {
  const answer = from.answer(key, { method, query }, { nowUs, count: from.countAt(key, nowUs) })
  return answer === null ? null : { status: answer.status, body: JSON.parse(answer.body) as Record<string, unknown> }
}

describe('the feed of a desk', () => {
  it('tells what has reached the seat in the names and amounts of the wire, with its instants moved', () => {
    const ours = feed()
    ours.told('ours', SEAT, opened, 100)
    expect(read(ours, '', 120)).toEqual({
      status: 200,
      body: {
        now_us: 1120, next: 1, has_more: false, is_over: false, seats: [{ name: 'ours', role: 'maker', capital: 5, ended_profit: 0, feed_us: 50, way_us: 70 }], markets: 2,
        told: [{
          n: 0, at_us: 1100, what: 'onOpened', seat: { role: 'maker', name: 'ours' }, position: 'P9', request: 'R7', quote: null, odds: 2.5, net_stake: 24.75, risk: 37.125, is_holder: false,
          cost: 37.125, profit: 0, is_bought_back: false, payout: 61.875, profit_fee_bps: 0, cost_basis: null,
          legs: [
            { market: 'M0', side: 'yes', number: 0, category: 4, event: 1, game: null, game_category: 4 }, { market: 'M1', side: 'no', number: 1, category: null, event: 2, game: 0, game_category: 5 },
          ],
        }],
      },
    })
  })

  it.each<[string, readonly (readonly [query: string, isOver: boolean])[], boolean]>([
    ['nobody reads', [], true],
    ['it is asked for the instant alone, far behind its last note', [['from=999999999', false]], true],
    ['it has been read to its end, and nobody has asked since the session is over', [['from=0', false], ['from=2', false]], false],
    ['its last notes have been told, and not been asked beyond', [['from=0', false], ['from=0', true]], false],
    ['it was asked for what comes behind its last note', [['from=0', false], ['from=0', true], ['from=2', true]], true],
    ['a page was told that is not the last', [['from=0&limit=1', true], ['from=1&limit=1', true]], false],
  ])('a desk of two notes of which %s', (_, reads, isReadOut) => {
    const ours = feed()
    for (const atUs of [100, 110]) ours.told('ours', SEAT, opened, atUs)
    for (const [query, isOver] of reads) {
      const { body } = ours.answer('ours', { method: 'GET', query }, { nowUs: 120, count: 2, isOver })!
      expect(JSON.parse(body)).toMatchObject({ is_over: isOver })
    }
    expect(ours.isReadOut).toBe(isReadOut)
  })

  it('tells of requests, selections and auctions what their handlers are shown', () => {
    const ours = feed()
    const told = (kind: string, view: object): void => { ours.told('ours', SEAT, { kind, view: { ...view, legs } } as unknown as SeatMessage, 10) }
    told('onBest', { request: 7, version: 2, expiresAtUs: 90, betMicros: 25_000_000, netStakeMicros: 24_750_000, bestOddsE4: 30_000, bookChanges: NaN })
    told('onSelected', { request: 7, version: 2, quote: 8, deadlineAtUs: 95, oddsE4: NaN, netStakeMicros: 1, riskMicros: 2, payoutMicros: 3, position: 9 })
    told('onCashOut', {
      auction: 4, position: 9, endsAtUs: 99, netStakeMicros: 1, payoutMicros: 3, profitFeeBps: 200, makerFeeBps: 100, costBasisMicros: 1, isSeller: false, isBackingMaker: true, maxPriceMicros: 2,
      bestPriceMicros: NaN,
    })
    told('onSettled', { ...opened.view, quote: 6 })
    told('onAck', {})
    const { told: notes } = read(ours, '', 10)!.body as { told: Record<string, unknown>[] }
    expect(notes).toMatchObject([
      { n: 0, at_us: 1010, what: 'onBest', request: 'R7', version: 2, expires_at_us: 1090, bet: 25, net_stake: 24.75, best_odds: 3, book_changes: null },
      { n: 1, at_us: 1010, what: 'onSelected', request: 'R7', version: 2, quote: 'Q8', deadline_at_us: 1095, odds: null, net_stake: 1e-6, risk: 2e-6, payout: 3e-6, position: 'P9' },
      {
        n: 2, at_us: 1010, what: 'onCashOut', auction: 'A4', position: 'P9', ends_at_us: 1099, net_stake: 1e-6, payout: 3e-6, profit_fee_bps: 200, maker_fee_bps: 100, cost_basis: 1e-6,
        is_seller: false, is_backing_maker: true, max_price: 2e-6, best_price: null,
      },
      { n: 3, what: 'onSettled', quote: 'Q6' },
    ])
  })

  it('tells of what a maker took over by what it can be sold, and of its auction the best bid and the end', () => {
    const names = { market: String, request: String, quote: String, auction: (n: number) => `A${n}`, position: String, amount: (micros: number) => micros, parlay: (n: number) => `F${n}`, bid: (n: number) => `B${n}` }
    const ours = new DeskFeed(FACTS, 2, SHIFT_US)
    ours.keep('ours', { seats: [{ seat: SEAT, capitalMicros: 5_000_000, wayUs: 70 }], feedUs: FEED_US, names })
    const told = (kind: string, bestPriceMicros: number, sale: { auction: number; bid: number }, more: object = {}): void => {
      ours.told('ours', SEAT, { kind, view: { ...opened.view, isHolder: true, bestPriceMicros }, ...more } as unknown as SeatMessage, 10, sale)
    }
    told('onBought', NaN, { auction: -1, bid: -1 })
    told('onBid', 30, { auction: 4, bid: 6 })
    told('onBid', NaN, { auction: 4, bid: -1 })
    told('onAuctionEnded', NaN, { auction: -1, bid: -1 }, { outcome: AuctionOutcome.graded })
    told('onAuctionEnded', 29, { auction: -1, bid: -1 }, { outcome: AuctionOutcome.sold })
    const { told: notes } = read(ours, '', 10)!.body as { told: Record<string, unknown>[] }
    expect(notes.map(({ what, rfq_id, auction, bid, best_price, outcome }) => [what, rfq_id, auction, bid, best_price, outcome])).toEqual([
      ['onBought', 'F7', undefined, undefined, undefined, undefined], ['onBid', undefined, 'A4', 'B6', 30, undefined], ['onBid', undefined, 'A4', null, null, undefined],
      ['onAuctionEnded', undefined, undefined, undefined, null, 'graded'], ['onAuctionEnded', undefined, undefined, undefined, 29, 'sold'],
    ])
  })

  it('tells each seat what all are told of a request, with its own numbers, instants and names, whatever was told between', () => {
    const feeds = new DeskFeed(FACTS, 2, SHIFT_US)
    const names = { market: (n: number) => `M${n}`, request: (n: number) => `R${n}`, quote: String, auction: String, position: String, amount: (micros: number) => micros / 1e6 }
    const others = { ...names, request: (n: number) => `r${n}`, amount: String }
    const seats: ExternalSeat[] = [SEAT, { ...SEAT, name: 'other', account: 4 }, { ...SEAT, service: 'outcome' }]
    seats.forEach((seat, i) => { feeds.keep(String(i), { seats: [{ seat, capitalMicros: 0, wayUs: null }], feedUs: 0, names: i < 2 ? names : others }) })
    // Numbers that share a place, versions and changes that do not: 1024 apart, or 61 changes for one request.
    const views = [
      [7, 1, 100, 20_000], [7, 1, 1124, 20_000], [8, 1, 39, 20_000], [7, 2, 100, 20_000], [7, 1, 100, 21_000], [1031, 1, 100, 20_000], [7, 1, 100, 20_000], [7, 1, NaN, NaN], [7, 2, NaN, 19_000],
    ].map(([request, version, bookChanges, bestOddsE4], i) => ({
      request, version, bookChanges, bestOddsE4, expiresAtUs: 90 + (version as number), betMicros: 1_000_000 * (version as number), netStakeMicros: 990_000,
      legs: { count: 1, markets: [(request as number) % 2], sides: [(version as number) === 1 ? Side.yes : Side.no] }, kind: i % 4 === 3 ? 'onRequest' : 'onBest',
    }))
    const told: [seat: number, view: number, atUs: number][] = []
    for (let i = 0; i < 3 * views.length; i++) told.push([i % 3, Math.floor(i / 3), i], [(i + 1) % 3, (i * 5) % views.length, i])
    for (const [seat, view, atUs] of told) feeds.told(String(seat), seats[seat]!, { kind: views[view]!.kind, view: views[view]! } as unknown as SeatMessage, atUs)
    // Read twice: what was made for one seat is told the other.
    for (const seat of [0, 1, 2, 0]) {
      const { role, name } = seats[seat]!
      const { request: requestName } = seat < 2 ? names : others
      const expected = told.filter(([of]) => of === seat).map(([, view, atUs], n) => {
        const { kind, request, version, bookChanges, bestOddsE4, expiresAtUs, betMicros, netStakeMicros } = views[view]!
        const market = (request as number) % 2
        return {
          n, at_us: atUs + SHIFT_US, what: kind, seat: { role, name }, request: requestName(request as number), version, expires_at_us: expiresAtUs + SHIFT_US,
          bet: seat < 2 ? betMicros / 1e6 : String(betMicros), net_stake: seat < 2 ? netStakeMicros / 1e6 : String(netStakeMicros),
          best_odds: Number.isNaN(bestOddsE4) ? null : (bestOddsE4 as number) / 10_000, book_changes: Number.isNaN(bookChanges) ? null : bookChanges,
          legs: [market === 0 ? { market: 'M0', side: version === 1 ? 'yes' : 'no', number: 0, category: 4, event: 1, game: null, game_category: 4 }
            : { market: 'M1', side: version === 1 ? 'yes' : 'no', number: 1, category: null, event: 2, game: 0, game_category: 5 }],
        }
      })
      expect(read(feeds, '', 1000, String(seat))!.body['told']).toEqual(expected)
    }
  })

  it('keeps no more of what requests tell than of anything else', () => {
    const ours = feed()
    const view = (bookChanges: number) => ({ request: 7, version: 1, expiresAtUs: 90, betMicros: 1, netStakeMicros: 1, bestOddsE4: 20_000, bookChanges, legs })
    for (let i = 0; i < 2 * NOTES_KEPT; i++) ours.told('ours', SEAT, { kind: 'onBest', view: view(i) } as unknown as SeatMessage, i)
    expect(read(ours, `from=${NOTES_KEPT - 1}`, 9)!.status).toBe(410)
    const last = read(ours, `from=${2 * NOTES_KEPT - 1}`, 9)!.body['told'] as object[]
    expect(last).toMatchObject([{ n: 2 * NOTES_KEPT - 1, at_us: 2 * NOTES_KEPT - 1 + SHIFT_US, book_changes: 2 * NOTES_KEPT - 1 }])
  })

  it('tells a result from its publication and the latency of the feed on, before what comes later', () => {
    const ours = feed()
    ours.resolved('parlay', { market: 1, value: 2, atUs: 100 })
    expect(ours.countAt('ours', 149)).toBe(0)
    expect(ours.countAt('ours', 150)).toBe(1)
    ours.resolved('parlay', { market: 0, value: 1, atUs: 110 })
    ours.told('ours', SEAT, opened, 160)
    expect((read(ours, '', 160)!.body['told'] as { what: string; at_us: number }[]).map(({ what, at_us }) => [what, at_us])).toEqual([['result', 1150], ['result', 1160], ['onOpened', 1160]])
    expect((read(ours, '', 160)!.body['told'] as object[])[0]).toEqual({ n: 0, at_us: 1150, what: 'result', market: 'M1', number: 1, result: 'void', published_at_us: 1100 })
  })

  it('tells the results of both services in the order of their publication, whichever was heard of first', () => {
    const ours = feed()
    const notes = (nowUs: number) => (read(ours, '', nowUs)!.body['told'] as { at_us: number; number: number }[]).map(({ at_us, number }) => [at_us - SHIFT_US, number])
    ours.resolved('parlay', { market: 1, value: 1, atUs: 1040 })
    ours.resolved('outcome', { market: 0, value: 1, atUs: 550 })
    expect(notes(599)).toEqual([])
    expect(notes(600)).toEqual([[600, 0]])
    ours.resolved('outcome', { market: 1, value: 1, atUs: 1040 })
    ours.resolved('outcome', { market: 0, value: 1, atUs: 2000 })
    ours.resolved('parlay', { market: 0, value: 1, atUs: 1100 })
    expect(notes(1089)).toEqual([[600, 0]])
    expect(notes(2050)).toEqual([[600, 0], [1090, 1], [1090, 1], [1150, 0], [2050, 0]])
    // At one instant those of the parlay service come first.
    ours.resolved('outcome', { market: 1, value: 1, atUs: 3000 })
    ours.resolved('parlay', { market: 0, value: 1, atUs: 3000 })
    expect(notes(3050).slice(5)).toEqual([[3050, 0], [3050, 1]])
  })

  it('pages by numbers, and shows no more than the count that is given', () => {
    const ours = feed()
    for (let i = 0; i < 3; i++) ours.told('ours', SEAT, opened, i)
    const page = (query: string) => {
      const { next, has_more, told } = read(ours, query, 9)!.body as { next: number; has_more: boolean; told: { n: number }[] }
      return [told.map(({ n }) => n), next, has_more]
    }
    expect(page('from=0&limit=2')).toEqual([[0, 1], 2, true])
    expect(page('from=1&limit=2')).toEqual([[1, 2], 3, false])
    expect(page('from=7')).toEqual([[], 7, false])
    expect((JSON.parse(ours.answer('ours', { method: 'GET', query: '' }, { nowUs: 9, count: 2 })!.body) as { told: object[] }).told).toHaveLength(2)
  })

  it('refuses what is no question, and who has no seat', () => {
    const ours = feed()
    expect(read(ours, '', 9, 'others')).toBeNull()
    expect(read(ours, '', 9, 'ours', 'POST')!.status).toBe(405)
    for (const query of ['standing=yes', 'limit=0', 'limit=1001', 'limit=x', 'from=-1', 'from=1&from=2']) expect([query, read(ours, query, 9)!.status]).toEqual([query, 400])
    expect(read(ours, 'limit=1000', 9)!.status).toBe(200)
  })

  it('keeps the latest notes, and says that older ones are gone', () => {
    const ours = feed()
    for (let i = 0; i < 2 * NOTES_KEPT - 1; i++) ours.resolved('parlay', { market: 0, value: 0, atUs: 0 })
    expect(ours.countAt('ours', 60)).toBe(2 * NOTES_KEPT - 1)
    expect(read(ours, 'from=0&limit=1', 60)!.status).toBe(200)
    ours.told('ours', SEAT, opened, 60)
    expect(read(ours, `from=${NOTES_KEPT - 1}`, 60)).toEqual({ status: 410, body: { error: `notes before number ${NOTES_KEPT} are gone; standing=true tells those of them that stand` } })
    expect(read(ours, `from=${2 * NOTES_KEPT - 1}`, 60)!.body).toMatchObject({ next: 2 * NOTES_KEPT, told: [{ n: 2 * NOTES_KEPT - 1, what: 'onOpened' }] })
  })

  it('tells a client that begins late what stands of the notes that are gone, and what the others brought', () => {
    const ours = feed()
    const told = (kind: string, more: object): void => { ours.told('ours', SEAT, { kind, view: { ...opened.view, ...more } } as unknown as SeatMessage, 0) }
    const fill = (count: number): void => { for (let i = 0; i < count; i++) told('onBid', { position: 1 }) }
    ours.resolved('parlay', { market: 1, value: 2, atUs: -FEED_US })
    // Numbers 1 to 6: of these 2 and 4 stand in the end.
    for (const position of [1, 2]) told('onOpened', { position })
    for (const position of [1, 2]) told('onBought', { position, isHolder: true })
    told('onSettled', { position: 1, profitMicros: -7_000_000 })
    ours.told('ours', SEAT, { kind: 'onAuctionEnded', view: { ...opened.view, position: 1, isHolder: true, profitMicros: 2_500_000 }, outcome: AuctionOutcome.sold } as unknown as SeatMessage, 0)
    fill(NOTES_KEPT - 8)
    // The last that goes, and the first that is kept.
    told('onOpened', { position: 3 })
    told('onSettled', { position: 2, profitMicros: 9_000_000 })
    fill(NOTES_KEPT - 2)
    const page = (query: string) => {
      const { status, body } = read(ours, query, 9)!
      const { next, has_more, seats, told: notes } = body as { next: number; has_more: boolean; seats: { ended_profit: number }[]; told: { n: number }[] }
      return [status, seats?.map(({ ended_profit }) => ended_profit), notes?.map(({ n }) => n), next, has_more]
    }
    // None is gone as long as there are fewer than twice as many as are kept.
    expect(page('standing=true&limit=2')).toEqual([200, [0], [0, 1], 2, true])
    fill(1)
    expect(page('limit=2')[0]).toBe(410)
    const K = NOTES_KEPT
    expect(page('standing=true&limit=6')).toEqual([200, [-4.5], [0, 2, 4, K - 1, K, K + 1], K + 2, true])
    expect(page('from=0&standing=true&limit=2')).toEqual([200, [-4.5], [0, 2], 3, true])
    expect(page('from=3&standing=true&limit=2')).toEqual([200, [-4.5], [4, K - 1], K, true])
    expect(page(`from=${K}&standing=true&limit=2`)).toEqual(page(`from=${K}&standing=false&limit=2`))
    const all = ours.answer('ours', { method: 'GET', query: 'from=4&standing=true&limit=4' }, { nowUs: 9, count: K + 1 })!
    expect(JSON.parse(all.body)).toMatchObject({ next: K + 1, has_more: false, told: [{ n: 4 }, { n: K - 1 }, { n: K, what: 'onSettled' }] })
    // When the end goes too, its position stands no more.
    fill(K)
    expect(page('standing=true&limit=3')).toEqual([200, [4.5], [0, 4, K - 1], K, true])
  })
})
