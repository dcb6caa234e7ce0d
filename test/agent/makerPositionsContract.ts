import { expect, it } from 'vitest'
import { Action, AuctionOutcome, isKnown, type LegsView, type MakerDesk, type MakerHandlers, type PositionView, Refusal, Side } from '../../src/index.ts'
import { ASKS, NO_KIND, refusalOf } from './contractChecks.ts'
import { CAPITAL, type MakerCase, PROBABILITY } from './makerCase.ts'

/** Positions that the maker backs. */
function describeFills({ played, canLayOff }: MakerCase): void {
  it('books fills and their ends before it tells of them', async () => {
    const risks = new Map<number, number>()
    /** What is at risk on YES of each market, less what is on NO. */
    const nets = new Map<number, number>()
    let profitMicros = 0
    let ends = 0
    const add = ({ legs }: PositionView, riskMicros: number): void => {
      for (let i = 0; i < legs.count; i++) nets.set(legs.market(i), (nets.get(legs.market(i)) ?? 0) + (legs.side(i) === Side.yes ? riskMicros : -riskMicros))
    }
    const total = (): number => [...risks.values()].reduce((so, risk) => so + risk, 0)
    const check = (position: PositionView, desk: MakerDesk): void => {
      expect([desk.openPositions, desk.openRiskMicros, desk.capitalMicros, desk.freeMicros])
        .toEqual([risks.size, total(), CAPITAL + profitMicros, CAPITAL + profitMicros - total()])
      expect(desk.exposure(position.legs).total).toBe(total())
      expect([desk.heldPositions, desk.heldCostMicros]).toEqual([0, 0])
      for (let i = 0; i < position.legs.count; i++) {
        const net = nets.get(position.legs.market(i))!
        expect(desk.netLegRisk(position.legs, i)).toBe(position.legs.side(i) === Side.yes ? net : 0 - net)
      }
    }
    await played({
      onOpened(position, desk) {
        expect([position.profitMicros, position.payoutMicros, position.isHolder]).toEqual([0, position.netStakeMicros + position.riskMicros, false])
        risks.set(position.position, position.riskMicros)
        add(position, position.riskMicros)
        check(position, desk)
        expect(desk.exposure(position.legs).worst).toBeGreaterThanOrEqual(position.riskMicros)
        expect(refusalOf(() => { desk.openCashOut(position) })).toContain('only a position that the maker holds')
        expect(refusalOf(() => desk.positionValue(position, ASKS))).toBe(NO_KIND)
        expect(refusalOf(() => { desk.checkIn(position, 1) })).toContain('only a held position')
        expect(position.oddsE4 / 10_000).toBeCloseTo(position.payoutMicros / position.netStakeMicros, 3)
      },
      onSettled(position, desk) {
        ends++
        risks.delete(position.position)
        add(position, -position.riskMicros)
        profitMicros += position.profitMicros
        check(position, desk)
      },
    })
    expect(ends).toBeGreaterThan(0)
  })

  it('lays off what the maker backs, where it has an account for that', async () => {
    const taken = new Set<boolean>()
    const terms = { betMicros: 10_000_000, minOddsE4: 10_001, decideInUs: 1_000_000 }
    await played({
      onOpened(position, desk) {
        expect(refusalOf(() => desk.layOff(position, { ...terms, betMicros: 0 }))).toContain('a bet is a whole number')
        expect(refusalOf(() => desk.layOff(position, { ...terms, minOddsE4: 10_000 }))).toContain('lowest odds are a whole number')
        expect(refusalOf(() => desk.layOff(position, { ...terms, decideInUs: -1 }))).toContain('a delay is a whole number')
        taken.add(desk.layOff(position, terms))
      },
    })
    expect(taken).toEqual(new Set([canLayOff]))
  })
}

