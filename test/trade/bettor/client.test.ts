import { describe, expect, it } from 'vitest'
import { type BettorStrategy, bettor } from '../../../src/agent/bettor.ts'
import { Side } from '../../../src/agent/vocabulary.ts'
import { BettorClient } from '../../../src/trade/bettor/bettorClient.ts'
import { type BettorWords, type Heard, NOTHING } from '../../../src/trade/bettor/bettorWords.ts'
import type { Act, Answer, Link, Turn } from '../../../src/trade/link.ts'
import { ParlayBettor } from '../../../src/trade/parlay/bettor.ts'

const NOW_US = 1_000_000_000
const ANSWER: Answer = { status: 200, headers: {}, body: 'said' }
const MARKETS: Heard = { told: [{ kind: 'markets', markets: [{ name: 'a', exclusionKeys: [], isOpen: true }] }], acts: [] }
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
function playing(strategy: BettorStrategy, says: { begun?: readonly Act[]; framesCame?: Heard; answered?: Heard; woken?: Heard; leaving?: readonly Act[]; wished?: readonly Act[] } = {}, betsMax?: number) {
  const calls: unknown[][] = []
  const noted = <T>(name: string, said: T) => (...args: unknown[]): T => {
    calls.push([name, ...args])
    return said
  }
  const words: BettorWords = {
    channels: [], refusals: new Map([['LATE', 2]]), begun: noted('begun', says.begun ?? []), framesCame: noted('framesCame', says.framesCame ?? NOTHING), wished: noted('wished', says.wished ?? []),
    answered: noted('answered', says.answered ?? NOTHING), woken: noted('woken', says.woken ?? NOTHING), leaving: noted('leaving', says.leaving ?? []),
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
    expect(traded({ ...still, horizonUs: () => 1 }, 1)).toThrow('the strategy looks ahead')
  })
})

describe('a bettor’s client', () => {
  it('begins with what the words do, and counts their calls', async () => {
    const { client, turn, calls } = playing(still, { begun: [call('/a', 'x'), { wakeUs: 5, tag: 'y' }, call('/b', 'z')] })
    expect(await turn({ why: 'begin' })).toEqual([call('/a', { of: 'words', tag: 'x' }), { wakeUs: 5, tag: { of: 'words', tag: 'y' } }, call('/b', { of: 'words', tag: 'z' })])
    expect(client.summary).toEqual({ calls: 2, refusals: new Map([['LATE', 2]]), arrivals: 0, requests: 0, fills: 0, sales: 0, stakedMicros: 0, soldMicros: 0 })
    expect(calls).toEqual([['begun']])
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
