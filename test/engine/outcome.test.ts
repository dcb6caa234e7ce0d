import { describe, expect, it } from 'vitest'
import { scripted } from '../../src/agent/bettors/scripted.ts'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import type { MakerHandlers } from '../../src/agent/maker.ts'
import { Action, AuctionOutcome, Refusal } from '../../src/agent/vocabulary.ts'
import type { MakerEntry, OperatorInput } from '../../src/engine/config.ts'
import { MarketResult } from '../../src/market/sides.ts'
import { OutcomeFault, OutcomeOp, SetFees } from '../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_SETTINGS } from '../../src/venue/outcome/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { holding, note, play, quoting, REQUEST, resolved, sec, selling, START, START_S, type Told, usd } from './outcomeStory.ts'

const BETTOR = 0
const { yes, no, void: voided } = MarketResult

describe('a bettor on the outcome service', () => {
  it('OM-253 bets 25 USDC at a probability of a quarter and claims 99.0515, every row at its time', () => {
    const told: Told[] = []
    const { rows, free, session } = play([quoting(told, 'four', 0.25)], scripted([REQUEST]))
    expect(rows('rfqCreated', 'quoteCreated', 'bestQuoteChanged', 'quoteAccepted', 'quoteFilled', 'operationUpdated', 'positionOpened', 'positionSettled', 'positionClaimed')).toEqual([
      [10.05, 'rfqCreated'], [10.12, 'quoteCreated'], [10.12, 'bestQuoteChanged'],
      [15.05, 'quoteAccepted'], [15.05, 'bestQuoteChanged'], [15.27, 'quoteFilled'], [17.27, 'operationUpdated'], [17.27, 'positionOpened'],
      [200, 'positionSettled'], [200, 'positionClaimed'],
    ])
    // Profit 99.8 − 24.95, the fee on it 0.7485.
    expect(free(BETTOR)).toBe(usd(1000 - 25 + 99.8 - 0.7485))
    expect(free(1)).toBe(usd(10_000 - 74.85))
    expect(told).toEqual([[17.29, 'four', 'fill', usd(74.85)], [200.02, 'four', 'settled', usd(-74.85)]])
    expect(session.outcome!.venue.view.totals().houseMicros).toBe(usd(0.05 + 0.7485))
  })

  it('B13 OM-032 names legs by ascending outcome_id, and times by whole seconds', () => {
    const { log } = play([quoting([], 'four', 0.25)], scripted([REQUEST]))
    // The outcome_id of market 1 is the lower one.
    expect(log.commands.find(({ op }) => op === OutcomeOp.createRfq)).toMatchObject({ legs: '1:1 0:1', stakeMicros: usd(25), atUs: START + sec(10.05) })
    // Quoted at 10.07 s for 15 s.
    expect(log.commands.find(({ op }) => op === OutcomeOp.submitQuote)).toMatchObject({ payoutMicros: usd(99.8), expiryS: START_S + 25, generation: 1, signer: 1 })
    // Accepted at 15 s.
    expect(log.commands.find(({ op }) => op === OutcomeOp.acceptQuote)).toMatchObject({ key: 1, validAfterS: START_S + 15, validBeforeS: START_S + 315, signer: BETTOR })
  })

  it('OM-256 a quote asks for no more time than the service gives, and OM-251 no more money', () => {
    const { log, replies } = play([quoting([], 'long', 0, 0, {
      onRequest: (request, desk) => desk.quote(request, { probability: 1e-9, validUs: 1e9 }),
    })], scripted([REQUEST]))
    // Quoted at 10.07 s; 30 s later is 40.07 s.
    expect(log.commands.find(({ op }) => op === OutcomeOp.submitQuote)).toMatchObject({ payoutMicros: usd(100_000), expiryS: START_S + 40 })
    expect(replies()).toContainEqual([10.12, 'submitQuote', 'quoteCapacityExceeded'])
  })

  it('OM-017 pays a quote above 1 a micro-unit more than the net stake', () => {
    const { log } = play([quoting([], 'dear', 1.5)], scripted([REQUEST]))
    expect(log.commands.find(({ op }) => op === OutcomeOp.submitQuote)).toMatchObject({ payoutMicros: usd(24.95) + 1 })
  })

  it('gets its stake less the fee back when a leg is void, and nothing when one is lost', () => {
    const mixed = (second: number) => [resolved(199, yes)[0]!, { ...resolved(199, second)[1]! }]
    const played = (second: number) => play([quoting([], 'four', 0.25)], scripted([REQUEST]), { results: mixed(second) })
    expect([played(voided).free(0), played(voided).free(1)]).toEqual([usd(1000 - 0.05), usd(10_000)])
    expect([played(no).free(0), played(no).free(1)]).toEqual([usd(1000 - 25), usd(10_000 + 24.95)])
  })

  it('B08 is told of a decline and takes the next best quote, of another maker', () => {
    const refusals: Told[] = []
    const strategy = holding({ onRefused(intent, { refusal }, desk) {
      note(refusals, 'bettor')(desk.nowUs, 'refused', refusal)
      desk.wait(intent, 0)
    } })
    const wavering = quoting([], 'best', 0.2, 0, { onSelected: (selection, desk) => desk.decline(selection) })
    const { rows, replies, free } = play([wavering, quoting([], 'second', 0.25)], strategy)
    // Declined 200 ms after 15.07 s; told at 15.29 s, accepts at 15.34 s.
    expect(refusals).toEqual([[15.29, 'bettor', 'refused', Refusal.notConfirmed]])
    expect(rows('quoteAccepted', 'quoteFailed', 'quoteFilled')).toEqual([[15.05, 'quoteAccepted'], [15.27, 'quoteFailed'], [15.34, 'quoteAccepted'], [15.56, 'quoteFilled']])
    expect(replies()).toContainEqual([15.27, 'acceptQuote', 'declined'])
    expect(free(2)).toBe(usd(10_000 - 74.85))
  })

  it('B08 is told of a decline of a maker that misses each confirmation', () => {
    const wavering = quoting([], 'best', 0.2, 0, { onSelected: (selection, desk) => desk.decline(selection) }, { ...NO_FAULTS, missConfirm: 1 })
    expect(play([wavering], scripted([REQUEST])).replies()).toContainEqual([15.27, 'acceptQuote', 'declined'])
  })

  it('OM-062 is told of a missed confirmation a microsecond after its time', () => {
    const refusals: Told[] = []
    const strategy = holding({ onRefused: (_intent, { refusal }, desk) => note(refusals, 'bettor')(desk.nowUs, 'refused', refusal) })
    const { replies } = play([quoting([], 'deaf', 0.25, 0, {}, { ...NO_FAULTS, missConfirm: 1 })], strategy)
    expect(replies()).toContainEqual([17.050001, 'acceptQuote', 'timedOut'])
    expect(refusals).toEqual([[17.070001, 'bettor', 'refused', Refusal.notConfirmed]])
  })

  it('asks a maker that it leaves out no more, and takes nothing below its floor', () => {
    const strategy = holding({ onRefused: (intent, _refusal, desk) => desk.wait(intent, sec(1)), onDecision: (intent, desk) => desk.commit(intent) })
    const again = quoting([], 'again', 0.25, 0, {
      onRequest: (request, desk) => { desk.quote(request, { probability: 0.25, validUs: 15_000_000 }); desk.later(request, sec(6)) },
      onSelected: (selection, desk) => desk.decline(selection),
      onLater: (request, desk) => desk.quote(request, { probability: 0.2, validUs: 15_000_000 }),
    })
    // The maker knows nothing of the new generation: what it quotes then is refused.
    const { replies, log } = play([again], strategy)
    expect(replies()).toContainEqual([16.12, 'submitQuote', 'rfqGenerationStale'])
    expect(log.commands.filter(({ op, quote }) => op === OutcomeOp.acceptQuote && quote >= 0)).toHaveLength(1)
    const above = play([quoting([], 'four', 0.25)], holding({ onDecision: (intent, desk) => desk.commit(intent) }, [{ ...REQUEST, minOddsE4: 40_001 }]))
    expect(above.replies()).toContainEqual([15.05, 'acceptQuote', 'quoteNotFound'])
    const at = play([quoting([], 'four', 0.25)], scripted([{ ...REQUEST, minOddsE4: 40_000 }]))
    expect(at.replies()).toContainEqual([15.27, 'acceptQuote', 'ok'])
  })

  it('B04 accepts a live quote after the window, and its request ends with the last of them', () => {
    // Quoted at 27.07 s to 42 s; the window ends at 30.05 s.
    const late = quoting([], 'late', 0, 0, {
      onRequest: (request, desk) => desk.later(request, sec(17)),
      onLater: (request, desk) => desk.quote(request, { probability: 0.25, validUs: 15_000_000 }),
    })
    const { replies, rows } = play([late], scripted([{ ...REQUEST, decideUs: sec(25) }]))
    expect(rows('rfqClosed', 'quoteAccepted')).toEqual([[30.05, 'rfqClosed'], [35.05, 'quoteAccepted']])
    expect(replies()).toContainEqual([35.27, 'acceptQuote', 'ok'])
    const seen: number[] = []
    play([late], holding({ onDecision: (intent, desk) => { seen.push((desk.nowUs - START) / 1e6); desk.wait(intent, sec(5)) } }))
    // At 42 s the quote expires, and at 45 s nobody is there to decide.
    expect(seen).toEqual([15, 20, 25, 30, 35, 40])
  })

  it('withdraws: the maker its quote, the bettor its request', () => {
    const shy = quoting([], 'shy', 0, 0, {
      onRequest(request, desk) {
        desk.quote(request, { probability: 0.25, validUs: 15_000_000 })
        desk.later(request, sec(1))
      },
      onLater: (request, desk) => desk.withdrawQuote(request),
    })
    const { rows, replies } = play([shy], scripted([{ ...REQUEST, cancel: true }]))
    expect(rows('quoteCreated', 'quoteCancelled', 'rfqCancelled')).toEqual([[10.12, 'quoteCreated'], [11.12, 'quoteCancelled'], [15.05, 'rfqCancelled']])
    expect(replies().slice(-2)).toEqual([[11.12, 'cancelQuote', 'ok'], [15.05, 'cancelRfq', 'ok']])
  })

  it('withdraws a quote only once it was told its number', () => {
    const acks: unknown[] = []
    const noting: MakerHandlers = { onAck: ({ action, refusal, deliveredAtUs }) => void acks.push([(deliveredAtUs - START) / 1e6, action, refusal]) }
    const hasty = (more: MakerHandlers = {}) => quoting([], 'hasty', 0, 0, {
      onRequest(request, desk) {
        desk.quote(request, { probability: 0.25, validUs: 15_000_000 })
        desk.withdrawQuote(request)
      }, ...noting, ...more,
    })
    const cancelled = (seat: MakerEntry) => play([seat], scripted([REQUEST])).replies().filter(([, op]) => op === 'submitQuote' || op === 'cancelQuote')
    // Asked for at 10.07 s; quoted at 10.12 s and told so at 10.14 s.
    expect(cancelled(hasty())).toEqual([[10.12, 'submitQuote', 'ok'], [10.19, 'cancelQuote', 'ok']])
    expect(acks.splice(0)).toEqual([[10.14, Action.submitQuote, Refusal.none], [10.21, Action.withdrawQuote, Refusal.none]])
    // After the venue made it, and before the maker knows: at 10.13 s.
    const between = hasty({ onRequest(request, desk) { desk.quote(request, { probability: 0.25, validUs: 15_000_000 }); desk.later(request, sec(0.06)) }, onLater: (request, desk) => desk.withdrawQuote(request) })
    expect(cancelled(between)).toEqual([[10.12, 'submitQuote', 'ok'], [10.19, 'cancelQuote', 'ok']])
    // It knows at 10.14 s.
    const after = hasty({ onRequest(request, desk) { desk.quote(request, { probability: 0.25, validUs: 15_000_000 }); desk.later(request, sec(0.070001)) }, onLater: (request, desk) => desk.withdrawQuote(request) })
    expect(cancelled(after)).toEqual([[10.12, 'submitQuote', 'ok'], [10.190001, 'cancelQuote', 'ok']])
  })

  it('withdraws the replacement that was under way, and what stood before when that is refused', () => {
    const told = (probabilities: readonly number[]) => {
      const changing = quoting([], 'changing', 0, 0, {
        onRequest(request, desk) {
          desk.quote(request, { probability: 0.25, validUs: 15_000_000 })
          desk.later(request, sec(1))
        },
        onLater(request, desk) {
          for (const probability of probabilities) desk.quote(request, { probability, validUs: 15_000_000 })
          desk.withdrawQuote(request)
        },
      })
      const { log, replies, rows } = play([changing], scripted([REQUEST]))
      expect(rows('quoteAccepted')).toEqual([])
      return [replies().slice(2).map(([at, op, code]) => `${at} ${op} ${code}`), log.commands.filter(({ op }) => op === OutcomeOp.cancelQuote).map(({ quote }) => quote)]
    }
    const quoted = ['11.12 submitQuote ok', '11.19 cancelQuote ok']
    const [[first], second] = [told([]), told([0.2])]
    expect(first).toEqual(['11.12 cancelQuote ok'])
    expect(second[0]).toEqual(quoted)
    expect(second[1]).not.toEqual(told([])[1])
    // Two under way: it waits for both.
    expect(told([0.2, 0.22])[0]).toEqual(['11.12 submitQuote ok', ...quoted])
    // More than a payout can be: refused, and the former quote stands until it is withdrawn.
    expect(told([1e-9])).toEqual([['11.12 submitQuote quoteCapacityExceeded', '11.19 cancelQuote ok'], told([])[1]])
  })

  it('is refused what an outcome that has closed is asked for', () => {
    const { replies, rows } = play([quoting([], 'four', 0.25)], scripted([REQUEST]), {
      faults: [{ atUs: START + sec(5), op: OutcomeOp.listOutcome, market: 0, closeUs: START + sec(10) }],
    })
    expect(replies()).toEqual([[10.05, 'createRfq', 'invalidRequest']])
    expect(rows('rfqCreated')).toEqual([])
  })

  it('has no position, nor the maker a fill, when the chain drops it', () => {
    const told: Told[] = []
    const fault = (atS: number, on: number) => ({ atUs: START + sec(atS), op: OutcomeOp.setFault, market: -1, service: 'outcome' as const, value: OutcomeFault.chainDropped, value2: on })
    const { free } = play([quoting(told, 'four', 0.25)], selling(told), { faults: [fault(16, 1), fault(18, 0)] })
    expect(told).toEqual([])
    expect([free(0), free(1)]).toEqual([usd(1000), usd(10_000)])
  })
})

