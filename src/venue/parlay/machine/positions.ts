import { EntityColumns } from '../../../unit/countedColumns.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as commandsModule from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { countOpened } from './accounts.ts'
import { fillPot } from './pots.ts'
import { openRequestRow, pushRequestLegs } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'
import { openVault } from './vaults.ts'
import * as quoteRowsModule from './quoteRows.ts'
import * as requestRowsModule from './requestRows.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { Field, NONE } = eventRowsModule
const { MarketResult } = commandsModule
const { ParlayEvent, PositionState } = eventsModule
const { Q } = quoteRowsModule
const { R } = requestRowsModule

/**
 * Open positions by slot. A leg is a node, numbered slot × legWidth + place; the nodes of one unresolved market form
 * a doubly linked list that starts at `MarketColumns.firstLeg`.
 */
export class PositionColumns extends EntityColumns {
  declare readonly legWidth: number
  number = new Float64Array(this.capacity)
  /** Numbers, since request and quote are forgotten before the position settles. */
  request = new Float64Array(this.capacity)
  quote = new Float64Array(this.capacity)
  version = new Int32Array(this.capacity)
  holder = new Int32Array(this.capacity)
  backer = new Int32Array(this.capacity)
  stakeMicros = new Float64Array(this.capacity)
  riskMicros = new Float64Array(this.capacity)
  takerFeeMicros = new Float64Array(this.capacity)
  /** What the holder paid: the gross bet, or the price of its cash-out. */
  costMicros = new Float64Array(this.capacity)
  /** What the holder's profit is counted from: user_stake, or the price (readings A27). */
  basisMicros = new Float64Array(this.capacity)
  takerFeeBps = new Int32Array(this.capacity)
  profitFeeBps = new Int32Array(this.capacity)
  legCount = new Uint8Array(this.capacity)
  wonLegs = new Uint8Array(this.capacity)
  lostLegs = new Uint8Array(this.capacity)
  voidLegs = new Uint8Array(this.capacity)
  /** A `PositionState`: confirmed until it is funded, then executed, or decided once results have decided it. */
  state = new Uint8Array(this.capacity)
  /** 1 from when its settlement is scheduled. */
  decided = new Uint8Array(this.capacity)
  /** 1 from the first try to pay it, which fixes `outcome`, a `PositionOutcome`. */
  judged = new Uint8Array(this.capacity)
  outcome = new Uint8Array(this.capacity)
  /** Slot of its active auction, or −1. */
  auction = new Int32Array(this.capacity)
  declare legMarkets: Int32Array
  declare legSides: Uint8Array
  declare legBefore: Int32Array
  declare legAfter: Int32Array

  constructor(capacity: number, legWidth: number) {
    super(capacity)
    this.legWidth = legWidth
    this.legMarkets = new Int32Array(capacity * legWidth)
    this.legSides = new Uint8Array(capacity * legWidth)
    this.legBefore = new Int32Array(capacity * legWidth)
    this.legAfter = new Int32Array(capacity * legWidth)
  }
}

/** Makes the position of a confirmed selection and moves what was reserved into its pot and escrow. Returns its slot. */
export function openPosition(s: ParlayState, r: number, q: number): number {
  const { positions, requests, quotes } = s
  const p = positions.take()
  const takerFeeMicros = requests.cells[r + R.betMicros]! - quotes.cells[q + Q.stakeMicros]!
  positions.number[p] = positions.index.lastNumber
  positions.request[p] = requests.cells[r + R.number]!
  positions.quote[p] = quotes.cells[q + Q.number]!
  positions.version[p] = quotes.words[q + Q.version]!
  positions.holder[p] = requests.words[r + R.owner]!
  positions.backer[p] = quotes.words[q + Q.maker]!
  positions.stakeMicros[p] = quotes.cells[q + Q.stakeMicros]!
  positions.riskMicros[p] = quotes.cells[q + Q.riskMicros]!
  positions.takerFeeMicros[p] = takerFeeMicros
  positions.costMicros[p] = requests.cells[r + R.betMicros]!
  positions.basisMicros[p] = quotes.cells[q + Q.stakeMicros]!
  positions.takerFeeBps[p] = quotes.words[q + Q.takerFeeBps]!
  positions.profitFeeBps[p] = s.terms.profitFeeBps
  positions.wonLegs[p] = positions.lostLegs[p] = positions.voidLegs[p] = positions.decided[p] = positions.judged[p] = 0
  const isLater = s.terms.chainFault() || s.profile.executionMs > 0
  positions.state[p] = isLater ? PositionState.confirmed : PositionState.executed
  positions.auction[p] = NONE
  openVault(s, positions.holder[p]!)
  openVault(s, positions.backer[p]!)
  s.vaults.backedMicros[positions.backer[p]!]! += positions.riskMicros[p]!
  fillPot(s, p)
  takeLegs(s, p, r)
  countOpened(s, p)
  return p
}