/** What one thing is called in several views. */
function describeNames({ played }: MakerCase): void {
  it('names a request, a quote and a position by the same number in every view, with the same terms', async () => {
    const asked = new Map<number, unknown[]>()
    /** Number of a quote by its request, as its answer and as its selection name it. */
    const answered = new Map<number, number>()
    const selected = new Map<number, unknown[]>()
    const opened = new Map<number, unknown[]>()
    const heard = new Set<string>()
    const legsOf = ({ legs }: { readonly legs: LegsView }): unknown => [legs.markets, legs.sides]
    await played({
      onRequest(request, desk) {
        asked.set(request.request, [request.netStakeMicros, legsOf(request)])
        desk.quote(request, { probability: PROBABILITY, validUs: 20_000_000 })
      },
      onAck(ack) {
        if (ack.action === Action.submitQuote && ack.refusal === Refusal.none) answered.set(ack.request, ack.quote)
        if (ack.action === Action.confirm) expect([ack.request, ack.quote]).toEqual([ack.request, selected.get(ack.request)![0]])
      },
      onSelected(selection, desk) {
        expect(selection.deliveredAtUs).toBe(desk.nowUs)
        expect([selection.netStakeMicros, legsOf(selection)]).toEqual(asked.get(selection.request))
        selected.set(selection.request, [selection.quote, selection.oddsE4, selection.netStakeMicros, selection.riskMicros, legsOf(selection)])
        desk.confirm(selection)
      },
      onOpened(position, desk) {
        expect(position.deliveredAtUs).toBe(desk.nowUs)
        expect([position.quote, position.oddsE4, position.netStakeMicros, position.riskMicros, legsOf(position)]).toEqual(selected.get(position.request))
        opened.set(position.position, [position.request, position.netStakeMicros, position.payoutMicros, legsOf(position)])
      },
      onCashOut(auction, desk) {
        expect(auction.deliveredAtUs).toBe(desk.nowUs)
        if (!auction.isBackingMaker) return
        heard.add('auctioned')
        expect([auction.netStakeMicros, auction.payoutMicros, legsOf(auction)]).toEqual(opened.get(auction.position)!.slice(1))
      },
      onSettled(position, desk) {
        heard.add('ended')
        expect(position.deliveredAtUs).toBe(desk.nowUs)
        expect([position.request, position.netStakeMicros, position.payoutMicros, legsOf(position)]).toEqual(opened.get(position.position))
        opened.delete(position.position)
      },
    })
    expect(heard).toEqual(new Set(['auctioned', 'ended']))
    for (const [request, [quote]] of selected) expect(quote).toBe(answered.get(request))
  })
}

/** Auctions of others, and positions that the maker takes over in them. */
function describeAuctions({ played }: MakerCase): void {
  it('tells of auctions, and takes bids in them', async () => {
    let count = 0
    await played({
      onCashOut(auction, desk) {
        count++
        expect(auction.endsAtUs).toBeGreaterThan(desk.nowUs)
        expect(auction.maxPriceMicros).toBeLessThanOrEqual(auction.payoutMicros)
        expect(desk.breakEvenPrice(auction, 0)).toBe(0)
        expect(desk.breakEvenPrice(auction, 1)).toBeGreaterThan(desk.breakEvenPrice(auction, 0.5))
        expect(refusalOf(() => { desk.bid(auction, { priceMicros: 0, validUs: 1e6 }) })).toContain('a bid is a whole number of microUSDC above 0')
        if (!auction.isSeller) desk.bid(auction, { probability: 0.01, validUs: 5_000_000 })
      },
    })
    expect(count).toBeGreaterThan(0)
  })
}

/** What the maker bought and has not sold, and its money, which is checked with each purchase and each end. */
function purchasesOf() {
  const costs = new Map<number, number>()
  let profitMicros = 0
  const check = (desk: MakerDesk): void => {
    const held = [...costs.values()].reduce((so, cost) => so + cost, 0)
    expect([desk.heldPositions, desk.heldCostMicros, desk.capitalMicros, desk.freeMicros]).toEqual([costs.size, held, CAPITAL + profitMicros, CAPITAL + profitMicros - held])
  }
  return {
    costs,
    bought(position: PositionView, desk: MakerDesk): void {
      costs.set(position.position, position.costMicros)
      check(desk)
    },
    ended(position: PositionView, desk: MakerDesk): void {
      expect(position.costMicros).toBe(costs.get(position.position))
      costs.delete(position.position)
      profitMicros += position.profitMicros
      check(desk)
    },
  }
}

/** A maker that backs nothing and buys what others back. `heard` notes how it comes to a position. */
const buying = (heard: Set<string>): MakerHandlers => ({
  onRequest: (_request, desk) => desk.pass('only buys'),
  onCashOut(auction, desk) {
    if (!auction.isSeller && !auction.isBackingMaker) desk.bid(auction, { probability: 0.9, validUs: 20_000_000 })
  },
  onBestBid(auction) {
    heard.add('best bid')
    if (isKnown(auction.bestPriceMicros)) expect(auction.bestPriceMicros).toBeLessThanOrEqual(auction.payoutMicros)
  },
  onAck(ack) {
    if (ack.action !== Action.submitBid || ack.refusal !== Refusal.none) return
    heard.add('answer')
    expect([isKnown(ack.auction), ack.request]).toEqual([true, NaN])
  },
  onBidTaken(selection, desk) {
    heard.add('taken')
    expect([isKnown(selection.position), selection.oddsE4]).toEqual([true, NaN])
    expect(selection.quotedProbability).toBeCloseTo(selection.riskMicros / selection.payoutMicros, 12)
    expect(refusalOf(() => { desk.decideLater(selection, 1) })).toContain('a taken bid is decided while it is being shown')
    desk.confirm(selection)
  },
})

/** What nobody tells a maker that buys. */
const neverTold = (uncalled: MakerCase['uncalled']): string[] => [...(uncalled.includes('onBestBid') ? ['best bid'] : []), ...(uncalled.includes('onBidTaken') ? ['taken'] : [])]

