import type { BettorHandlers } from '../../src/agent/bettor.ts'
import type { MakerHandlers } from '../../src/agent/maker.ts'
import type { AckView, AuctionView, CashOutState, HoldingView, IntentView, PositionView, RefusalView, RequestView, SelectionView } from '../../src/agent/views.ts'
import type { Dice, Written } from './dice.ts'

/**
 * A drawn strategy: statements of TypeScript by handler. A statement stands for itself, so that any can be left out. What a strategy
 * reads goes into `state.seen`, and what it does depends on that: a wrong answer of a desk or a view changes the session.
 */
export interface DrawnStrategy extends Written {
  role: 'maker' | 'bettor'
  on: { [handler: string]: string[] }
}

/** The handlers of a role. A handler that the grammar leaves out is an error of types. */
type HandlersOf<H> = Record<Exclude<keyof Required<H>, 'state'>, string[]>

/** What a handler is given, by the name of its view: its numbers and booleans. */
interface Sight {
  readonly view: string
  readonly fields: readonly string[]
}
/** The fields of a view but for its legs. One that is left out is an error of types. */
type FieldsOf<V> = Record<Exclude<keyof V, 'legs' | 'setLeg' | 'setSide' | 'setLegCount'>, true>

const fieldsOf = <V>(fields: FieldsOf<V>): readonly string[] => Object.keys(fields)
const CASH_OUT = { canCashOut: true, isAuctioned: true, auctions: true, askedAtUs: true, bestPriceMicros: true, checks: true } as const satisfies FieldsOf<CashOutState>
const SIGHTS = {
  request: { view: 'request', fields: fieldsOf<RequestView>({ request: true, version: true, deliveredAtUs: true, expiresAtUs: true, betMicros: true, netStakeMicros: true, bestOddsE4: true, bookChanges: true }) },
  selection: { view: 'selection', fields: fieldsOf<SelectionView>({ request: true, version: true, quote: true, deliveredAtUs: true, deadlineAtUs: true, oddsE4: true, quotedProbability: true, netStakeMicros: true, riskMicros: true, payoutMicros: true, position: true }) },
  auction: { view: 'auction', fields: fieldsOf<AuctionView>({ auction: true, position: true, deliveredAtUs: true, endsAtUs: true, netStakeMicros: true, payoutMicros: true, profitFeeBps: true, makerFeeBps: true, costBasisMicros: true, isSeller: true, isBackingMaker: true, maxPriceMicros: true, bestPriceMicros: true }) },
  position: { view: 'position', fields: fieldsOf<PositionView>({ position: true, request: true, quote: true, deliveredAtUs: true, oddsE4: true, netStakeMicros: true, riskMicros: true, isHolder: true, costMicros: true, profitMicros: true, isBoughtBack: true, payoutMicros: true, profitFeeBps: true, costBasisMicros: true, ...CASH_OUT }) },
  ack: { view: 'ack', fields: fieldsOf<AckView>({ action: true, refusal: true, request: true, quote: true, auction: true, deliveredAtUs: true, retryAfterUs: true }) },
  refusal: { view: 'refusal', fields: fieldsOf<RefusalView>({ action: true, refusal: true, retryAfterUs: true }) },
  intent: { view: 'intent', fields: fieldsOf<IntentView>({ arrival: true, betMicros: true, minOddsE4: true, bestOddsE4: true, decisions: true }) },
  holding: { view: 'holding', fields: fieldsOf<HoldingView>({ arrival: true, position: true, request: true, costMicros: true, netStakeMicros: true, payoutMicros: true, openedAtUs: true, returnedMicros: true, ...CASH_OUT }) },
} as const satisfies Record<string, Sight>
type SightName = keyof typeof SIGHTS

