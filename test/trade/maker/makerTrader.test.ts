import { describe, expect, it } from 'vitest'
import { maker, type MakerHandlers, type MakerStrategy } from '../../../src/agent/maker.ts'
import type { MakerDesk } from '../../../src/agent/makerDesk.ts'
import { Action, AuctionOutcome, Refusal, Side } from '../../../src/agent/vocabulary.ts'
import type { AckView, PositionView, RequestView } from '../../../src/agent/views.ts'
import type { DeskNote } from '../../../src/trade/deskFeed.ts'
import type { Act, Answer, Frame, Link, Turn } from '../../../src/trade/link.ts'
import { type MakerSummary, MakerTrader } from '../../../src/trade/maker/makerTrader.ts'
import type { MakerAck, MakerTold, MakerWish, MakerWords } from '../../../src/trade/maker/makerWords.ts'

const SECOND = 1_000_000
const legs = { markets: [0, 1], sides: [Side.yes, Side.no] }
const told = (kind: MakerTold['kind'], numbers: MakerTold['numbers'] = {}, atUs = 5): MakerTold => ({ kind, atUs, numbers, ...legs })
const request = (number: number, atUs = 5): MakerTold => told('onRequest', { request: number, version: 1, expiresAtUs: 100 * SECOND, betMicros: 100, netStakeMicros: 90, bestOddsE4: NaN, bookChanges: NaN }, atUs)
const selection = (number: number): MakerTold['numbers'] => ({ request: number, version: 1, quote: 4, deadlineAtUs: 9 * SECOND, oddsE4: 20_000, quotedProbability: 0.5, netStakeMicros: 90, riskMicros: 90, payoutMicros: 180, position: NaN, selection: -1 })
const position = (more: MakerTold['numbers'] = {}): MakerTold['numbers'] => ({
  position: 3, request: 1, quote: 4, oddsE4: 20_000, netStakeMicros: 90, riskMicros: 90, isHolder: false, costMicros: 90, profitMicros: 0, isBoughtBack: false, payoutMicros: 180, profitFeeBps: 0,
  costBasisMicros: NaN, ...more,
})
const auction: MakerTold['numbers'] = {
  auction: 6, version: 2, position: 3, endsAtUs: 50 * SECOND, netStakeMicros: 90, payoutMicros: 180, profitFeeBps: 0, makerFeeBps: 0, costBasisMicros: 90, isSeller: false, isBackingMaker: false,
  maxPriceMicros: 180, bestPriceMicros: NaN,
}

/** A service of whose words there are only those that the test gives. */
class Words implements MakerWords {
  readonly service = 'parlay'
  readonly channels = []
  readonly wishes: MakerWish[] = []
  next: readonly MakerTold[] = []
  ack: MakerAck | null = null
  withdrawals: readonly Act[] = []
  returns = 0
  heard: [readonly Frame[], readonly DeskNote[], number][] = []
  seats: unknown[] = []
  seated(seat: unknown): void { this.seats.push(seat) }
  cameBack(): void { this.returns++ }
  told(frames: readonly Frame[], notes: readonly DeskNote[], atUs: number): readonly MakerTold[] {
    this.heard.push([frames, notes, atUs])
    return this.next
  }

  callOf(wish: MakerWish, nowUs: number): readonly Act[] {
    this.wishes.push(wish)
    return [{ method: 'PUT', path: `/${wish.kind}`, tag: nowUs }]
  }

  answered(): { readonly ack: MakerAck | null; readonly acts: readonly Act[] } {
    return { ack: this.ack, acts: [{ method: 'DELETE', path: '/own', tag: 'own' }] }
  }

  leaving(): readonly Act[] { return this.withdrawals }
}

const SEAT = { name: 'ours', role: 'maker', capital: 10, ended_profit: 0, feed_us: 7, way_us: null }
const NONE: Answer = { status: 200, headers: {}, body: '{}' }

/** A turn, what words make of it, and what they withdraw where the maker leaves. */
type Played = Partial<Turn & { readonly next: readonly MakerTold[]; readonly ack: MakerAck | null; readonly leaves: readonly Act[] }>

