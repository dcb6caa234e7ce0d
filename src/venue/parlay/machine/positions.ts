import { MarketResult } from '../../../market/sides.ts'
import { Bug } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { ParlayEvent, PositionOpened, PositionState } from '../protocol/events.ts'
import { countOpened } from './accounts.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { fillPot } from './pots.ts'
import { QuoteCell, QuoteWord } from './quoteRows.ts'
import { RequestCell, RequestWord } from './requestRows.ts'
import { openRequestRow, pushRequestLegs } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'
import { openVault } from './vaults.ts'

/** Makes the position of a confirmed selection and moves what was reserved into its pot and escrow. Returns its row. */
export function openPosition(s: ParlayState, r: number, q: number): number {
  const { positions, requests, quotes } = s
  const p = positions.take()
  const { words, cells } = positions
  const holder = requests.words[r + RequestWord.owner]!
  const backer = quotes.words[q + QuoteWord.maker]!
  const betMicros = requests.cells[r + RequestCell.betMicros]!
  const stakeMicros = quotes.cells[q + QuoteCell.stakeMicros]!
  const riskMicros = quotes.cells[q + QuoteCell.riskMicros]!
  const isLater = s.terms.chainFault() || s.profile.executionMs > 0
  words[p + PositionWord.holder] = holder
  words[p + PositionWord.backer] = backer
  words[p + PositionWord.state] = isLater ? PositionState.confirmed : PositionState.executed
  words[p + PositionWord.version] = quotes.words[q + QuoteWord.version]!
  words[p + PositionWord.takerFeeBps] = quotes.words[q + QuoteWord.takerFeeBps]!
  words[p + PositionWord.profitFeeBps] = s.terms.profitFeeBps
  words[p + PositionWord.wonLegs] = words[p + PositionWord.lostLegs] = words[p + PositionWord.voidLegs] = words[p + PositionWord.decided] = words[p + PositionWord.judged] = 0
  words[p + PositionWord.auction] = NONE
  cells[p + PositionCell.number] = positions.index.lastNumber
  cells[p + PositionCell.request] = requests.cells[r + RequestCell.number]!
  cells[p + PositionCell.quote] = quotes.cells[q + QuoteCell.number]!
  cells[p + PositionCell.stakeMicros] = stakeMicros
  cells[p + PositionCell.riskMicros] = riskMicros
  cells[p + PositionCell.takerFeeMicros] = betMicros - stakeMicros
  cells[p + PositionCell.costMicros] = betMicros
  cells[p + PositionCell.basisMicros] = stakeMicros
  openVault(s, holder)
  openVault(s, backer)
  s.vaults.backedMicros[backer]! += riskMicros
  fillPot(s, p)
  takeLegs(s, p, r)
  countOpened(s, p)
  return p
}

/** Writes the row of the opening, with the legs of the request, which is still known. */
export function announcePosition(s: ParlayState, p: number, r: number, oddsE4: number): void {
  const { positions, events } = s
  const row = openRequestRow(s, ParlayEvent.positionOpened, r)
  events.write(row, PositionOpened.holder, positions.words[p + PositionWord.holder]!)
  events.write(row, PositionOpened.backer, positions.words[p + PositionWord.backer]!)
  events.write(row, PositionOpened.position, positions.cells[p + PositionCell.number]!)
  events.write(row, PositionOpened.quote, positions.cells[p + PositionCell.quote]!)
  events.write(row, PositionOpened.oddsE4, oddsE4)
  events.write(row, PositionOpened.netStakeMicros, positions.cells[p + PositionCell.stakeMicros]!)
  events.write(row, PositionOpened.payoutMicros, positions.cells[p + PositionCell.stakeMicros]! + positions.cells[p + PositionCell.riskMicros]!)
  events.write(row, PositionOpened.takerFeeMicros, positions.cells[p + PositionCell.takerFeeMicros]!)
  events.write(row, PositionOpened.profitFeeBps, positions.words[p + PositionWord.profitFeeBps]!)
  pushRequestLegs(s, r)
}

/** Counts a leg's result, and schedules the settlement at this instant when it decides the position (readings A25). */
export function countLeg(s: ParlayState, node: number): void {
  const { positions, positions: { words }, markets } = s
  const p = positions.positionOf(node)
  const result = markets.result[positions.legMarkets[node]!]
  if (result === MarketResult.void) words[p + PositionWord.voidLegs]!++
  else if (result === positions.legSides[node]) words[p + PositionWord.wonLegs]!++
  else words[p + PositionWord.lostLegs]!++
  const over = words[p + PositionWord.lostLegs]! > 0 || words[p + PositionWord.voidLegs]! > 0 || words[p + PositionWord.wonLegs] === words[p + PositionWord.legCount]
  if (!over || words[p + PositionWord.decided] === 1) return
  words[p + PositionWord.decided] = 1
  if (words[p + PositionWord.state] === PositionState.executed) words[p + PositionWord.state] = PositionState.decided
  s.deadlines.push(s.nowUs, DeadlineRank.settlement, positions.cells[p + PositionCell.number]!)
}

/** Ends a position that has been paid out in full, and forgets it. */
export function closePosition(s: ParlayState, p: number): void {
  const { positions, vaults, ledger } = s
  const slot = positions.slotAt(p)
  const isPaidOut = ledger.potMicros(slot) === 0 && ledger.escrowMicros(slot) === 0
  if (!isPaidOut) throw new Bug(`position ${positions.cells[p + PositionCell.number]} is not paid out in full`)
  vaults.backedMicros[positions.words[p + PositionWord.backer]!]! -= positions.cells[p + PositionCell.riskMicros]!
  releasePosition(s, p)
}

/** Gives the position's row back and takes its legs off the lists of markets without a result. */
function releasePosition(s: ParlayState, p: number): void {
  const { positions, markets } = s
  const from = positions.legsFrom(p)
  for (let node = from; node < from + positions.words[p + PositionWord.legCount]!; node++) {
    const market = positions.legMarkets[node]!
    if (markets.resolved[market] === 1) continue
    positions.unlink(markets.firstLeg, market, node)
  }
  positions.index.release(positions.cells[p + PositionCell.number]!)
}

/**
 * Copies the request's legs and links each to its market. The result of a market that resolved while the selection was pending
 * counts at once, so that such a position may settle at the instant at which it opens.
 */
function takeLegs(s: ParlayState, p: number, r: number): void {
  const { positions, requests, markets } = s
  const count = requests.words[r + RequestWord.legCount]!
  const from = positions.legsFrom(p)
  const source = requests.legsFrom(r)
  positions.words[p + PositionWord.legCount] = count
  for (let i = 0; i < count; i++) {
    const node = from + i
    const market = requests.legMarkets[source + i]!
    positions.legMarkets[node] = market
    positions.legSides[node] = requests.legSides[source + i]!
    if (markets.resolved[market] === 1) {
      countLeg(s, node)
      continue
    }
    positions.link(markets.firstLeg, market, node)
  }
}