const OF_MAKER = [
  'desk.nowUs', 'desk.freeMicros', 'desk.capitalMicros', 'desk.openPositions', 'desk.openRiskMicros', 'desk.heldPositions', 'desk.heldCostMicros', 'desk.name.length',
  'seat.name.length', 'seat.capitalMicros', 'seat.random()',
]
const OF_BETTOR = ['desk.nowUs', 'desk.takerFeeBps']
/** Numbers of draws that the desk leaves to strategies, of intents and of positions. */
const OWN_DRAWS = [7, 15]
const HOLDING_DRAWS = [112, 127]

/** Every history has so many markets. */
const MARKETS_LEAST = 6

/** The shortest delay where a strategy asks again and again. */
const SHORT_US = 10_000

/** Draws the statements of one handler. */
class Writer {
  private readonly dice: Dice
  private readonly role: DrawnStrategy['role']
  private readonly sights: readonly SightName[]
  /** The view whose legs the desk is asked about. */
  private readonly view: string

  constructor(dice: Dice, role: DrawnStrategy['role'], sights: readonly SightName[]) {
    this.dice = dice
    this.role = role
    this.sights = sights
    this.view = SIGHTS[sights[0]!].view
  }

  private get hasLegs(): boolean {
    return this.sights[0] !== 'ack'
  }

  private how(): string {
    const { dice } = this
    return `{ priceType: '${dice.of(['bid', 'mid', 'ask'])}', maxAgeUs: ${dice.of(['1e6', '60e6', '600e6', '1e12', '1e12'])} }`
  }

  private leg(): string {
    return this.dice.chance(60) ? '0' : `${this.dice.from(1, 7)} % ${this.view}.legs.count`
  }

  /** A draw of the intent or the holding that is shown. */
  private draw(): string {
    const [low, high] = this.view === 'holding' ? HOLDING_DRAWS : OWN_DRAWS
    return `desk.${this.dice.chance(70) ? 'uniform' : 'normal'}(${this.view}, ${this.dice.from(low!, high!)})`
  }

  /** A probability or an unknown one. */
  price(): string {
    const { dice, view, role } = this
    return dice.of([
      `desk.price(${view}.legs, ${this.how()})`, `desk.legPrice(${view}.legs, ${this.leg()}, ${this.how()})`,
      role === 'maker' ? `desk.winProbability(${view}.legs, ${this.how()})` : `desk.futurePrice(${view}.legs, ${this.leg()})`,
    ])
  }

  private ofLegs(): string {
    const { dice, view, role } = this
    const own = dice.of([`${view}.legs.count`, `${view}.legs.market(${this.leg()})`, `${view}.legs.side(${this.leg()})`, `${view}.legs.markets[${this.leg()}]`, `${view}.legs.sides[${this.leg()}]`])
    if (dice.chance(25)) return own
    if (role === 'bettor' || dice.chance(25)) return this.price()
    const ofLeg = dice.of(['legDepth', 'priceAgeUs', 'category', 'event', 'game', 'gameCategory', 'netLegRisk', 'netLegRisk'])
    return dice.chance(70) ? `desk.${ofLeg}(${view}.legs, ${this.leg()})` : `desk.exposure(${view}.legs).${dice.of(['worst', 'total'])}`
  }

  /** What the desk works out about the view. */
  private worth(): string {
    switch (this.view) {
      case 'request': return `desk.riskOf(request, ${this.probability()})`
      case 'auction': return `desk.breakEvenPrice(auction, ${this.probability()})`
      case 'position': case 'holding': return `desk.${this.view === 'holding' ? 'expectedPayout' : 'positionValue'}(${this.view}, ${this.dice.chance(60) ? this.how() : this.probability()})`
      default: return this.field()
    }
  }

  private field(): string {
    const sight = SIGHTS[this.dice.of(this.sights)]
    return `${sight.view}.${this.dice.of(sight.fields)}`
  }

  /** What the legs are likely worth together, most of the time. */
  fair(): string {
    if (this.dice.chance(25)) return this.probability()
    const how = `{ priceType: '${this.dice.of(['ask', 'mid'])}', maxAgeUs: 1e12 }`
    return `within(desk.${this.dice.of(['price', 'winProbability'])}(${this.view}.legs, ${how}) * ${this.dice.of([0.7, 0.95, 1.01, 1.05, 1.2])}, 0.001, 0.999)`
  }

