import { Field, NONE } from '../../eventRows.ts'
import { MarketResult } from '../protocol/commands.ts'
import { ParlayEvent, PositionState } from '../protocol/events.ts'
import { countOpened } from './accounts.ts'
import { fillPot } from './pots.ts'
import { openRequestRow, pushRequestLegs } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'
import { openVault } from './vaults.ts'
import { P } from './positionRows.ts'
import { Q } from './quoteRows.ts'
import { R } from './requestRows.ts'

/** Makes the position of a confirmed selection and moves what was reserved into its pot and escrow. Returns its row. */
export function openPosition(s: ParlayState, r: number, q: number): number {
  const { positions, requests, quotes } = s
  const p = positions.take()
  const { words, cells } = positions
  const holder = requests.words[r + R.owner]!
  const backer = quotes.words[q + Q.maker]!
  const betMicros = requests.cells[r + R.betMicros]!
  const stakeMicros = quotes.cells[q + Q.stakeMicros]!
  const riskMicros = quotes.cells[q + Q.riskMicros]!
  const isLater = s.terms.chainFault() || s.profile.executionMs > 0
  words[p + P.holder] = holder
  words[p + P.backer] = backer
  words[p + P.state] = isLater ? PositionState.confirmed : PositionState.executed
  words[p + P.version] = quotes.words[q + Q.version]!
  words[p + P.takerFeeBps] = quotes.words[q + Q.takerFeeBps]!
  words[p + P.profitFeeBps] = s.terms.profitFeeBps
  words[p + P.wonLegs] = words[p + P.lostLegs] = words[p + P.voidLegs] = words[p + P.decided] = words[p + P.judged] = 0
  words[p + P.auction] = NONE
  cells[p + P.number] = positions.index.lastNumber
  cells[p + P.request] = requests.cells[r + R.number]!
  cells[p + P.quote] = quotes.cells[q + Q.number]!
  cells[p + P.stakeMicros] = stakeMicros
  cells[p + P.riskMicros] = riskMicros
  cells[p + P.takerFeeMicros] = betMicros - stakeMicros
  cells[p + P.costMicros] = betMicros
  cells[p + P.basisMicros] = stakeMicros
  openVault(s, holder)
  openVault(s, backer)
  s.vaults.backedMicros[backer]! += riskMicros
  fillPot(s, p)
  takeLegs(s, p, r)
  countOpened(s, p)
  return p
}

/** Tells the opening, with the legs of its request, which is still known. */
export function announcePosition(s: ParlayState, p: number, r: number, oddsE4: number): void {
  const { positions, events } = s
  openRequestRow(s, ParlayEvent.positionOpened, r, positions.words[p + P.holder]!)
  events.set(Field.other, positions.words[p + P.backer]!)
  events.set(Field.position, positions.cells[p + P.number]!)
  events.set(Field.quote, positions.cells[p + P.quote]!)
  events.set(Field.oddsE4, oddsE4)
  events.set(Field.amountA, positions.cells[p + P.stakeMicros]!)
  events.set(Field.amountB, positions.cells[p + P.stakeMicros]! + positions.cells[p + P.riskMicros]!)
  events.set(Field.amountC, positions.cells[p + P.takerFeeMicros]!)
  events.set(Field.amountD, positions.words[p + P.profitFeeBps]!)
  pushRequestLegs(s, r)
}

/** Counts a leg's result, and schedules the settlement at this instant when it decides the position (readings A25). */
export function countLeg(s: ParlayState, node: number): void {
  const { positions, positions: { words }, markets } = s
  const p = positions.positionOf(node)
  const result = markets.result[positions.legMarkets[node]!]
  if (result === MarketResult.void) words[p + P.voidLegs]!++
  else if (result === positions.legSides[node]) words[p + P.wonLegs]!++
  else words[p + P.lostLegs]!++
  const over = words[p + P.lostLegs]! > 0 || words[p + P.voidLegs]! > 0 || words[p + P.wonLegs] === words[p + P.legCount]
  if (!over || words[p + P.decided] === 1) return
  words[p + P.decided] = 1
  if (words[p + P.state] === PositionState.executed) words[p + P.state] = PositionState.decided
  s.deadlines.push(s.nowUs, DeadlineRank.settlement, positions.cells[p + P.number]!)
}

/** Gives the position's row back and takes its legs off the lists of markets without a result. */
export function releasePosition(s: ParlayState, p: number): void {
  const { positions, markets } = s
  const from = positions.legsFrom(p)
  for (let node = from; node < from + positions.words[p + P.legCount]!; node++) {
    const market = positions.legMarkets[node]!
    if (markets.resolved[market] === 1) continue
    const before = positions.legBefore[node]!
    const after = positions.legAfter[node]!
    if (before === NONE) markets.firstLeg[market] = after
    else positions.legAfter[before] = after
    if (after !== NONE) positions.legBefore[after] = before
  }
  positions.index.release(positions.cells[p + P.number]!)
}

/**
 * Copies the request's legs and links each to its market. A market that got its result while the selection was pending
 * counts at once, so that such a position settles at the instant it opens.
 */
function takeLegs(s: ParlayState, p: number, r: number): void {
  const { positions, requests, markets } = s
  const count = requests.words[r + R.legCount]!
  const from = positions.legsFrom(p)
  const source = requests.legsFrom(r)
  positions.words[p + P.legCount] = count
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