/** Plays a maker in turns; what it has been told by its desk is `notes`, of which an answer has `page` at most. */
async function played(handlers: MakerHandlers, turns: readonly (Played | ((acts: readonly (readonly Act[])[]) => Played))[], { notes = [], page = 10, endedProfit = 0, seat = SEAT, overFrom = Infinity, goneFrom = Infinity }: {
  readonly notes?: readonly object[]; readonly page?: number; readonly endedProfit?: number; readonly seat?: object
  /** The desk says that the session is over to the call of this number, and is not there from that one on. */
  readonly overFrom?: number; readonly goneFrom?: number
} = {}) {
  const words = new Words()
  const reads: string[] = []
  const acts: (readonly Act[])[] = []
  const said: string[] = []
  const leaving = new AbortController()
  const link: Link = {
    read: (path) => {
      const from = Number(/from=(\d+)/.exec(path)![1])
      if (path.startsWith('/desk')) reads.push(path)
      if (reads.length > goneFrom) return Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
      const next = Math.max(from, Math.min(notes.length, from + page))
      const body = path.startsWith('/desk')
        ? { now_us: 5, next, has_more: next < notes.length, is_over: reads.length >= overFrom, markets: 2, seats: [{ ...seat, role: 'bettor' }, { ...seat, ended_profit: endedProfit }], told: notes.slice(from, next) } : { next: 0, has_more: false, prices: [] }
      return Promise.resolve({ ...NONE, body: JSON.stringify(body) })
    },
    async play(act) {
      for (const one of turns) {
        const { next = [], ack = null, leaves, ...turn } = typeof one === 'function' ? one(acts) : one
        Object.assign(words, { next, ack })
        if (leaves !== undefined) {
          words.withdrawals = leaves
          leaving.abort()
        }
        acts.push(await act({ atUs: 5, why: 'told', frames: [], ...turn }))
      }
    },
  }
  const strategy = maker({}, () => handlers) as unknown as MakerStrategy
  const trader = await MakerTrader.create({ link, words, name: 'ours', seed: 's', strategy, values: {}, microsOf: (amount) => Number(amount) * SECOND, say: (text) => { said.push(text) } })
  const summary: MakerSummary = await trader.play(leaving.signal)
  return { words, reads, acts, said, summary }
}

const quote = (view: RequestView, desk: MakerDesk): void => { desk.quote(view, { probability: 0.4, validUs: 3 * SECOND }) }

