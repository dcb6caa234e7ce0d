import { NONE } from '../../../src/unit/none.ts'
import { RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import type { RfqView } from '../../../src/venue/outcome/protocol/view.ts'
import type { Draw } from '../../draws.ts'
import { type Driver, type Leg, ms, type Row, sec, usd } from './driver.ts'
import { SetFault } from '../../../src/venue/contract.ts'

const PARTICIPANTS = 3
export const ACCOUNTS = 6
const OUTCOMES = 400

/** Participants 0…2, makers 3…5, and the outcomes that a walk trades. */
export function startMoneyWalk(d: Driver): void {
  for (let outcome = 0; outcome < OUTCOMES; outcome++) d.list(outcome, outcome, sec(1e6))
  for (let account = 0; account < ACCOUNTS; account++) {
    d.bind(account, account < PARTICIPANTS ? 'participant' : 'maker')
    d.deposit(account, usd(account < PARTICIPANTS ? 200 : 500))
  }
}

/** Plays one random command, good or bad, a random while later; its reply, or undefined while it waits. */
export function stepMoneyWalk(d: Driver, draw: Draw, open: readonly number[]): Row | undefined {
  d.at(d.now + [0, 0, 0, 1, ms(100), ms(300), draw(8) === 0 ? sec(9) : ms(700), draw(20) === 0 ? sec(40) : sec(1)][draw(8)]!)
  const maker = PARTICIPANTS + draw(ACCOUNTS - PARTICIPANTS)
  switch (draw(28)) {
    case 0: case 1: case 2: return buy(d, draw, maker)
    case 3: case 4: case 5: case 6: case 7: case 8: return quote(d, draw, maker)
    case 9: case 10: case 11: case 12: case 13: return accept(d, draw)
    case 14: case 15: case 16: case 17: case 18: return answer(d, draw, maker)
    case 19: case 20: return sell(d, draw, open)
    case 21: case 22: return moveMoney(d, draw, maker)
    case 23: return draw(3) === 0 ? cancel(d, draw) : pull(d, draw, maker)
    case 24: return draw(4) === 0 ? d.setSigner(maker, draw(50)) : operate(d, draw)
    case 25: return d.at(d.now + 1).send('setFault', -1, { [SetFault.fault]: 1 + draw(5), [SetFault.isOn]: 0 })
    default: return resolve(d, draw, open)
  }
}

/** The number of one of the last RFQs, mostly one that `suits`. */
function someRfq(d: Driver, draw: Draw, suits: (rfq: RfqView) => boolean): number {
  const first = Math.max(1, d.lastRfq - draw(4))
  if (draw(10) === 0) return first
  for (let i = 0; i < 8; i++) {
    const rfq = d.view.rfq(first - i)
    if (rfq !== null && suits(rfq)) return rfq.number
  }
  return first
}

function quote(d: Driver, draw: Draw, maker: number): Row {
  const number = someRfq(d, draw, ({ state }) => state === RfqState.open)
  const rfq = d.view.rfq(number)
  if (rfq === null || rfq.position === NONE) {
    const times = [1, 1.00001, 1.5, 4, 9.37][draw(5)]!
    return d.quote(maker, number, Math.floor((rfq?.netStakeMicros ?? usd(1)) * times) + draw(2))
  }
  const { payoutMicros, backer } = d.view.position(rfq.position) ?? { payoutMicros: usd(1), backer: maker }
  const priceMicros = Math.floor(payoutMicros * [0.001, 0.3, 0.7, 1][draw(4)]!) + (draw(8) === 0 ? 1 : 0)
  return d.quote(draw(2) === 0 ? backer : maker, number, priceMicros)
}

function accept(d: Driver, draw: Draw): Row | undefined {
  const number = someRfq(d, draw, (rfq) => rfq.bestQuote !== NONE)
  const rfq = d.view.rfq(number)
  const listed = d.view.listedQuotes(number)
  const stakeMicros = Math.max(0, rfq?.stakeMicros ?? 0)
  const coreMicros = [NONE, 0, NONE, Math.floor(stakeMicros / 3), stakeMicros][draw(5)]!
  return d.accept(rfq?.owner ?? 0, listed[draw(listed.length + 1)] ?? listed[0] ?? 1, { coreMicros, generation: draw(8) === 0 ? 1 : NONE })
}

/** A maker confirms, mostly, or declines what it has accepted quotes of. */
function answer(d: Driver, draw: Draw, maker: number): Row {
  for (let i = 0; i < ACCOUNTS - PARTICIPANTS; i++) {
    const candidate = PARTICIPANTS + ((maker + i) % (ACCOUNTS - PARTICIPANTS))
    const pending = d.view.liveQuotesOf(candidate).find((number) => d.view.acceptanceOfQuote(number) !== null)
    if (pending !== undefined) return draw(6) === 0 ? d.decline(candidate, pending) : d.confirm(candidate, pending)
  }
  return draw(4) === 0 ? d.confirm(maker, 1) : quote(d, draw, maker)
}

function cancel(d: Driver, draw: Draw): Row {
  const number = someRfq(d, draw, ({ state }) => state === RfqState.open)
  return d.cancel(d.view.rfq(number)?.owner ?? 0, number)
}

/** A holder asks for prices of its position, and now and then takes one at once. */
function sell(d: Driver, draw: Draw, open: readonly number[]): Row {
  const number = open[draw(open.length + 1)] ?? 1
  const position = d.view.position(number)
  const asked = d.cashout(position?.holder ?? 0, number)
  if (asked.code !== 'ok' || position === null || draw(3) === 0) return asked
  const buyer = draw(2) === 0 ? position.backer : PARTICIPANTS + draw(ACCOUNTS - PARTICIPANTS)
  const quoted = d.quote(buyer, asked['rfq'] as number, 1 + Math.floor(position.payoutMicros * [0, 0.3, 0.9][draw(3)]!))
  if (quoted.code !== 'ok') return quoted
  d.accept(position.holder, quoted['quote'] as number)
  return draw(8) === 0 ? quoted : d.confirm(buyer, quoted['quote'] as number)
}

/** A participant asks, and now and then takes the first price at once. */
function buy(d: Driver, draw: Draw, maker: number): Row {
  const taker = draw(PARTICIPANTS)
  const asked = d.create(taker, legsOf(d, draw), [1_002_004, usd(3) + 1, usd(25), usd(50)][draw(4)])
  if (asked.code !== 'ok' || draw(2) === 0) return asked
  const quoted = d.quote(maker, asked['rfq'] as number, Math.floor(d.view.rfq(d.lastRfq)!.netStakeMicros * [1.00001, 1.5, 4][draw(3)]!) + 1)
  if (quoted.code !== 'ok') return quoted
  const stakeMicros = d.view.rfq(d.lastRfq)!.stakeMicros
  d.accept(taker, quoted['quote'] as number, { coreMicros: [NONE, Math.floor(stakeMicros / 3), stakeMicros][draw(3)]! })
  return draw(8) === 0 ? quoted : d.confirm(maker, quoted['quote'] as number)
}

function moveMoney(d: Driver, draw: Draw, maker: number): Row {
  const amountMicros = 1 + draw(usd(40))
  switch (draw(3)) {
    case 0: return d.deposit(draw(ACCOUNTS), amountMicros)
    case 1: return d.withdraw(draw(PARTICIPANTS), amountMicros)
    default: return d.reduce(maker, amountMicros)
  }
}

function pull(d: Driver, draw: Draw, maker: number): Row {
  const live = d.view.liveQuotesOf(maker)
  return d.cancelQuote(maker, live[draw(live.length + 1)] ?? 1)
}

/** An operator's command comes before participants' of its instant, hence later than what was. */
function operate(d: Driver, draw: Draw): Row {
  d.at(d.now + 1)
  switch (draw(4)) {
    case 0: return d.setFees(draw(300), draw(300))
    case 1: return d.halt(d.lastRfq % OUTCOMES)
    default: return d.send('setFault', -1, { [SetFault.fault]: 1 + draw(5), [SetFault.isOn]: draw(3) === 0 ? 1 : 0 })!
  }
}

/** The result of an outcome under an open position, mostly as its holder wishes. */
function resolve(d: Driver, draw: Draw, open: readonly number[]): Row {
  d.at(d.now + 1)
  const position = draw(2) === 0 ? d.view.position(open[draw(open.length + 1)] ?? 0) : null
  if (position === null) return d.resolve(OUTCOMES, 'yes')
  const { outcome, side } = position.legs[draw(position.legs.length)]!
  return d.resolve(outcome, draw(8) === 0 ? 'void' : (draw(4) === 0) === (side === 1) ? 'no' : 'yes')
}

/** Legs on outcomes of a window that moves on with the RFQs, ascending. */
function legsOf(d: Driver, draw: Draw): Leg[] {
  const first = (d.lastRfq + draw(4)) % (OUTCOMES - 10)
  return Array.from({ length: 1 + draw(3) }, (_, i) => [first + 2 * i, draw(2) === 0 ? 'no' : 'yes'] as const)
}
