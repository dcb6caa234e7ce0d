import { expect, it } from 'vitest'
import { Action, isKnown, type LegsView, maker, type MakerDesk, type MakerHandlers, type MakerStrategy } from '../../src/index.ts'
import { makerSession, playInside, playMaker } from './makerPlay.ts'

type Call = readonly [handler: string, view: Readonly<Record<string, unknown>>, desk: readonly unknown[]]

/** Numbers of things inside and outside are not the same. Here each is called by its kind and by when it came up. */
class Namer {
  private readonly names = new Map<string, Map<number, string>>()

  of(kind: string, number: number): string | number {
    if (!isKnown(number)) return number
    if (!this.names.has(kind)) this.names.set(kind, new Map())
    const known = this.names.get(kind)!
    if (!known.has(number)) known.set(number, `${kind} ${known.size + 1}`)
    return known.get(number)!
  }
}

const NAMED = ['request', 'quote', 'auction', 'position']

/** Every member of a view. */
function shownOf(view: object, namer: Namer): Record<string, unknown> {
  const members = Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(view) as object)).filter((name) => name !== 'constructor')
  const read = view as Readonly<Record<string, number>>
  // Bids of the parlay service are numbered apart from its quotes.
  const isAboutBid = isKnown(read['auction'] ?? NaN) || ('deadlineAtUs' in view && isKnown(read['position']!))
  return Object.fromEntries(members.map((name) => {
    if (name === 'legs') return [name, [(view as { legs: LegsView }).legs.markets, (view as { legs: LegsView }).legs.sides]]
    return [name, NAMED.includes(name) ? namer.of(name === 'quote' && isAboutBid ? 'bid' : name, read[name]!) : read[name]]
  }))
}

function seenOn(desk: MakerDesk, legs: LegsView | undefined): unknown[] {
  const money = [desk.name, desk.nowUs, desk.freeMicros, desk.capitalMicros, desk.openPositions, desk.openRiskMicros, desk.heldPositions, desk.heldCostMicros]
  if (legs === undefined) return money
  const known = legs.markets.map((_, i) => [
    desk.legDepth(legs, i), desk.priceAgeUs(legs, i), desk.category(legs, i), desk.event(legs, i), desk.game(legs, i), desk.gameCategory(legs, i), desk.netLegRisk(legs, i),
  ])
  return [...money, desk.winProbability(legs, { priceType: 'ask', maxAgeUs: 30e6 }), desk.price(legs, { priceType: 'mid', maxAgeUs: 1e15 }), desk.exposure(legs).worst, known]
}

/** A maker that does everything that a client can, wisely or not, and notes all that it is shown. */
function restless(calls: Call[]): MakerStrategy {
  const namer = new Namer()
  let turn = 0
  const handlers: MakerHandlers = {
    onRequest(request, desk) {
      turn++
      if (turn % 3 === 0) desk.withdrawQuote(request)
      desk.quote(request, { probability: turn % 4 === 0 ? 0.00002 : 0.2, validUs: 20_000_000 })
      if (turn % 4 === 1) desk.withdrawQuote(request)
      if (turn % 2 === 0) desk.quote(request, { probability: 0.1, validUs: turn % 6 === 0 ? 5_000_000 : 25_000_000 })
      desk.later(request, turn % 5 === 0 ? 25_000_000 : 1_500_000)
    },
    onLater: (request, desk) => { desk.quote(request, { probability: 0.12, validUs: 20_000_000 }) },
    onBest() {},
    onSelected(selection, desk) {
      turn++
      if (turn % 3 === 0) desk.decline(selection)
      else if (turn % 3 === 1) desk.confirm(selection)
      else desk.decideLater(selection, turn % 2 === 0 ? 300_000 : 9_000_000)
      if (turn % 4 === 0) desk.withdrawQuote(selection.request)
    },
    onDecision: (selection, desk) => { desk.confirm(selection) },
    onCashOut(auction, desk) {
      turn++
      desk.bid(auction, turn % 4 === 0 ? { priceMicros: auction.payoutMicros * 2, validUs: 30_000_000 } : { probability: auction.isBackingMaker ? 0.3 : 0.9, validUs: 30_000_000 })
    },
    onBidTaken(selection, desk) {
      turn++
      if (turn % 3 === 0) desk.decline(selection)
      else desk.confirm(selection)
    },
    onBought(position, desk) {
      desk.openCashOut(position)
      desk.checkIn(position, 700_000)
    },
    onCheck(position, desk) {
      turn++
      if (position.canCashOut) desk.openCashOut(position)
      else if (position.isAuctioned && turn % 3 === 0) desk.cancelCashOut(position)
      if (position.checks < 6) desk.checkIn(position, 2_500_000)
    },
    onBid(position, desk) {
      turn++
      if (!position.isAuctioned || !isKnown(position.bestPriceMicros)) return
      if (position.auctions % 3 === 1) desk.cancelCashOut(position)
      // No bid is as good as that.
      else if (turn % 2 === 0) desk.takeBid(position, position.bestPriceMicros + 1)
      else desk.takeBid(position, position.bestPriceMicros)
    },
    onAuctionEnded() {},
    onCashOutRefused(position, { action }, desk) {
      if (action === Action.takeBid && position.isAuctioned && isKnown(position.bestPriceMicros)) desk.takeBid(position, position.bestPriceMicros)
    },
    onAck() {}, onBestBid() {}, onOpened() {}, onSettled() {},
  }
  type Act = (view: { readonly legs?: LegsView }, ...more: readonly unknown[]) => void
  const noting = Object.entries(handlers as Record<string, Act>).map(([name, act]) => [name, (view: { readonly legs?: LegsView }, ...more: readonly unknown[]): void => {
    // An outcome is a number, and a refusal a view.
    const about = more.slice(0, -1).map((one) => (typeof one === 'object' && one !== null ? shownOf(one, namer) : one))
    calls.push([name, { ...shownOf(view, namer), about }, seenOn(more.at(-1) as MakerDesk, view.legs)])
    act(view, ...more)
  }])
  return maker({}, () => Object.fromEntries(noting) as MakerHandlers) as unknown as MakerStrategy
}

it.each(['parlay', 'outcome'] as const)('a client of the %s service is called with what a maker inside is called with, and knows the same then', async (service) => {
  const [inside, outside]: [Call[], Call[]] = [[], []]
  const bets = { bets: 20 }
  const digest = playInside(restless(inside), service, await makerSession(service, { ...bets, isInside: true }))
  expect(await playMaker(restless(outside), service, await makerSession(service, bets))).toBe(digest)
  expect(outside).toEqual(inside)
  const acks = inside.filter(([handler]) => handler === 'onAck').map(([, { action, refusal }]) => `${action as number} ${refusal as number}`)
  const handlers = new Set(inside.map(([handler]) => handler))
  for (const handler of ['onBought', 'onCheck', 'onBid', 'onAuctionEnded', 'onCashOutRefused']) expect(handlers).toContain(handler)
  expect(new Set(inside.filter(([handler]) => handler === 'onAuctionEnded').map(([, { about }]) => String(about))).size).toBeGreaterThan(1)
  expect(inside.length).toBeGreaterThan(100)
  expect(new Set(acks).size).toBeGreaterThan(6)
})