describe('a maker’s client', () => {
  it('reads its seat, what stands since before it came, and then what is new', async () => {
    const { reads, words, summary } = await played({}, [{ atUs: 6, frames: [{ path: '/s', text: 'f' }] }, { atUs: 7 }], { notes: [{ n: 0 }, { n: 1 }, { n: 2 }], page: 2, endedProfit: -1.5 })
    expect(reads).toEqual(['/desk?standing=true&from=0&limit=1', '/desk?from=0&standing=true', '/desk?from=2&standing=true', '/desk?from=3'])
    expect(words.heard).toEqual([[[{ path: '/s', text: 'f' }], [{ n: 0 }, { n: 1 }, { n: 2 }], 6], [[], [], 7]])
    expect(words.seats).toEqual([{ ...SEAT, ended_profit: -1.5 }])
    // 10 dollars, of which positions before it came have lost 1.5.
    expect(summary).toMatchObject({ turns: 2, calls: 0, capitalMicros: 8_500_000, freeMicros: 8_500_000, profitMicros: -1_500_000 })
  })

  it('shows the strategy what it is told, and makes calls of what it wishes, in its order', async () => {
    const views: unknown[] = []
    const note = (name: string) => (view: object, desk: MakerDesk): void => { views.push([name, desk.nowUs, Object.fromEntries(['request', 'position', 'auction'].map((key) => [key, (view as Record<string, unknown>)[key]]))]) }
    const { words, acts, summary } = await played({
      onRequest: (view, desk) => {
        note('onRequest')(view, desk)
        quote(view, desk)
        desk.withdrawQuote(view)
      },
      onBest: note('onBest'), onOpened: note('onOpened'), onSettled: note('onSettled'), onBought: note('onBought'), onBestBid: note('onBestBid'),
      onSelected: (view, desk) => { desk.decline(view) },
      onCashOut: (view, desk) => { desk.bid(view, { priceMicros: 120, validUs: 4 * SECOND }) },
    }, [
      { next: [request(1, 11), told('onBest', { request: 1, version: 1 }, 12), told('onSelected', selection(1), 13), told('onBidTaken', { ...selection(1), position: 3 }, 14)] },
      { next: [told('onCashOut', auction, 15), told('onBestBid', auction, 16), told('onOpened', position(), 17), told('onBought', position({ isHolder: true, costMicros: 40 }), 18), { ...told('onBid', position(), 19), sale: { auction: 8, bestPriceMicros: 30 } }] },
      { next: [told('onSettled', position({ profitMicros: 25 }), 20)] },
      { next: [told('onSettled', position({ isHolder: true, costMicros: 40, profitMicros: -15 }), 21)] },
    ])
    expect(views).toEqual([
      ['onRequest', 11, { request: 1 }], ['onBest', 12, { request: 1 }], ['onBestBid', 16, { auction: 1, position: 1 }], ['onOpened', 17, { request: 1, position: 1 }], ['onBought', 18, { request: 1, position: 1 }],
      ['onSettled', 20, { request: 1, position: 1 }], ['onSettled', 21, { request: 1, position: 1 }],
    ])
    // A bid that was taken is confirmed where the strategy does not say.
    expect(words.wishes).toEqual([
      { kind: 'quote', request: 1, version: 1, oddsE4: 25_000, probability: 0.4, validUs: 3 * SECOND }, { kind: 'withdraw', request: 1 }, { kind: 'decide', request: 1, quote: 4, position: NaN, confirm: false },
      { kind: 'decide', request: 1, quote: 4, position: 3, confirm: true }, { kind: 'bid', auction: 6, version: 2, priceMicros: 120, validUs: 4 * SECOND },
    ])
    expect(acts.map((of) => of.map((act) => [(act as { path: string }).path, act.tag]))).toEqual([[['/quote', 11], ['/withdraw', 11], ['/decide', 13], ['/decide', 14]], [['/bid', 15]], [], []])
    expect(summary).toMatchObject({ turns: 4, calls: 5, requests: 1, opened: 1, ended: 2, profitMicros: 10, capitalMicros: 10_000_010, freeMicros: 10_000_010, openRiskMicros: 0 })
  })

  it('hears what its desk was told last, does nothing about it, and says when it could not read that', async () => {
    const handlers: MakerHandlers = { onRequest: quote }
    const turns = [{ next: [told('onOpened', position(), 17)] }, { why: 'over' as const, next: [told('onSettled', position({ profitMicros: 25 }), 20), request(1, 21)] }]
    const notes = [{ n: 0 }, { n: 1 }]
    const { reads, acts, summary, said, words } = await played(handlers, turns, { notes, page: 1, overFrom: 4 })
    expect(reads.slice(3)).toEqual(['/desk?from=2', '/desk?from=2'])
    expect([words.wishes, acts, said]).toEqual([[], [[], []], []])
    expect(summary).toMatchObject({ turns: 1, calls: 0, opened: 1, ended: 1, profitMicros: 25, openRiskMicros: 0 })
    const gone = await played(handlers, turns, { notes, goneFrom: 3 })
    expect(gone.summary).toMatchObject({ opened: 1, ended: 1 })
    const lost = await played(handlers, turns, { notes, goneFrom: 2 })
    expect(lost.summary).toMatchObject({ opened: 1, ended: 0, openRiskMicros: 90 })
    expect(lost.said).toEqual(['the service was gone before this client had read what it was told last: the figures may lack it'])
    await expect(played({ onSettled: () => { throw new Error('broken') } }, turns, { notes })).rejects.toThrow('broken')
  })

  it('has at risk what it is told of, until that ends', async () => {
    const at: unknown[] = []
    const see = (_: unknown, desk: MakerDesk): void => { at.push([desk.freeMicros, desk.capitalMicros]) }
    const ends = (...sequence: readonly MakerTold[]) => played({ onOpened: see, onBought: see, onSettled: see }, [{ next: sequence }])
    const { summary } = await ends(told('onOpened', position()), told('onBought', position({ isHolder: true, costMicros: 40 })), told('onSettled', position({ profitMicros: -90 })))
    expect(at).toEqual([[9_999_910, 10_000_000], [9_999_870, 10_000_000], [9_999_870, 9_999_910]])
    expect(summary).toMatchObject({ freeMicros: 9_999_870, openRiskMicros: 0, ended: 1, profitMicros: -90 })
    expect((await ends(told('onOpened', position()))).summary).toMatchObject({ openRiskMicros: 90, opened: 1, ended: 0 })
  })

  it('is called again when it asked to be, with what it was told', async () => {
    const calls: unknown[] = []
    const handlers: MakerHandlers = {
      onRequest: (view, desk) => { desk.later(view, 20) },
      onLater: (view, desk) => { calls.push(['onLater', view.request, desk.nowUs]) },
      onSelected: (view, desk) => { desk.decideLater(view, 30) },
      onDecision: (view, desk) => {
        calls.push(['onDecision', view.quote, desk.nowUs])
        desk.confirm(view)
      },
    }
    const { acts } = await played(handlers, [{ next: [request(1, 10), told('onSelected', selection(1), 11)] }])
    expect(acts).toEqual([[{ wakeUs: 30, tag: { ...request(1, 30), kind: 'onLater' } }, { wakeUs: 41, tag: { ...told('onSelected', selection(1), 41), kind: 'onDecision' } }]])
    const [later, decision] = acts[0]!
    const woken = await played(handlers, [{ why: 'wake', atUs: 33, tag: later!.tag }, { why: 'wake', atUs: 44, tag: decision!.tag }])
    expect(calls).toEqual([['onLater', 1, 33], ['onDecision', 1, 44]])
    expect(woken.words.wishes).toMatchObject([{ kind: 'decide', confirm: true }])
    expect(woken.summary.calls).toBe(1)
  })

  it('waits again for what it waited for when the session dropped it, and not for what has been', async () => {
    const { acts, words, summary } = await played({ onRequest: (view, desk) => { desk.later(view, 20) } }, [
      { next: [request(1, 10)] }, { next: [request(2, 11)] }, (before) => ({ why: 'wake', atUs: 30, tag: before[0]![0]!.tag }), { why: 'joined', atUs: 90 }, { why: 'joined', atUs: 91 },
    ])
    expect([words.returns, summary.calls]).toEqual([2, 0])
    expect(acts.slice(2)).toEqual([[], acts[1], acts[1]])
    expect(acts[1]).toEqual([{ wakeUs: 31, tag: { ...request(2, 31), kind: 'onLater' } }])
  })

  it('is told the answers, does what the service wants for them, and counts refusals by their codes', async () => {
    const acks: unknown[] = []
    const ack = { action: Action.submitQuote, refusal: Refusal.rateLimited, request: 1, quote: NaN, auction: NaN, retryAfterUs: 7, code: 'SLOW' }
    const handlers: MakerHandlers = {
      onAck: (view, desk) => {
        acks.push([view.action, view.refusal, view.request, view.quote, view.auction, view.retryAfterUs, view.deliveredAtUs, desk.nowUs])
        desk.withdrawQuote(1)
      },
    }
    const turns = [{ why: 'answer', answer: NONE, ack, atUs: 8 }, { why: 'answer', answer: NONE, ack, atUs: 9 }, { why: 'answer', answer: NONE, ack: null }, { why: 'answer' }] as const
    const { acts, summary } = await played(handlers, turns)
    expect(acks).toEqual([8, 9].map((atUs) => [Action.submitQuote, Refusal.rateLimited, 1, NaN, NaN, 7, atUs, atUs]))
    expect(acts.map((of) => of.map((act) => act.tag))).toEqual([['own', 8], ['own', 9], ['own'], []])
    expect([summary.calls, [...summary.refusals]]).toEqual([5, [['SLOW', 2]]])
    let kept: AckView | null = null
    await played({ onAck: (view) => { kept = view } }, [{ why: 'answer', answer: NONE, ack }])
    expect(() => kept!.request).toThrow('a view holds during its handler only')
    const silent = await played({}, [{ why: 'answer', answer: NONE, ack: { ...ack, code: 'NONE' } }])
    expect([silent.acts.map((of) => of.length), [...silent.summary.refusals]]).toEqual([[1], [['NONE', 1]]])
  })

  it('withdraws once what stands when it leaves, and tells the strategy nothing more', async () => {
    const withdrawal = { method: 'DELETE', path: '/q', tag: 1 } as const
    const other = { ...withdrawal, path: '/r' }
    const ack = { action: Action.submitQuote, refusal: Refusal.none, request: 1, quote: 2, auction: NaN, retryAfterUs: NaN, code: 'LATE' }
    const { acts, summary } = await played({ onRequest: quote, onAck: (_, desk) => { desk.withdrawQuote(1) } }, [
      { next: [request(1)] }, { leaves: [withdrawal], next: [request(2)] }, { leaves: [withdrawal, other], why: 'answer', answer: NONE, ack }, { leaves: [], why: 'answer' },
    ])
    expect(acts.slice(1)).toEqual([[withdrawal], [other], []])
    expect([summary.turns, summary.calls, summary.requests, [...summary.refusals]]).toEqual([1, 3, 1, [['LATE', 1]]])
  })

  const held = position({ isHolder: true, costMicros: 40 })
  const bought = told('onBought', held, 10)
  const ended = (outcome: AuctionOutcome, bestPriceMicros: number, profitMicros = 0): MakerTold => ({ ...told('onAuctionEnded', { ...held, profitMicros }, 60), sale: { auction: NaN, bestPriceMicros, outcome } })
  const bid = (priceMicros: number, auctionNumber = 8): MakerTold => ({ ...told('onBid', held, 50), sale: { auction: auctionNumber, bestPriceMicros: priceMicros } })
  const saleAck = (action: Action, more: Partial<MakerAck> = {}): MakerAck =>
    ({ action, refusal: Refusal.none, request: NaN, quote: NaN, auction: 8, position: 3, retryAfterUs: NaN, ...more })
  const answer = (ack: MakerAck): Played => ({ why: 'answer', answer: NONE, ack, atUs: 40 })
  /** A maker that opens an auction of what it bought, takes bids of 30, and notes what it is shown. */
  const selling = (seen: unknown[]): MakerHandlers => {
    const see = (name: string, { canCashOut, isAuctioned, auctions, askedAtUs, bestPriceMicros, checks, profitMicros }: PositionView, ...more: unknown[]): void => {
      seen.push([name, canCashOut, isAuctioned, auctions, askedAtUs, bestPriceMicros, checks, profitMicros, ...more])
    }
    return {
      onBought(view, desk) {
        see('onBought', view)
        desk.checkIn(view, 5)
      },
      onCheck(view, desk) {
        see('onCheck', view)
        if (view.canCashOut) desk.openCashOut(view)
      },
      onBid(view, desk) {
        see('onBid', view)
        if (view.bestPriceMicros >= 30) desk.takeBid(view, 30)
        else desk.cancelCashOut(view)
      },
      onAuctionEnded: (view, outcome) => { see('onAuctionEnded', view, outcome) },
      onCashOutRefused: (view, { action, refusal, retryAfterUs }) => { see('onCashOutRefused', view, action, refusal, retryAfterUs) },
      onAck: () => { seen.push('onAck') },
    }
  }

  it('sells what it took over: opens an auction, takes a bid, and books what that brings', async () => {
    const seen: unknown[] = []
    const { words, summary } = await played(selling(seen), [
      { next: [bought] }, (before) => ({ why: 'wake', atUs: 30, tag: before[0]![0]!.tag }), answer(saleAck(Action.openCashOut)), { next: [bid(20)] },
      answer(saleAck(Action.cancelCashOut, { refusal: Refusal.notOpen, retryAfterUs: 7, code: 'GONE' })), { next: [bid(30)] },
      answer(saleAck(Action.takeBid, { refusal: Refusal.notConfirmed, isOfferGone: true, code: 'TIMED_OUT' })), { next: [bid(35)] },
      answer(saleAck(Action.takeBid)), { next: [ended(AuctionOutcome.sold, 34, -6), told('onCheck', held, 70), bid(36)] },
    ])
    expect(words.wishes).toEqual([
      { kind: 'openCashOut', position: 3 }, { kind: 'cancelCashOut', position: 3 }, { kind: 'takeBid', position: 3, minPriceMicros: 30 }, { kind: 'takeBid', position: 3, minPriceMicros: 30 },
    ])
    expect(seen).toEqual([
      ['onBought', true, false, 0, NaN, NaN, 0, 0], ['onCheck', true, false, 0, NaN, NaN, 1, 0], ['onBid', false, true, 1, 30, 20, 1, 0],
      ['onCashOutRefused', false, true, 1, 30, 20, 1, 0, Action.cancelCashOut, Refusal.notOpen, 7], ['onBid', false, true, 1, 30, 30, 1, 0],
      ['onCashOutRefused', false, true, 1, 30, NaN, 1, 0, Action.takeBid, Refusal.notConfirmed, NaN], ['onBid', false, true, 1, 30, 35, 1, 0],
      ['onAuctionEnded', false, false, 1, 30, 34, 1, -6, AuctionOutcome.sold],
    ])
    expect(summary).toMatchObject({ ended: 1, profitMicros: -6, capitalMicros: 9_999_994, freeMicros: 9_999_994 })
    expect([...summary.refusals]).toEqual([['GONE', 1], ['TIMED_OUT', 1]])
  })

  it('may open another auction after one that ended without a sale, and hears no answer about the first', async () => {
    const seen: unknown[] = []
    const { words } = await played(selling(seen), [
      { next: [bought] }, (before) => ({ why: 'wake', atUs: 30, tag: before[0]![0]!.tag }), answer(saleAck(Action.openCashOut)), { next: [bid(30), ended(AuctionOutcome.expired, NaN), told('onCheck', held, 70)] },
      answer(saleAck(Action.openCashOut, { auction: 9 })), answer(saleAck(Action.takeBid, { refusal: Refusal.notOpen, code: 'GONE' })), { next: [bid(31, 9)] },
    ])
    expect(words.wishes.map(({ kind }) => kind)).toEqual(['openCashOut', 'takeBid', 'openCashOut', 'takeBid'])
    expect(seen.slice(3)).toEqual([['onAuctionEnded', true, false, 1, 30, NaN, 1, 0, AuctionOutcome.expired], ['onCheck', true, false, 1, 30, NaN, 2, 0], ['onBid', false, true, 2, 70, 31, 2, 0]])
  })

  it.each([['with', [bid(30)]], ['without', []]])('may open another auction after one whose end it was told before its number, %s a bid', async (_name, bids) => {
    const seen: unknown[] = []
    const { words } = await played(selling(seen), [
      { next: [bought] }, (before) => ({ why: 'wake', atUs: 30, tag: before[0]![0]!.tag }), { next: [...bids, ended(AuctionOutcome.expired, NaN)] },
      answer(saleAck(Action.openCashOut)), { next: [told('onCheck', held, 70)] },
    ])
    expect(seen.slice(-2)).toEqual([['onAuctionEnded', true, false, 1, 30, NaN, 1, 0, AuctionOutcome.expired], ['onCheck', true, false, 1, 30, NaN, 2, 0]])
    expect(words.wishes.at(-1)).toEqual({ kind: 'openCashOut', position: 3 })
  })

  it('hears that what it was about was refused when its answer is lost, and of an auction that runs all the same by its bids', async () => {
    const seen: unknown[] = []
    await played(selling(seen), [
      { next: [bought] }, (before) => ({ why: 'wake', atUs: 30, tag: before[0]![0]!.tag }), { why: 'joined', atUs: 31 }, { next: [bid(30)] }, { why: 'joined', atUs: 55 }, { why: 'joined', atUs: 56 },
    ])
    expect(seen.slice(2)).toEqual([
      ['onCashOutRefused', true, false, 0, 30, NaN, 1, 0, Action.openCashOut, Refusal.unavailable, NaN], ['onBid', false, true, 1, 30, 30, 1, 0],
      ['onCashOutRefused', false, true, 1, 30, 30, 1, 0, Action.takeBid, Refusal.unavailable, NaN],
    ])
  })

  it('is refused with the credential of another', async () => {
    await expect(played({}, [], { seat: { ...SEAT, name: 'theirs' } })).rejects.toMatchObject({ name: 'InputError', message: 'the credential is not of the maker ours', hint: 'it has the seats theirs (bettor), theirs (maker)' })
  })
})