/** Tells the opening, with the legs of its request, which is still known. */
export function announcePosition(s: ParlayState, p: number, r: number, oddsE4: number): void {
  const { positions, events } = s
  openRequestRow(s, ParlayEvent.positionOpened, r, positions.holder[p]!)
  events.set(Field.other, positions.backer[p]!)
  events.set(Field.position, positions.number[p]!)
  events.set(Field.quote, positions.quote[p]!)
  events.set(Field.oddsE4, oddsE4)
  events.set(Field.amountA, positions.stakeMicros[p]!)
  events.set(Field.amountB, positions.stakeMicros[p]! + positions.riskMicros[p]!)
  events.set(Field.amountC, positions.takerFeeMicros[p]!)
  events.set(Field.amountD, positions.profitFeeBps[p]!)
  pushRequestLegs(s, r)
}

/** Counts a leg's result, and schedules the settlement at this instant when it decides the position (readings A25). */
export function countLeg(s: ParlayState, node: number): void {
  const { positions, markets } = s
  const p = Math.floor(node / positions.legWidth)
  const result = markets.result[positions.legMarkets[node]!]
  if (result === MarketResult.void) positions.voidLegs[p]!++
  else if (result === positions.legSides[node]) positions.wonLegs[p]!++
  else positions.lostLegs[p]!++
  const over = positions.lostLegs[p]! > 0 || positions.voidLegs[p]! > 0 || positions.wonLegs[p] === positions.legCount[p]
  if (!over || positions.decided[p] === 1) return
  positions.decided[p] = 1
  if (positions.state[p] === PositionState.executed) positions.state[p] = PositionState.decided
  s.deadlines.push(s.nowUs, DeadlineRank.settlement, positions.number[p]!)
}

/** Gives the position's slot back and takes its legs off the lists of markets without a result. */
export function releasePosition(s: ParlayState, p: number): void {
  const { positions, markets } = s
  const from = p * positions.legWidth
  for (let node = from; node < from + positions.legCount[p]!; node++) {
    const market = positions.legMarkets[node]!
    if (markets.resolved[market] === 1) continue
    const before = positions.legBefore[node]!
    const after = positions.legAfter[node]!
    if (before === NONE) markets.firstLeg[market] = after
    else positions.legAfter[before] = after
    if (after !== NONE) positions.legBefore[after] = before
  }
  positions.index.release(positions.number[p]!)
}

/**
 * Copies the request's legs and links each to its market. A market that got its result while the selection was pending
 * counts at once, so that such a position settles at the instant it opens.
 */
function takeLegs(s: ParlayState, p: number, r: number): void {
  const { positions, requests, markets } = s
  const count = requests.words[r + R.legCount]!
  const from = p * positions.legWidth
  const source = requests.legsFrom(r)
  positions.legCount[p] = count
  for (let i = 0; i < count; i++) {
    const node = from + i
    const market = requests.legMarkets[source + i]!
    positions.legMarkets[node] = market
    positions.legSides[node] = requests.legSides[source + i]!
    if (markets.resolved[market] === 1) {
      countLeg(s, node)
      continue
    }
    const first = markets.firstLeg[market]!
    positions.legBefore[node] = NONE
    positions.legAfter[node] = first
    if (first !== NONE) positions.legBefore[first] = node
    markets.firstLeg[market] = node
  }
}
