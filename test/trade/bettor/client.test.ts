import { describe, expect, it } from 'vitest'
import { type BettorStrategy, bettor } from '../../../src/agent/bettor.ts'
import { Side } from '../../../src/agent/vocabulary.ts'
import { BettorClient } from '../../../src/trade/bettor/bettorClient.ts'
import { type BettorWords, type Heard, NOTHING } from '../../../src/trade/bettor/bettorWords.ts'
import type { Act, Answer, Link, Turn } from '../../../src/trade/link.ts'
import { ParlayBettor } from '../../../src/trade/parlay/bettor.ts'
import { namesOf } from './listed.ts'

const NOW_US = 1_000_000_000
const ANSWER: Answer = { status: 200, headers: {}, body: 'said' }
const MARKETS: Heard = { told: [{ kind: 'markets', markets: [{ name: 'a', exclusionKeys: [], isOpen: true, names: namesOf('a') }] }], acts: [] }
const still = bettor({}, () => ({ onArrival() {}, onDecision() {} })) as unknown as BettorStrategy

/** Bets on `a` at its price, and commits at once. */
const eager = (prices: number[]): BettorStrategy => bettor({}, () => ({
  onArrival(intent, desk) {
    intent.setLeg(0, 0, Side.yes)
    intent.setLegCount(1)
    prices.push(desk.legPrice(intent.legs, 0, { priceType: 'mid', maxAgeUs: Infinity }))
    desk.requestQuote(intent, { betMicros: 5, minOddsE4: 15_000, decideInUs: 10 })
  },
  onDecision: (intent, desk) => { desk.commit(intent) },
})) as unknown as BettorStrategy

/** A client of words that say what `says` has for each of their methods, and note how they were called. Its session has one tick of prices. */
function playing(strategy: BettorStrategy, says: { begun?: readonly Act[]; framesCame?: Heard; answered?: Heard; woken?: Heard; leaving?: readonly Act[]; wished?: readonly Act[]; cameBack?: BettorWords['cameBack'] } = {}, betsMax?: number) {
  const calls: unknown[][] = []
  const noted = <T>(name: string, said: T) => (...args: unknown[]): T => {
    calls.push([name, ...args])
    return said
  }
  const words: BettorWords = {
    channels: [], refusals: new Map([['LATE', 2]]), begun: noted('begun', says.begun ?? []), framesCame: noted('framesCame', says.framesCame ?? NOTHING), wished: noted('wished', says.wished ?? []),
    answered: noted('answered', says.answered ?? NOTHING), woken: noted('woken', says.woken ?? NOTHING), leaving: noted('leaving', says.leaving ?? []),
    cameBack: says.cameBack ?? ((asked) => asked),
  }
  const client = new BettorClient({ name: 'ours', seed: 's', strategy, values: {}, ratePerHour: 3600, ...(betsMax === undefined ? {} : { betsMax }) }, words)
  let act: (turn: Turn) => Promise<readonly Act[]> = () => Promise.resolve([])
  const tick = { at_us: 1, market: 'a', yes_bid: 0.4, yes_ask: 0.6, yes_bid_size: 1, yes_ask_size: 1, last: null, has_book: true }
  const link: Link = {
    play: (turn) => {
      act = turn
      return Promise.resolve()
    },
    read: (path) => {
      calls.push(['read', path])
      return Promise.resolve({ status: 200, headers: {}, body: JSON.stringify({ next: 1, has_more: false, prices: [tick] }) })
    },
  }
  const leaving = new AbortController()
  void client.play(link, leaving.signal)
  return { client, calls, leave: () => { leaving.abort() }, turn: (more: Partial<Turn>) => act({ atUs: NOW_US, why: 'told', frames: [], ...more }) }
}

const call = (path: string, tag: unknown): Act => ({ method: 'POST', path, tag })

describe('a bettor that cannot be a client', () => {
  const traded = (strategy: BettorStrategy, ratePerHour: number) => () =>
    new BettorClient({ name: 'ours', seed: 's', strategy, values: {}, ratePerHour }, new ParlayBettor())

  it.each([0, -1, NaN, Infinity])('comes %d times an hour', (rate) => {
    expect(traded(still, rate)).toThrow(`bettors come at a rate above 0, not ${rate}`)
    expect(traded(still, 0.1)).not.toThrow()
  })

  it('looks ahead', () => {
    expect(traded({ ...still, horizonUs: () => 1 }, 1)).toThrow('the bettor has horizonUs: inside of a session it sees prices ahead of time, and no client is told them sooner than others')
  })
})