  probability(): string {
    return `within(${this.price()} * ${this.dice.of([0.7, 0.95, 1, 1.03, 1.1, 1.4])}, ${this.dice.of([0.001, 0.01])}, 0.999)`
  }

  /** Any number or boolean that the handler can see. */
  term(): string {
    const { dice, role } = this
    const kinds = [() => this.field(), () => this.field(), () => dice.of(role === 'maker' ? OF_MAKER : OF_BETTOR)]
    if (this.hasLegs) kinds.push(() => this.ofLegs(), () => this.ofLegs(), () => this.worth())
    if (role === 'bettor') kinds.push(() => this.draw())
    return dice.of(kinds)()
  }

  note(): string {
    return `state.seen = mixed(state.seen, ${this.term()})`
  }

  private condition(): string {
    const { dice } = this
    return dice.of([
      () => `chance(0.${dice.from(1, 9)})`, () => `state.seen % 8 < ${dice.from(1, 7)}`, () => `Number(${this.term()}) > Number(${this.term()})`, () => `isKnown(Number(${this.term()}))`,
      () => `whole(Number(${this.term()}), 0, 1e9) % 2 === 0`,
    ])()
  }

  /** A whole number that hangs on something that was seen. */
  amount(low: number, high: number): string {
    return this.dice.chance(50) ? `${low} + state.seen % ${high - low}` : `whole(Number(${this.term()}) * ${this.dice.of([0.3, 0.9, 1, 1.2])}, ${low}, ${high})`
  }

  /** The act under a drawn condition, or as it is. */
  maybe(act: string, sharePercent = 70): string {
    return this.dice.chance(sharePercent) ? `if (${this.condition()}) ${act}` : act
  }

  notes(most: number): string[] {
    return Array.from({ length: this.dice.from(1, most) }, () => this.note())
  }
}

const chanceOf = (dice: Dice, mostTenths: number): string => `chance(0.${dice.from(1, mostTenths)})`

function quote(w: Writer, dice: Dice): string {
  const fair = dice.chance(40) ? `, fair: ${w.probability()}` : ''
  return `{ state.last = request.request; desk.quote(request, { probability: ${w.fair()}, validUs: ${w.amount(dice.chance(80) ? 5_000_000 : 1000, 90_000_000)}${fair} }) }`
}

const later = (w: Writer): string => `if (state.calls++ < 3000) desk.later(request, ${w.amount(SHORT_US, 10_000_000)})`

function bid(w: Writer, dice: Dice): string {
  const more = `validUs: ${w.amount(dice.chance(80) ? 5_000_000 : 1000, 60_000_000)}${dice.chance(40) ? `, fair: ${w.probability()}` : ''}`
  if (dice.chance(50)) return `desk.bid(auction, { priceMicros: ${w.amount(1, 100_000_000)}, ${more} })`
  if (dice.chance(30)) return `desk.bid(auction, { priceMicros: Math.max(1, auction.maxPriceMicros), ${more} })`
  return `{ const probability = ${w.fair()}; if (Math.min(auction.maxPriceMicros, probability * auction.payoutMicros) >= 1) desk.bid(auction, { probability, ${more} }) }`
}

const answer = (dice: Dice, isQuote: boolean, w: Writer): string => dice.of([
  'return desk.confirm(selection)', 'return desk.confirm(selection)', 'desk.confirm(selection)', 'return desk.decline(selection)', 'desk.decline(selection)', 'return',
  isQuote ? `return state.calls++ < 3000 ? desk.decideLater(selection, ${w.amount(1000, 6_000_000)}) : desk.confirm(selection)` : 'return desk.confirm(selection)',
])

const offered = (w: Writer, dice: Dice, view: 'position' | 'holding'): string =>
  `if (${view}.canCashOut && ${view}.auctions < 6) desk.openCashOut(${view}${view === 'holding' && dice.chance(50) ? `, ${w.amount(SHORT_US, 30_000_000)}` : ''})`
