/** A fault that is planted into a copy of the sources: `text`, which the file has once, becomes `replacement`. */
export interface Planted {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly replacement: string
  /** The test file that notices it, of a fault that shows in no world. */
  readonly test?: string
}

const at = (file: string, name: string, text: string, replacement: string, test?: string): Planted => ({ name, file: `src/${file}`, text, replacement, ...(test === undefined ? {} : { test: `test/${test}` }) })

const PARLAY = 'venue/parlay/machine'
const OUTCOME = 'venue/outcome/machine'

/** Faults over all that plays a session, keeps it and scores it. What no world tells has a test of its own, which must notice it. */
export const PLANTED: readonly Planted[] = [
  at(`${PARLAY}/settlement.ts`, 'profit fee counted from the payout', 'payoutMicros - positions.cells[p + PositionCell.basisMicros]!)', 'payoutMicros - 0)'),
  at(`${PARLAY}/settlement.ts`, 'a void beats a loss', 'positions.words[p + PositionWord.lostLegs]! > 0 ? lost : positions.words[p + PositionWord.voidLegs]! > 0 ? voided : won', 'positions.words[p + PositionWord.voidLegs]! > 0 ? voided : positions.words[p + PositionWord.lostLegs]! > 0 ? lost : won'),
  at(`${PARLAY}/positions.ts`, 'legs of the first side alone can win', "positions.legSides[node]) words[p + PositionWord.wonLegs]!++", 'positions.legSides[node] || positions.legSides[node] === 0) words[p + PositionWord.wonLegs]!++'),
  at(`${PARLAY}/cashOutSales.ts`, 'a buyer keeps the basis of the first holder', 'if (s.profile.profitFeeOnTransfer === 1) positions.cells[p + PositionCell.basisMicros] = priceMicros', ''),
  at(`${PARLAY}/cashOutSales.ts`, 'a sale leaves the holder as it was', 'positions.words[p + PositionWord.holder] = buyer', ''),
  at(`${PARLAY}/cashOutSales.ts`, 'no cutoff at the sale', 'if (isNearClose(s, p)) return ParlayCode.marketNearClose\n', ''),
  at(`${PARLAY}/selections.ts`, 'the last of equal or worse quotes is selected', 'quotes.words[q + QuoteWord.oddsE4]! <= bestOddsE4) continue', 'quotes.words[q + QuoteWord.oddsE4]! < c.oddsE4) continue'),
  at(`${PARLAY}/selections.ts`, 'a failed selection keeps what it held', 'holdBoth(s, r, q, PostingCause.release, AccountKind.reserved, AccountKind.free)', ''),
  at(`${PARLAY}/selections.ts`, 'the window for confirming is a microsecond short', 's.nowUs + s.confirmationUs\n', 's.nowUs + s.confirmationUs - 1\n'),
  at(`${PARLAY}/quotes.ts`, 'a replaced quote stays live', 'removeOwnQuote(s, r, c.account)', 's.makerQuotes.remove(r, c.account)'),
  at(`${PARLAY}/quotes.ts`, 'book_seq stands still at a submission', 'requests.words[r + RequestWord.bookSeq]!++\n  removeOwnQuote', 'removeOwnQuote'),
  at(`${PARLAY}/auctions.ts`, 'an auction is open for a microsecond longer', 's.nowUs + s.profile.cashoutWindowMs * MS_US', 's.nowUs + s.profile.cashoutWindowMs * MS_US + 1'),
  at(`${PARLAY}/bids.ts`, 'the first bid stays the best', 'bids.cells[b + BidCell.priceMicros]! > bids.cells[best + BidCell.priceMicros]!) auctions.words', 'bids.cells[b + BidCell.priceMicros]! < 0) auctions.words'),
  at('unit/odds.ts', 'payouts are rounded up', 'mulDivFloor(stakeMicros, oddsE4, ODDS_ONE) as Micros', '(mulDivFloor(stakeMicros, oddsE4, ODDS_ONE) + 1) as Micros'),
  at(`${OUTCOME}/acceptances.ts`, 'an acceptance does not count as a generation', 'rfqs.cells[r + RfqCell.generation]!++', ''),
  at(`${OUTCOME}/acceptances.ts`, 'the confirm window of acceptances ends with its last instant', 's.deadlines.push(confirmUntilUs + 1, ', 's.deadlines.push(confirmUntilUs, '),
  at(`${OUTCOME}/settlement.ts`, 'a void returns the entry fee to nobody, and a micro-unit to the maker', 'const riskMicros = positions.cells[p + PositionCell.payoutMicros]! - netStakeMicros', 'const riskMicros = positions.cells[p + PositionCell.payoutMicros]! - netStakeMicros - 1'),
  at(`${OUTCOME}/settlement.ts`, 'won positions pay no fee', 'const toHolderMicros = payoutMicros - feeMicros', 'const toHolderMicros = payoutMicros'),
  at(`${OUTCOME}/cashOuts.ts`, 'a failed sale keeps the price reserved', "ledger.post(s.nowUs, PostingCause.release, reserved, buyer, free, buyer, operations.cells[o + OperationCell.riskMicros]!, rfq, NONE)", ''),
  at(`${OUTCOME}/operationSteps.ts`, 'a failed fill keeps what the maker held', 'ledger.post(s.nowUs, PostingCause.release, reserved, maker, free, maker, operations.cells[o + OperationCell.riskMicros]!, rfq, NONE)', ''),
  at('ledger/ledger.ts', 'a posting credits a micro-unit too little', 'to[credit]! += amountMicros', 'to[credit]! += amountMicros - (amountMicros > 77_000_000 ? 1 : 0)'),
  at('engine/makerCommands.ts', 'a confirmation draws from the delay of hearing', 'transit.send(slot, this.ways.delay(seat, seat.confirm, key, Way.confirm, earlier))', 'transit.send(slot, this.ways.delay(seat, seat.confirm, key, Way.selected, earlier))'),
  at('engine/makerWays.ts', 'ignoring draws from the delays of makers', 'this.missDraws = new Draws(key, Purpose.confirmDelay)', 'this.missDraws = new Draws(key, Purpose.makerLatency)'),
  at('engine/makerSeats.ts', 'a checkpoint forgets what strategies remember', 'state: seat.handlers.state === undefined ? null : structuredClone(seat.handlers.state),', 'state: null,'),
  at('engine/session.ts', 'a checkpoint forgets how far the operator is', 'this.lookAtOperator(from.operatorAt)', 'this.lookAtOperator(Math.max(0, from.operatorAt - 1))'),
  at('engine/session.ts', 'the end of a chunk loses a step', 'for (let i = 0; i < steps; i++) {\n      if (!this.step()) return false', 'for (let i = 0; i < steps; i++) {\n      if (i > 600 && this.shared.queue.size > 3) this.shared.queue.pop()\n      if (!this.step()) return false'),
  at('record/equityRows.ts', 'positions without a price are not counted', 'unmarked[backer]!++', ''),
  at('record/positionRows.ts', "a buyback's profit fee lacks the maker's", 'profitFee: price - toHolder + makerFee, makerFee', 'profitFee: price - toHolder, makerFee'),
  at('record/markRows.ts', 'a censored mark is not flagged', 'this.write(i, this.horizonsUs[h]!, endUs, true)', 'this.write(i, this.horizonsUs[h]!, endUs, false)'),
  at('record/markRows.ts', 'a quote of a decision has no mark', 'let i = decisions[from + D.quotesFrom]!; i < to; i', 'let i = decisions[from + D.quotesFrom]!; i < to - QUOTE_STRIDE; i'),
  at('score/settlements.ts', 'a sale to another holder brings its seller nothing', 'const profit = toSellerMicros - sellerCostMicros', 'const profit = 0 - sellerCostMicros'),
  at('score/settlements.ts', 'bought back positions pay no taker fee', 'this.feesKept(m, ends.takerFee[row]!,', 'this.feesKept(m, outcome === PositionEnd.boughtBack ? 0 : ends.takerFee[row]!,'),
  at('score/marks.ts', 'marks without a reference count as known', 'tally(counts[m]![h]!, censored[row] === 1, Number.isNaN(value))', 'tally(counts[m]![h]!, censored[row] === 1, false)'),
  at('agent/makerBook.ts', 'an ended position stays in the exposure to its legs', 'this.risks.add(this.seat, legs, -riskMicros)', ''),
  at('agent/makerBook.ts', 'the depth of NO is that of YES', '(sides[i] === Side.yes ? Price.askSize : Price.bidSize)', 'Price.askSize'),
  at('agent/makerBook.ts', 'the age of a price forgets the delay of the feed', 'return atUs < 0 ? Infinity : this.nowUs - atUs', 'return atUs < 0 ? Infinity : this.nowUs - atUs - this.board.lagUs'),
  at('engine/makerInbox.ts', 'the odds of an ended position are a number', 'row.oddsE4 = orUnknown(cells[slot + PositionMessage.oddsE4]!)', 'row.oddsE4 = cells[slot + PositionMessage.oddsE4]!'),
  at('scenario/room.ts', 'a room is told another capital', 'HANDLERS_TEXTS.maker, name, capitalMicros, random)', 'HANDLERS_TEXTS.maker, name, capitalMicros + 1, random)'),
  at('result/place.ts', 'what a killed run left stays', 'else removeFolder(dir, join(dir, folder))', ''),
  at('feed/importers/polymarketMlbBook.ts', 'a crossed book is noted as one row', "'bid over ask: no tick until the book is sound again', count)", "'bid over ask: no tick until the book is sound again', 1)"),
  at('feed/importers/polymarketMlbBook.ts', 'the day of a recording ends a millisecond late', 'atUs < dayUs + 1.5 * DAY_US', 'atUs < dayUs + 1.5 * DAY_US + 1000'),
  at('feed/importers/kalshiBtc15mBook.ts', 'rows whose clock is ahead are noted as one', "tally.note('exchange clock ahead', aheadLine, about, ahead)", "tally.note('exchange clock ahead', aheadLine, about, 1)", 'feed/importers.test.ts'),
  at('engine/makerCommands.ts', 'a second selection draws as the first one did', 'transit.send(slot, this.ways.delay(seat, seat.confirm, key, Way.confirm, earlier))', 'transit.send(slot, this.ways.delay(seat, seat.confirm, key, Way.confirm, 0))', 'engine/laterSelections.test.ts'),
  at('agent/shownDepth.ts', 'the bids of NO are the bids of YES', 'isBid === (side === Side.yes) ? Level.bidE6 : Level.askE6', 'isBid ? Level.bidE6 : Level.askE6'),
  at('market/depthBoard.ts', 'levels of books reach desks at once', 'Math.min(nowUs - this.lagUs, this.untilUs - 1)', 'Math.min(nowUs, this.untilUs - 1)'),
  at('feed/topOfBook.ts', 'a change below the best level is not kept', 'if (now.every((cell, i) => cell === before[i])) return', 'if (now[0] === before[0] && now[2] === before[2]) return'),
  at('sweep/expectation.ts', 'an expectation compares replications of other seeds', 'replicatedSums([...first, ...last], key, figure)', 'replicatedSums([...first, ...last.toReversed()], key, figure)', 'sweep/expectation.test.ts'),
  at('sweep/racing.ts', 'a race drops by p-values that are not adjusted', 'const { adjusted } = comparisons.of(racer, leader)', 'const { p: adjusted } = comparisons.of(racer, leader)', 'sweep/leagueParts.test.ts'),
  at('sweep/taskIdentity.ts', 'marks are no part of the identity of a task', 'recorded: { marks: marks.toSorted((a, b) => a - b), equityEvery }', 'recorded: { marks: marks.length > 1e9, equityEvery }'),
]