describe('a cash-out on the outcome service', () => {
  it('B16 closes with the backing maker, who pays out of the pot, and everybody is told as it happens', () => {
    const told: Told[] = []
    const { free, session } = play([quoting(told, 'a', 0.25, 40), quoting(told, 'b', 0.5)], selling(told))
    // Asked for at 17.29 s, open at 17.34 s; the bid comes at 17.41 s, is taken at 17.48 s, confirmed at 17.70 s, done at 19.70 s.
    expect(told).toEqual([
      [17.29, 'a', 'fill', usd(74.85)], [17.29, 'bettor', 'opened', usd(25)],
      [17.36, 'a', 'own auction', usd(99.8)], [17.36, 'b', 'auction', usd(99.8)],
      [17.43, 'bettor', 'bid', usd(40)],
      // The bid that is taken is on offer no more.
      [17.5, 'bettor', 'bid', NaN],
      [19.72, 'bettor', `ended ${AuctionOutcome.sold}`, usd(40)], [19.72, 'a', 'bought back', usd(99.8 - 40 - 74.85)],
    ])
    expect([free(0), free(1)]).toEqual([usd(1000 - 25 + 40), usd(10_000 - 40 + 24.95)])
    expect(session.counts).toMatchObject({ auctions: 1, sales: 1 })
  })

  it('OM-258 asks for a bid to stand as long as the service wants at least, way included', () => {
    const { log } = play([quoting([], 'a', 0.25, 40)], selling([]))
    // Bid at 17.36 s, on its way for 50 ms, at least 25 s: 42.41 s at the earliest.
    expect(log.commands.filter(({ op }) => op === OutcomeOp.submitQuote)[1]).toMatchObject({ expiryS: START_S + 43, payoutMicros: usd(40) })
  })

  it('B16 passes to another maker, who holds it to its end and is taxed as the first holder was', () => {
    const told: Told[] = []
    const { free } = play([quoting(told, 'a', 0.25), quoting(told, 'b', 0, 50)], selling(told))
    expect(told.filter(([, name]) => name !== 'bettor')).toEqual([
      [17.29, 'a', 'fill', usd(74.85)], [17.36, 'a', 'own auction', usd(99.8)], [17.36, 'b', 'auction', usd(99.8)],
      [19.72, 'b', 'bought', usd(50)],
      [200.02, 'a', 'settled', usd(-74.85)], [200.02, 'b', 'held ended', usd(99.8 - 0.7485 - 50)],
    ])
    expect([free(0), free(1), free(2)]).toEqual([usd(1000 - 25 + 50), usd(10_000 - 74.85), usd(10_000 - 50 + 99.8 - 0.7485)])
  })

  it('feeOnCashout taxes the seller, and the price is what a buyer counts its profit from', () => {
    const seen: number[] = []
    const buyer = quoting([], 'b', 0, 50, {
      onBought: (position) => { seen.push(position.costBasisMicros) },
      onCashOut(auction, desk) { seen.push(auction.costBasisMicros); desk.bid(auction, { priceMicros: usd(50), validUs: 15_000_000 }) },
    })
    const { free } = play([quoting([], 'a', 0.25), buyer], selling([]), { profile: profileOf(OUTCOME_SETTINGS, { feeOnCashout: 1 }) })
    // 1 % of 50 − 24.95, then of 99.8 − 50.
    expect([free(0), free(2)]).toEqual([usd(1000 - 25 + 50 - 0.2505), usd(10_000 - 50 + 99.8 - 0.498)])
    expect(seen).toEqual([NaN, usd(50)])
  })

  it('a bid that is taken has a last look: declined or missed, the seller hears of it and goes on', () => {
    const told: Told[] = []
    const wavering = quoting(told, 'b', 0, 50, { onBidTaken(taken, desk) {
      note(told, 'b')(desk.nowUs, `taken ${taken.position} at ${taken.quotedProbability}`, taken.riskMicros)
      desk.decline(taken)
    } })
    const { rows } = play([quoting([], 'a', 0.25, 40), wavering], selling(told, {
      onOpened: (position, desk) => desk.openCashOut(position, sec(1)),
      onListened: (position, desk) => desk.takeBid(position, usd(45)),
      onBid: () => {},
      onCashOutRefused(position, { refusal }, desk) {
        note(told, 'bettor')(desk.nowUs, 'refused', refusal)
        desk.takeBid(position, usd(40))
      },
    }))
    // Taken at 18.34 s, declined at 18.56 s; the other bid taken at 18.63 s, confirmed at 18.85 s.
    expect(told).toEqual([
      [17.36, 'b', 'auction', usd(99.8)], [18.36, 'b', `taken 1 at ${usd(50) / usd(99.8)}`, usd(50)], [18.58, 'bettor', 'refused', Refusal.notConfirmed],
      [20.87, 'bettor', `ended ${AuctionOutcome.sold}`, usd(40)],
    ])
    expect(rows('positionClosed')).toEqual([[20.85, 'positionClosed']])
    const missed: Told[] = []
    play([quoting([], 'a', 0.25), quoting([], 'b', 0, 50, {}, { ...NO_FAULTS, missConfirm: 1 })], selling(missed))
    // Taken at 17.48 s; 2 s and a microsecond later. The RFQ goes on without a bid to the end of its window, 47.34 s.
    expect(missed.filter(([, , event]) => event !== 'bid')).toEqual([
      [17.29, 'bettor', 'opened', usd(25)], [19.500001, 'bettor', 'refused', Refusal.notConfirmed],
      [47.36, 'bettor', `ended ${AuctionOutcome.expired}`, NaN],
    ])
  })

  it('is cancelled by its seller, who may ask again', () => {
    const told: Told[] = []
    const { session } = play([quoting([], 'a', 0.25)], selling(told, {
      onOpened: (position, desk) => { desk.openCashOut(position, sec(1)) },
      onListened: (position, desk) => desk.cancelCashOut(position),
      onAuctionEnded(position, outcome, desk) {
        note(told, 'bettor')(desk.nowUs, `ended ${outcome}`, position.auctions)
        if (position.auctions < 2) desk.openCashOut(position)
      },
    }))
    expect(told).toEqual([[18.36, 'bettor', `ended ${AuctionOutcome.cancelled}`, 1], [48.43, 'bettor', `ended ${AuctionOutcome.expired}`, 2]])
    expect(session.counts).toMatchObject({ auctions: 2, sales: 0 })
  })

  it('that the chain drops leaves the position to its holder, who is told', () => {
    const told: Told[] = []
    const fault = (atS: number, on: number) => ({ atUs: START + sec(atS), op: OutcomeOp.setFault, market: -1, service: 'outcome' as const, value: OutcomeFault.chainDropped, value2: on })
    const { free } = play([quoting([], 'a', 0.25, 40)], selling(told), { faults: [fault(18, 1), fault(30, 0)] })
    expect(told.at(-1)).toEqual([19.72, 'bettor', `ended ${AuctionOutcome.saleFailed}`, NaN])
    expect([free(0), free(1)]).toEqual([usd(1000 - 25 + 99.8 - 0.7485), usd(10_000 - 74.85)])
  })

  it('of what a maker took over is the maker’s to open, and passes it on', () => {
    const told: Told[] = []
    const reseller = quoting(told, 'b', 0, 30, {
      onBought: (position, desk) => { desk.openCashOut(position) },
      onCashOut: (auction, desk) => { if (!auction.isSeller) desk.bid(auction, { priceMicros: usd(30), validUs: 15_000_000 }) },
      onBid: (position, desk) => { if (position.isAuctioned && position.bestPriceMicros > usd(40)) desk.takeBid(position, usd(40)) },
      onAuctionEnded: (position, outcome, desk) => note(told, 'b')(desk.nowUs, `ended ${outcome}`, position.profitMicros),
    })
    const third = quoting(told, 'c', 0, 0, { onCashOut: (auction, desk) => {
      if (auction.auction > 1) desk.bid(auction, { priceMicros: usd(45), validUs: 15_000_000 })
    } })
    const { free } = play([quoting(told, 'a', 0.25), reseller, third], selling(told))
    expect(told.filter(([, name, event]) => name === 'b' || event === 'bought' || event === 'held ended')).toEqual([
      [22.15, 'b', `ended ${AuctionOutcome.sold}`, usd(15)], [22.15, 'c', 'bought', usd(45)], [200.02, 'c', 'held ended', usd(99.8 - 0.7485 - 45)],
    ])
    expect([0, 1, 2, 3].map(free)).toEqual([usd(1000 - 25 + 30), usd(10_000 - 74.85), usd(10_015), usd(10_000 - 45 + 99.8 - 0.7485)])
  })
})

