import { maker, type MakerStrategy } from '../../src/agent/maker.ts'
import type { MakerDesk } from '../../src/agent/makerDesk.ts'
import { isKnown } from '../../src/agent/vocabulary.ts'

/** Numbers that one view showed: which handler was given the view, and what the view names by numbers. */
export interface Shown {
  readonly handler: string
  readonly request?: number
  readonly quote?: number
  readonly position?: number
  readonly auction?: number
}

const NUMBERED = ['request', 'quote', 'position', 'auction'] as const
const AGES = { priceType: 'ask', maxAgeUs: 1e12 } as const

/** The numbers of a view that are no NaN, all read in the same order. */
const numbersOf = (handler: string, view: object): Shown => ({
  handler, ...Object.fromEntries(NUMBERED.flatMap((name) => {
    const number = name in view ? (view as Record<string, unknown>)[name] as number : NaN
    return isKnown(number) ? [[name, number]] : []
  })),
})

/** A maker that wins bets and buys positions, sells them again, and writes down every number that it is shown. */
export const numbered = (shown: Shown[]): MakerStrategy => {
  const quote = (request: Parameters<MakerDesk['quote']>[0], desk: MakerDesk): void => {
    const fair = desk.price(request.legs, AGES)
    if (isKnown(fair)) desk.quote(request, { probability: Math.min(0.98, fair * 1.01), validUs: 15_000_000 })
  }
  const told = <V extends object>(handler: string, act: (view: V, desk: MakerDesk) => void = () => {}) => (view: V, ...more: unknown[]): void => {
    shown.push(numbersOf(handler, view))
    act(view, more.at(-1) as MakerDesk)
  }
  return maker({}, () => ({
    onRequest: told('onRequest', quote), onBest: told('onBest'), onAck: told('onAck'), onOpened: told('onOpened'), onSettled: told('onSettled'), onBestBid: told('onBestBid'),
    onSelected: told('onSelected', (selection, desk) => { desk.confirm(selection) }),
    onBidTaken: told('onBidTaken', (selection, desk) => { desk.confirm(selection) }),
    onCashOut: told('onCashOut', (auction, desk) => { if (!auction.isSeller) desk.bid(auction, { probability: 0.4, validUs: 15_000_000 }) }),
    onBought: told('onBought', (position, desk) => { desk.openCashOut(position) }),
    onBid: told('onBid'), onAuctionEnded: told('onAuctionEnded'), onCashOutRefused: told('onCashOutRefused'),
  })) as unknown as MakerStrategy
}

/** A maker that quotes each request three times, and bids three times in each auction, at prices that nobody takes. */
export const crowding = maker({}, () => {
  const quote = (request: Parameters<MakerDesk['quote']>[0], desk: MakerDesk): void => { desk.quote(request, { probability: 0.9989, validUs: 15_000_000 }) }
  return {
    onRequest(request, desk) {
      for (const delayUs of [1, 200_000]) desk.later(request, delayUs)
      quote(request, desk)
    },
    onLater: quote,
    onCashOut(auction, desk) { if (!auction.isSeller) for (const priceMicros of [1, 2, 3]) desk.bid(auction, { priceMicros, validUs: 15_000_000 }) },
  }
}) as unknown as MakerStrategy

/** The numbers by what they count, each kind in the order in which its numbers were first shown. Auctions and bids count apart on the parlay service alone. */
export function firstShown(shown: readonly Shown[], service: 'parlay' | 'outcome'): Record<string, number[]> {
  const kinds = new Map<string, Set<number>>()
  const add = (kind: string, number: number | undefined): void => {
    if (number === undefined) return
    if (!kinds.has(kind)) kinds.set(kind, new Set())
    kinds.get(kind)!.add(number)
  }
  for (const { request, quote, position, auction } of shown) {
    add('requests', request)
    add(service === 'parlay' && auction !== undefined ? 'bids' : 'quotes', quote)
    add('positions', position)
    add(service === 'parlay' ? 'auctions' : 'requests', auction)
  }
  return Object.fromEntries([...kinds].map(([kind, numbers]) => [kind, [...numbers]]))
}

/** 1, 2, 3, … */
export const counts = (length: number): number[] => Array.from({ length }, (_, i) => i + 1)