const sold = (dice: Dice, view: 'position' | 'holding'): string =>
  `if (${view}.isAuctioned && isKnown(${view}.bestPriceMicros)) desk.takeBid(${view}, Math.max(1, Math.floor(${view}.bestPriceMicros * ${dice.of([0.5, 1, 1.01])})))`

/** What is done with a position that is held, by whoever holds it. */
const dealt = (w: Writer, dice: Dice, view: 'position' | 'holding'): string => dice.of([
  offered(w, dice, view), sold(dice, view), `if (${view}.isAuctioned) desk.takeBid(${view}, ${w.amount(1, 100_000_000)})`,
  `if (${view}.isAuctioned && chance(0.${dice.from(3, 9)})) desk.cancelCashOut(${view})`, `if (${view}.isAuctioned && chance(0.${dice.from(3, 9)})) desk.cancelCashOut(${view})`,
])
const looked = (w: Writer, view: 'position' | 'holding'): string => `if (${view === 'position' ? 'position.isHolder && ' : ''}${view}.checks < 12) desk.checkIn(${view}, ${w.amount(1_000_000, 120_000_000)})`

/** It takes no draw, so that worlds stay what they were. */
const LOGGED = "if (state.seen % 16 === 0) desk.log('seen', { seen: state.seen })"

/** Names of a leg's market. It takes no draw either, and nothing that is drawn hangs on it. */
const named = (view: string): string => `if (state.seen % 16 === 1) desk.log(desk.market(${view}.legs.market(0)).ticker, { title: desk.market(${view}.legs.market(0)).title.length })`

/** What the book of a leg's market says, where the session shows books. */
const ofBook = (view: string): string => `{ const book = desk.depth(${view}.legs.market(0)); if (book !== undefined) state.seen = mixed(mixed(state.seen, book.market + book.ageUs), `
  + `(book.depthOf(${view}.legs.side(0), 40) ?? 0.5) + 8 * book.bids(1).length + book.asks(0).length) }`

/** The same strategy, which looks at books. It takes no draw either. */
export function withDepth({ role, on, ...rest }: DrawnStrategy): DrawnStrategy {
  const looks: readonly [handler: string, view: string][] = role === 'maker' ? [['onRequest', 'request'], ['onSelected', 'selection']] : [['onDecision', 'intent'], ['onBid', 'holding']]
  const looking = looks.flatMap(([handler, view]) => (on[handler] === undefined ? [] : [[handler, [ofBook(view), ...on[handler]]] satisfies [string, string[]]]))
  return { ...rest, role, on: { ...on, ...Object.fromEntries(looking) } }
}

const WATCHED = "if (state.seen % 4 > 0) desk.watch(request, { priceType: 'mid', movedBy: 0.01 })"
const POSITION_WATCHED = "if (state.seen % 2 === 0) desk.watchPosition(position, { priceType: 'ask', movedBy: 0.01 })"
const HOLDING_WATCHED = "if (state.seen % 2 === 0) desk.watch(holding, { priceType: 'bid', movedBy: 0.01 })"

