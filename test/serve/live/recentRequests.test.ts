import { describe, expect, it } from 'vitest'
import type { LiveVenue, Noted, OfferFacts, RequestFacts } from '../../../src/serve/live/liveVenue.ts'
import { keyOf, RecentRequests } from '../../../src/serve/live/recentRequests.ts'

const facts = (more: Partial<RequestFacts> = {}): RequestFacts =>
  ({ owner: 9, isCashOut: false, legs: [{ market: 1, side: 1 }], amountMicros: 5_000_000, state: 'active', isOpen: true, best: -1, untilUs: 99, ...more })
const quote = (maker: number, more: Partial<OfferFacts> = {}): OfferFacts =>
  ({ maker, state: 'live', isLive: true, isTaken: false, oddsE4: 20_000, priceMicros: -1, riskMicros: 5_000_000, untilUs: 50, ...more })

/** A service of requests and offers that a test sets, by number. */
function service(before: readonly Noted[] = []) {
  const requests = new Map<number, RequestFacts>()
  const offers = new Map<number, OfferFacts>()
  const venue: Pick<LiveVenue, 'known' | 'request' | 'offer'> = {
    known: () => before, request: ({ number }) => requests.get(number) ?? null, offer: (_, number) => offers.get(number) ?? null,
  }
  return { requests, offers, recent: (countMax = 3) => new RecentRequests(venue as LiveVenue, [1, 2], countMax) }
}

const came = (number: number, isAuction = false): Noted => ({ isAuction, number, isNew: true, offer: null })
const offered = (request: number, maker: number, number: number): Noted => ({ isAuction: false, number: request, isNew: false, offer: { maker, number } })

describe('recent requests', () => {
  it('are the newest, the newest first, a cash-out apart from the request of its number', () => {
    const recent = service().recent()
    for (const number of [1, 2, 3]) recent.take(came(number), number)
    recent.take(came(3, true), 4)
    expect(recent.newest().map(({ key, atUs }) => [key, atUs])).toEqual([['a3', 4], ['r3', 3], ['r2', 2]])
    expect(recent.get('r1')).toBeNull()
    expect(keyOf({ isAuction: true, number: 12 })).toBe('a12')
  })

  it('begin with what was offered for before anybody looked, of an unknown time', () => {
    const recent = service([offered(4, 1, 40), offered(4, 2, 41), offered(5, 1, 50)]).recent()
    expect(recent.newest().map(({ key, atUs, offers }) => [key, atUs, [...offers]])).toEqual([['r5', -1, [[1, 50]]], ['r4', -1, [[1, 40], [2, 41]]]])
  })

  it('keep those that somebody has opened, however many come, until nobody has', () => {
    const recent = service().recent()
    for (const number of [1, 2, 3]) recent.take(came(number), number)
    recent.keep(new Set(['r1']))
    for (let number = 4; number < 100; number++) recent.take(came(number), number)
    expect(recent.newest().map(({ key }) => key)).toEqual(['r99', 'r98', 'r1'])
    recent.keep(new Set())
    recent.take(came(100), 100)
    expect(recent.newest().map(({ key }) => key)).toEqual(['r100', 'r99', 'r98'])
  })

  it('have the last offer of each maker, and pass over offers for a request that was dropped', () => {
    const { recent: make, offers } = service()
    const recent = make(1)
    recent.take(came(1), 1)
    recent.take(offered(1, 1, 10), 2)
    recent.take(offered(1, 2, 11), 2)
    recent.take(offered(1, 1, 12), 3)
    recent.take(offered(7, 1, 13), 3)
    offers.set(11, quote(2)).set(12, quote(1))
    expect(recent.newest()).toHaveLength(1)
    expect(recent.offersFor(recent.get('r1')!).map(({ maker, number }) => [maker, number])).toEqual([[1, 12], [2, 11]])
  })

  it('are shown as they were known last when the service has forgotten them', () => {
    const { recent: make, requests, offers } = service()
    const recent = make()
    recent.take(came(1), 1)
    recent.take(offered(1, 1, 10), 2)
    expect(recent.get('r1')!.facts).toBeNull()
    expect(recent.offersFor(recent.get('r1')!)).toEqual([])
    requests.set(1, facts({ state: 'expired', isOpen: false }))
    offers.set(10, quote(1, { state: 'expired' }))
    expect(recent.get('r1')!.facts).toMatchObject({ state: 'expired' })
    expect(recent.offersFor(recent.get('r1')!)).toMatchObject([{ maker: 1, state: 'expired' }])
    requests.clear()
    offers.clear()
    expect(recent.get('r1')!.facts).toMatchObject({ state: 'expired' })
    expect(recent.offersFor(recent.get('r1')!)).toMatchObject([{ maker: 1, state: 'expired' }])
  })

  it('have of a cash-out what is for sale, also when the position has gone', () => {
    const { recent: make, requests } = service()
    const recent = make()
    recent.take({ ...came(1, true), sale: { legs: [{ market: 3, side: 0 }], amountMicros: 70 } }, 1)
    requests.set(1, facts({ isCashOut: true, legs: [], amountMicros: -1 }))
    const known = { isCashOut: true, state: 'active', legs: [{ market: 3, side: 0 }], amountMicros: 70 }
    expect(recent.get('a1')!.facts).toMatchObject(known)
    requests.clear()
    expect(recent.get('a1')!.facts).toMatchObject(known)
  })

  it('have a best offer while they are open, and the one that was taken afterwards', () => {
    const { recent: make, requests, offers } = service()
    const recent = make()
    recent.take(came(1), 1)
    recent.take(offered(1, 1, 10), 2)
    recent.take(offered(1, 2, 11), 2)
    offers.set(10, quote(1)).set(11, quote(2))
    const best = (): number | null => recent.bestOf(recent.get('r1')!)?.maker ?? null
    expect(best()).toBeNull()
    requests.set(1, facts({ best: 11 }))
    expect(best()).toBe(2)
    requests.set(1, facts())
    expect(best()).toBeNull()
    requests.set(1, facts({ isOpen: false }))
    expect(best()).toBeNull()
    offers.set(10, quote(1, { isLive: false, isTaken: true }))
    expect(best()).toBe(1)
    offers.clear()
    expect(best()).toBe(1)
  })

  it('have the accepted offer also when the service names it as the best one and has forgotten it', () => {
    const { recent: make, requests, offers } = service()
    const recent = make()
    recent.take(came(1), 1)
    recent.take(offered(1, 1, 10), 2)
    offers.set(10, quote(1))
    const best = (): number | null => recent.bestOf(recent.get('r1')!)?.maker ?? null
    requests.set(1, facts({ best: 10, isOpen: false }))
    expect(best()).toBe(1)
    offers.clear()
    expect(best()).toBe(1)
  })
})