describe('a maker on the outcome service', () => {
  it('hears of its own commands, and of no rival’s quote', () => {
    const acks: unknown[] = []
    const other: string[] = []
    const heard = quoting([], 'heard', 0.25, 0, {
      onAck: (ack) => void acks.push([(ack.deliveredAtUs - START) / 1e6, ack.action, ack.refusal, ack.request, ack.quote]),
      onBest: () => void other.push('best'), onBestBid: () => void other.push('bid'),
    })
    play([heard, quoting([], 'rival', 0.2, 40)], selling([]))
    expect(acks).toEqual([[10.14, Action.submitQuote, Refusal.none, 1, 1]])
    expect(other).toEqual([])
  })

  it('signs for the terms that it was told: a fee that rises on the way makes the signature another’s', () => {
    const acks: number[] = []
    const { replies } = play([quoting([], 'four', 0.25, 0, { onAck: (ack) => void acks.push(ack.refusal) })], scripted([REQUEST]), {
      faults: [{ atUs: START + sec(10.1), op: OutcomeOp.setFees, market: -1, service: 'outcome', [SetFees.takerFeeBps]: 20, [SetFees.feeBps]: 101 }],
    })
    expect(replies()).toContainEqual([10.12, 'submitQuote', 'invalidSignature'])
    expect(acks).toEqual([Refusal.termsStale])
  })
})