/** Handlers that every drawn strategy has. They take no draw either. */
const OF_EVERY_MAKER = {
  onStart: ['state.seen = mixed(state.seen, desk.freeMicros)', 'desk.after(60_000_000, 1)'],
  onTimer: [
    'state.seen = mixed(state.seen, tag)', 'state.seen = mixed(state.seen, desk.openRiskMicros)', LOGGED,
    'if (state.last > 0 && state.seen % 4 === 0) desk.withdrawQuote(state.last)', 'if (tag < 40) desk.after(60_000_000 + state.seen % 1000, tag + 1)',
  ],
  onEnd: ["desk.log('ended', { seen: state.seen })"],
  onPrice: [
    "state.seen = mixed(state.seen, desk.price(request.legs, { priceType: 'mid', maxAgeUs: 1e12 }))", 'if (state.seen % 4 === 0) desk.withdrawQuote(request)',
    "else desk.quote(request, { probability: within(desk.price(request.legs, { priceType: 'ask', maxAgeUs: 1e12 }) * 1.03, 0.001, 0.999), validUs: 20_000_000 })",
    "if (state.seen % 4 > 1) desk.watch(request, { priceType: 'ask', movedBy: 0.01 })",
  ],
  onRequestEnded: ['state.seen = mixed(state.seen, request.version)', 'if (state.seen % 8 === 0) desk.withdrawQuote(request)'],
  onPositionPrice: [
    "state.seen = mixed(state.seen, desk.winProbability(position.legs, { priceType: 'bid', maxAgeUs: 1e12 }))", 'if (position.canCashOut && position.auctions < 6) desk.openCashOut(position)',
    "desk.watchPosition(position, { priceType: 'mid', movedBy: 0.02 })",
  ],
} as const satisfies Partial<HandlersOf<MakerHandlers>>
const OF_EVERY_BETTOR = {
  onStart: ["desk.log('begun', { fee: desk.takerFeeBps })"], onEnd: ["desk.log('ended', { now: desk.nowUs })"],
  onSettled: ["desk.log('settled', { free: desk.freeMicros(holding), brought: holding.returnedMicros })"],
  onPrice: ["if (holding.canCashOut && holding.auctions < 6 && state.seen % 2 === 0) desk.openCashOut(holding)", "desk.watch(holding, { priceType: 'mid', movedBy: 0.02 })"],
} as const satisfies Partial<HandlersOf<BettorHandlers>>

export function makerStrategyOf(dice: Dice): DrawnStrategy {
  const writer = (...sights: SightName[]): Writer => new Writer(dice, 'maker', sights)
  const request = writer('request')
  const selection = writer('selection')
  const auction = writer('auction')
  const position = writer('position')
  const refused = writer('position', 'refusal')
  const ack = writer('ack')
  const withdraw = (): string => (dice.chance(50) ? 'desk.withdrawQuote(request)' : 'if (state.last > 0) desk.withdrawQuote(state.last)')
  const deal = (): string[] => [...position.notes(4), position.maybe(dealt(position, dice, 'position'))]
  const all: Omit<HandlersOf<MakerHandlers>, keyof typeof OF_EVERY_MAKER | 'adopt'> = {
    onRequest: [...request.notes(3), LOGGED, named('request'), WATCHED, ...(dice.chance(30) ? [request.maybe(later(request), 100)] : []), ...(dice.chance(30) ? [request.maybe("return desk.pass('a draw')", 100)] : []), request.maybe(quote(request, dice))],
    onLater: [...request.notes(3), request.maybe(dice.chance(30) ? withdraw() : quote(request, dice)), `if (${chanceOf(dice, 5)}) ${later(request)}`],
    // What every maker answers at once would never end.
    onBest: [...request.notes(2), `if (chance(0.${dice.from(1, 2)})) ${dice.chance(30) ? withdraw() : quote(request, dice)}`],
    onSelected: [...selection.notes(3), selection.maybe(answer(dice, true, selection)), ...(dice.chance(70) ? ['desk.confirm(selection)'] : [])],
    onDecision: [...selection.notes(3), selection.maybe(answer(dice, true, selection)), ...(dice.chance(70) ? ['desk.confirm(selection)'] : [])],
    onBidTaken: [...selection.notes(3), selection.maybe(answer(dice, false, selection)), ...(dice.chance(70) ? ['desk.confirm(selection)'] : [])],
    onAck: [...ack.notes(4), ...(dice.chance(20) ? [`if (ack.request > 0 && chance(0.1)) desk.withdrawQuote(ack.request)`] : [])],
    onOpened: [
      ...position.notes(4), POSITION_WATCHED,
      position.maybe(`state.seen = mixed(state.seen, desk.layOff(position, { betMicros: ${position.amount(1, 60_000_000)}, minOddsE4: ${position.amount(10_001, 60_000)}, decideInUs: ${position.amount(0, 20_000_000)} }))`),
    ],
    onSettled: position.notes(6),
    onCashOut: [...auction.notes(6), auction.maybe(bid(auction, dice))],
    onBestBid: [...auction.notes(4), `if (chance(0.${dice.from(1, 2)})) ${bid(auction, dice)}`],
    onBought: [...position.notes(4), POSITION_WATCHED, position.maybe(offered(position, dice, 'position')), looked(position, 'position')],
    onCheck: [...deal(), ...deal(), looked(position, 'position')],
    onBid: [...position.notes(4), position.maybe(sold(dice, 'position')), ...(dice.chance(50) ? deal() : [])],
    onAuctionEnded: ['state.seen = mixed(state.seen, outcome)', ...position.notes(4), `if (position.canCashOut) { ${looked(position, 'position')} }`],
    onCashOutRefused: [...refused.notes(4), `if (position.canCashOut) { ${looked(position, 'position')} }`],
  }
  return { role: 'maker', on: { ...kept(dice, all, ['onRequest']), ...unshared(OF_EVERY_MAKER) } }
}