describe('a bettor’s client', () => {
  it('begins with what the words do, and counts their calls', async () => {
    const { client, turn, calls } = playing(still, { begun: [call('/a', 'x'), { wakeUs: 5, tag: 'y' }, call('/b', 'z')] })
    expect(await turn({ why: 'begin' })).toEqual([call('/a', { of: 'words', tag: 'x' }), { wakeUs: 5, tag: { of: 'words', tag: 'y' } }, call('/b', { of: 'words', tag: 'z' })])
    expect(client.summary).toEqual({ calls: 2, refusals: new Map([['LATE', 2]]), arrivals: 0, requests: 0, fills: 0, sales: 0, stakedMicros: 0, soldMicros: 0 })
    expect(calls).toEqual([['begun']])
  })

  it('does nothing any more when the session is over', async () => {
    const { client, turn, calls } = playing(still, { begun: [call('/a', 'x')] })
    expect(await turn({ why: 'over', frames: [{ path: '/v1/stream', text: 'frame' }] })).toEqual([])
    expect([client.summary.calls, calls]).toEqual([0, []])
  })

  it('brings frames, answers and wakes to the words, and reads prices only where the strategy may look', async () => {
    const { turn, calls } = playing(still, { answered: { told: [], acts: [call('/c', 'w')] } }, 0)
    const frames = [{ path: '/v1/stream', text: 'frame' }]
    expect(await turn({ frames })).toEqual([])
    expect(await turn({ why: 'answer', answer: ANSWER, tag: { of: 'words', tag: 'x' } })).toEqual([call('/c', { of: 'words', tag: 'w' })])
    expect(await turn({ why: 'wake', tag: { of: 'words', tag: 'y' }, atUs: NOW_US + 1 })).toEqual([])
    expect(calls).toEqual([
      ['framesCame', frames, NOW_US], ['framesCame', [], NOW_US], ['answered', 'x', ANSWER, NOW_US], ['framesCame', [], NOW_US + 1], ['woken', 'y', NOW_US + 1, false],
    ])
  })

  it('calls its strategy about what is told, and at the times that the strategy has asked for', async () => {
    const prices: number[] = []
    const { client, turn, calls } = playing(eager(prices), { woken: { ...MARKETS, acts: [call('/own', 'o')] }, wished: [call('/ask', 'q')] }, 1)
    const [arrival, own] = await turn({ why: 'wake', tag: { of: 'words', tag: 'list' } })
    expect(arrival).toMatchObject({ tag: { of: 'host', wake: { kind: 'arrival', arrival: 0 } } })
    expect(own).toEqual(call('/own', { of: 'words', tag: 'o' }))
    expect(calls).toEqual([['framesCame', [], NOW_US], ['woken', 'list', NOW_US, true], ['read', '/prices?ticks=latest&from=0&limit=1000']])
    calls.length = 0
    const [asked, decision, ...more] = await turn({ why: 'wake', tag: arrival!.tag })
    expect(asked).toEqual(call('/ask', { of: 'words', tag: 'q' }))
    expect(decision).toMatchObject({ wakeUs: NOW_US + 10, tag: { of: 'host', wake: { kind: 'decision' } } })
    expect([more, prices]).toEqual([[], [0.5]])
    expect(calls).toEqual([
      ['framesCame', [], NOW_US], ['read', '/prices?ticks=latest&from=1&limit=1000'], ['wished', { kind: 'requestQuote', arrival: 0, legs: [{ market: 'a', side: 'yes' }], betMicros: 5 }, NOW_US],
    ])
    expect(client.summary).toMatchObject({ calls: 2, arrivals: 1, requests: 1 })
  })

  it('hears each thing, and what its strategy wishes of it, in the order in which the service told it', async () => {
    const requested: Heard = { told: [{ kind: 'requested', arrival: 0, refusal: 0, retryAfterUs: NaN }, { kind: 'best', arrival: 0, oddsE4: 20_000 }], acts: [call('/after', 'a')] }
    const { turn } = playing(eager([]), { woken: MARKETS, answered: requested, wished: [call('/wish', 'w')] })
    const [arrival] = await turn({ why: 'wake', tag: { of: 'words', tag: 'list' } })
    const acts = await turn({ why: 'wake', tag: arrival!.tag })
    expect(await turn({ why: 'answer', answer: ANSWER, tag: acts.at(-2)!.tag })).toEqual([call('/after', { of: 'words', tag: 'a' })])
    expect(await turn({ why: 'wake', tag: acts.at(-1)!.tag, atUs: NOW_US + 10 })).toEqual([call('/wish', { of: 'words', tag: 'w' })])
  })

  it('begins in its first turn, though time has begun before', async () => {
    const { turn, calls } = playing(still, { begun: [call('/a', 'x')], cameBack: () => [call('/never', 'n')] })
    expect(await turn({ why: 'joined' })).toEqual([call('/a', { of: 'words', tag: 'x' })])
    expect(calls).toEqual([['begun']])
  })

  it('is back with the calls that nobody has answered, and the times that have not come, in their order', async () => {
    const back: unknown[] = []
    const cameBack: BettorWords['cameBack'] = (asked, nowUs) => {
      back.push(asked, nowUs)
      return [call('/back', 'b'), { wakeUs: 1, tag: 'own' }]
    }
    const { client, turn } = playing(still, { begun: [call('/a', 'x'), { wakeUs: 9, tag: 'y' }, call('/b', 'z'), { wakeUs: 7, tag: 'w' }, { wakeUs: 8, tag: 'v' }], cameBack })
    const [, later, answered, sooner, due] = await turn({ why: 'begin' })
    await turn({ why: 'answer', answer: ANSWER, tag: answered!.tag })
    await turn({ why: 'wake', tag: due!.tag })
    const acts = await turn({ why: 'joined', atUs: NOW_US + 5 })
    expect(back).toEqual([[call('/a', 'x')], NOW_US + 5])
    expect(acts).toEqual([call('/back', { of: 'words', tag: 'b' }), { wakeUs: 1, tag: { of: 'words', tag: 'own' } }, sooner, later])
    expect(client.summary.calls).toBe(3)
    // What it does as it is back is waited for too, and nothing of before.
    expect(await turn({ why: 'joined' })).toHaveLength(5)
    expect(back[2]).toEqual([call('/back', 'b')])
  })

  it('makes a call that it has made before once more where that is turned away, and hears any other answer of it', async () => {
    const { client, turn, calls } = playing(still, { begun: [call('/a', 'x')] })
    const [first] = await turn({ why: 'begin' })
    const said = (status: number, tag: unknown) => turn({ why: 'answer', answer: { status, headers: { 'retry-after': '4' }, body: '' }, tag })
    const [again] = await turn({ why: 'joined' })
    expect(again).toEqual(first)
    const [wake] = await said(429, again!.tag)
    expect(wake).toEqual({ wakeUs: NOW_US + 4_000_000, tag: { of: 'again', call: again } })
    expect([await turn({ why: 'wake', tag: wake!.tag }), client.summary.calls]).toEqual([[again], 3])
    expect(calls.filter(([name]) => name === 'answered')).toEqual([])
    expect(await said(503, again!.tag)).toHaveLength(1)
    expect(await said(409, again!.tag)).toEqual([])
    expect(calls.filter(([name]) => name === 'answered')).toEqual([['answered', 'x', expect.objectContaining({ status: 409 }), NOW_US]])
  })

  it('waits for the call itself where it is back before that was to be made once more', async () => {
    const { turn } = playing(still, { begun: [call('/a', 'x')] })
    await turn({ why: 'begin' })
    const [again] = await turn({ why: 'joined' })
    const [wake] = await turn({ why: 'answer', answer: { ...ANSWER, status: 429 }, tag: again!.tag })
    expect(wake).toEqual({ wakeUs: NOW_US + 1_000_000, tag: { of: 'again', call: again } })
    expect(await turn({ why: 'joined' })).toEqual([wake])
  })

  it('ends, as it leaves, once what is open, also by an answer that comes only then', async () => {
    const { client, turn, calls, leave } = playing(still, { answered: { told: MARKETS.told, acts: [call('/next', 'n')] }, leaving: [call('/r/cancel', 'c')] })
    leave()
    expect(await turn({})).toEqual([call('/r/cancel', { of: 'words', tag: 'c' })])
    expect(await turn({ why: 'answer', answer: ANSWER, tag: { of: 'words', tag: 'x' } })).toEqual([])
    expect(await turn({ why: 'wake', tag: { of: 'words', tag: 'y' } })).toEqual([])
    expect(calls).toEqual([['leaving', NOW_US], ['answered', 'x', ANSWER, NOW_US], ['leaving', NOW_US], ['leaving', NOW_US]])
    expect(client.summary.calls).toBe(1)
  })
})