describe('rates that change while an RFQ is under way', () => {
  const changedAt = (at: number): OperatorInput =>
    ({ atUs: START + sec(at), op: OutcomeOp.setFees, market: -1, service: 'outcome', [SetFees.takerFeeBps]: 30, [SetFees.feeBps]: 200 })
  // Quoted at 10.12 s, accepted at 15 s, which arrives at 15.05 s; confirmed at 15.27 s.
  it.each([
    ['before the taker signs', 12, 'stateConflict', Refusal.unfillable], ['on the way of its accept', 15.02, 'invalidSignature', Refusal.termsStale],
  ] as const)('OM-105 OM-252 %s: the quote is accepted no more', (_, at, code, told) => {
    const refusals: number[] = []
    const strategy = holding({ onRefused: (_intent, { refusal }) => void refusals.push(refusal) })
    const { replies, rows, free } = play([quoting([], 'four', 0.25)], strategy, { faults: [changedAt(at)] })
    expect(replies()).toContainEqual([15.05, 'acceptQuote', code])
    expect(refusals[0]).toBe(told)
    expect(rows('quoteAccepted')).toEqual([])
    expect(free(BETTOR)).toBe(usd(1000))
  })

  it.each(['tag', 'eip712'] as const)('OM-105 OM-253 after the accept: confirmed, opened and claimed at the rates of the quote (%s)', (signatures) => {
    const { rows, free } = play([quoting([], 'four', 0.25)], scripted([REQUEST]), { faults: [changedAt(15.1)], signatures })
    expect(rows('quoteFilled', 'positionClaimed')).toEqual([[15.27, 'quoteFilled'], [200, 'positionClaimed']])
    expect(free(BETTOR)).toBe(usd(1000 - 25 + 99.8 - 0.7485))
  })

  it.each(['tag', 'eip712'] as const)('OM-105 OM-253 after the opening: the position is sold at its own (%s)', (signatures) => {
    const { rows } = play([quoting([], 'four', 0.25, 30)], selling([]), { faults: [changedAt(17.28)], signatures })
    expect(rows('positionClosed').length).toBe(1)
  })
})