export function bettorStrategyOf(dice: Dice, legsLeast: number): DrawnStrategy {
  const writer = (...sights: SightName[]): Writer => new Writer(dice, 'bettor', sights)
  const intent = writer('intent')
  const refused = writer('intent', 'refusal')
  const holding = writer('holding')
  const holdingRefused = writer('holding', 'refusal')
  const deal = (): string[] => [...holding.notes(4), holding.maybe(dealt(holding, dice, 'holding'))]
  const wait = (w: Writer): string => `if (intent.decisions < 15) return desk.wait(intent, ${w.amount(SHORT_US, 20_000_000)})`
  const changes = [
    'intent.setSide(0, 1 - intent.legs.side(0))', `if (intent.legs.count > ${legsLeast}) intent.setLegCount(intent.legs.count - 1)`,
    'intent.setLeg(0, intent.legs.market(0), 1 - intent.legs.side(0))', `intent.setLeg(intent.legs.count - 1, ${dice.from(0, 9)} % ${MARKETS_LEAST}, ${dice.from(0, 1)})`,
  ]
  const all: Omit<HandlersOf<BettorHandlers>, keyof typeof OF_EVERY_BETTOR> = {
    onArrival: [
      `if (!desk.pickLegs(intent, ${dice.from(legsLeast, 5)}, ${dice.of([0.01, 0.05, 0.2])}, ${dice.of(['1e6', '600e6', '1e12'])}${dice.chance(20) ? ', 0.6' : ''})) return`,
      ...intent.notes(4), ...(dice.chance(40) ? [intent.maybe(dice.of(changes), 80)] : []),
      `desk.requestQuote(intent, { betMicros: whole(${dice.of([5, 30, 120])}e6 * desk.uniform(intent, 3), 1, 150_000_000), minOddsE4: whole(${dice.of([2000, 7000, 9500])} / desk.price(intent.legs, { priceType: 'mid', maxAgeUs: 1e12 }), 10_001, 10_000_000), decideInUs: ${intent.amount(SHORT_US, 15_000_000)} })`,
    ],
    onDecision: [
      ...intent.notes(2), LOGGED, named('intent'),
      intent.maybe(dice.chance(80) ? 'if (intent.bestOddsE4 >= intent.minOddsE4) return desk.commit(intent)' : 'return desk.commit(intent)', 40),
      ...(dice.chance(30) ? [intent.maybe('return desk.cancelRequest(intent)', 100)] : []), intent.maybe(wait(intent), 40),
    ],
    onRefused: [...refused.notes(4), refused.maybe(wait(refused), 50)],
    onOpened: [...holding.notes(4), HOLDING_WATCHED, holding.maybe(offered(holding, dice, 'holding')), looked(holding, 'holding')],
    onCheck: [...deal(), ...deal(), looked(holding, 'holding')],
    onListened: deal(),
    onBid: [...holding.notes(4), holding.maybe(sold(dice, 'holding')), ...(dice.chance(50) ? deal() : [])],
    onAuctionEnded: ['state.seen = mixed(state.seen, outcome)', ...holding.notes(4), looked(holding, 'holding')],
    onCashOutRefused: [...holdingRefused.notes(5), looked(holdingRefused, 'holding')],
  }
  return { role: 'bettor', on: { ...kept(dice, all, ['onArrival', 'onDecision']), ...unshared(OF_EVERY_BETTOR) }, ...(dice.chance(50) ? { horizon: `${dice.of(['1', '60', '3600'])}e6` } : {}) }
}