/** What a position that the maker just bought shows and refuses. */
function checkBought(position: PositionView, desk: MakerDesk): void {
  expect([position.isHolder, position.oddsE4, position.canCashOut, position.isAuctioned, position.checks]).toEqual([true, NaN, true, false, 0])
  expect(desk.positionValue(position, 1)).toBeLessThanOrEqual(position.payoutMicros)
  expect(refusalOf(() => desk.layOff(position, { betMicros: 1, minOddsE4: 20_000, decideInUs: 0 }))).toContain('only a position that the maker backs')
  for (const act of [() => { desk.takeBid(position, 1) }, () => { desk.cancelCashOut(position) }]) expect(refusalOf(act)).toContain('there is no auction of the position')
}

/** Positions that the maker took over, from their purchase to their sale. */
function describeSales({ played, uncalled }: MakerCase): void {
  it('holds what the maker buys, and sells it again', async () => {
    const heard = new Set<string>()
    const purchases = purchasesOf()
    await played({
      ...buying(heard),
      onBought(position, desk) {
        heard.add('bought')
        purchases.bought(position, desk)
        checkBought(position, desk)
        desk.checkIn(position, 500_000)
      },
      onCheck(position, desk) {
        heard.add('checked')
        expect(position.checks).toBe(1)
        desk.openCashOut(position)
        expect([position.canCashOut, position.askedAtUs]).toEqual([false, desk.nowUs])
        expect(refusalOf(() => { desk.openCashOut(position) })).toContain('an auction of the position is under way')
      },
      onBid(position, desk) {
        heard.add('bid')
        if (!position.isAuctioned || !isKnown(position.bestPriceMicros)) return
        expect(refusalOf(() => { desk.takeBid(position, 0) })).toContain('a lowest price is a whole number')
        if (position.position % 2 === 0) desk.cancelCashOut(position)
        else desk.takeBid(position, position.payoutMicros)
      },
      onCashOutRefused(position, refusal, desk) {
        heard.add('refused')
        expect([Action.openCashOut, Action.takeBid, Action.cancelCashOut]).toContain(refusal.action)
        expect(refusal.refusal).not.toBe(Refusal.none)
        if (refusal.action === Action.takeBid && position.isAuctioned) desk.takeBid(position, 1)
      },
      onAuctionEnded(position, outcome, desk) {
        expect(position.isAuctioned).toBe(false)
        if (outcome === AuctionOutcome.cancelled) heard.add('cancelled')
        if (outcome !== AuctionOutcome.sold) return
        heard.add('sold')
        expect(position.profitMicros).toBe(position.bestPriceMicros - position.costMicros)
        purchases.ended(position, desk)
      },
      onSettled: (position, desk) => { purchases.ended(position, desk) },
    })
    const all = ['answer', 'best bid', 'bid', 'bought', 'cancelled', 'checked', 'refused', 'sold', 'taken']
    expect([...heard].toSorted()).toEqual(all.filter((what) => !neverTold(uncalled).includes(what)))
  })
}

/** How a held position ended, by what its holder got: nothing, what it pays, or what the bet had cost with its fee or without. */
function endOf(position: PositionView, desk: MakerDesk): 'lost' | 'won' | 'void' {
  const receivedMicros = position.profitMicros + position.costMicros
  if (receivedMicros === 0) return 'lost'
  if (Math.abs(receivedMicros - desk.positionValue(position, 1)) < 1) return 'won'
  expect(receivedMicros).toBeGreaterThanOrEqual(position.netStakeMicros)
  expect(receivedMicros).toBeLessThan(position.netStakeMicros * 1.02)
  return 'void'
}

/** Positions that the maker took over and does not sell. */
function describeKeeping({ played, uncalled }: MakerCase): void {
  it('holds what the maker buys to its end', async () => {
    const heard = new Set<string>()
    const purchases = purchasesOf()
    const ends = new Set<string>()
    await played({
      ...buying(heard),
      onBought(position, desk) {
        heard.add('bought')
        purchases.bought(position, desk)
        checkBought(position, desk)
        expect([position.auctions, position.askedAtUs, position.bestPriceMicros, position.profitMicros]).toEqual([0, NaN, NaN, 0])
      },
      onSettled(position, desk) {
        expect([position.isHolder, position.isBoughtBack, position.canCashOut]).toEqual([true, false, false])
        ends.add(endOf(position, desk))
        purchases.ended(position, desk)
      },
    })
    expect([...heard].toSorted()).toEqual(['answer', 'best bid', 'bought', 'taken'].filter((what) => !neverTold(uncalled).includes(what)))
    expect([...ends]).toEqual(expect.arrayContaining(['lost', 'won']))
    expect(purchases.costs.size).toBe(0)
  })
}

/** What a maker is told of what it backs, and of what it holds. */
export function describeMakerPositions(tested: MakerCase): void {
  describeFills(tested)
  describeNames(tested)
  describeAuctions(tested)
  describeSales(tested)
  if (tested.endsKept) describeKeeping(tested)
}