/** Lists of its own, from which a shrinker takes. */
const unshared = (of: Readonly<Record<string, readonly string[]>>): DrawnStrategy['on'] => Object.fromEntries(Object.entries(of).map(([name, statements]) => [name, [...statements]]))

/** Most of the handlers; those that must be there always. */
const kept = (dice: Dice, all: DrawnStrategy['on'], always: readonly string[]): DrawnStrategy['on'] =>
  Object.fromEntries(Object.entries(all).filter(([name]) => always.includes(name) || dice.chance(80)))

const GIVEN: Readonly<Record<string, string>> = {
  onRequest: 'request', onLater: 'request', onBest: 'request', onPrice: 'request', onRequestEnded: 'request', onSelected: 'selection', onDecision: 'selection', onBidTaken: 'selection', onAck: 'ack', onCashOut: 'auction', onBestBid: 'auction',
  onAuctionEnded: 'position, outcome', onCashOutRefused: 'position, refusal', onStart: '', onTimer: 'tag', onEnd: '',
}
const GIVEN_TO_BETTORS: Readonly<Record<string, string>> = {
  onArrival: 'intent', onDecision: 'intent', onRefused: 'intent, refusal', onAuctionEnded: 'holding, outcome', onCashOutRefused: 'holding, refusal', onStart: '', onEnd: '',
}

const WORDS = "import { isKnown } from 'parlor'\nimport { mixed, whole, within } from '../strategies/words.ts'\n"

/** The file of a drawn strategy. What a shrinker has left out of it is not there. */
export function textOf(drawn: Written): string {
  const { role, on = {}, horizon } = drawn as Partial<DrawnStrategy> & { horizon?: string }
  const [begin, end] = role === 'maker' ? makerFrame() : bettorFrame(horizon)
  const given = (name: string): string => (role === 'maker' ? GIVEN[name] ?? 'position' : GIVEN_TO_BETTORS[name] ?? 'holding')
  const names = role === 'maker' ? Object.keys(on) : [...new Set(['onArrival', 'onDecision', ...Object.keys(on)])]
  const handlers = names.map((name) => {
    const view = given(name).split(',')[0]!
    const first = role === 'maker' || view === '' ? [] : [`const { state, chance } = of(mixed(${view}.arrival, ${view === 'intent' ? 'intent.decisions' : 'holding.checks'}))`]
    return `    ${name}(${view === '' ? '' : `${given(name)}, `}desk) {\n${[...first, ...(on[name] ?? [])].map((statement) => `      ${statement}\n`).join('')}    },\n`
  })
  return `${WORDS}${begin}${handlers.join('')}${end}`
}

const makerFrame = (): [string, string] => [
  "import { maker } from 'parlor'\n\nexport default maker({}, (_, seat) => {\n  const state = { seen: 1, last: 0, calls: 0 }\n  const chance = (share) => seat.random() < share\n  return {\n    state,\n", '  }\n})\n',
]

/** A bettor remembers nothing between calls: what it has seen is of its call alone. */
const bettorFrame = (horizon: string | undefined): [string, string] => [
  `import { bettor } from 'parlor'\n
function of(seen) {
  const state = { seen }
  const chance = (share) => {
    state.seen = mixed(state.seen, 1)
    return state.seen % 1000 < 1000 * share
  }
  return { state, chance }
}\n
export default bettor({}, () => {\n  return {\n`,
  `  }\n}${horizon === undefined ? '' : `, { horizonUs: () => ${horizon} }`})\n`,
]
