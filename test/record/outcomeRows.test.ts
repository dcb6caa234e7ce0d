import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listOf, readTable } from '../../src/arrow/tableReader.ts'
import { Recorder, type RecorderOptions } from '../../src/record/recorder.ts'
import { replayJournal } from '../../src/record/replayJournal.ts'
import { AccountKind, PostingCause } from '../../src/ledger/ledger.ts'
import { Bug } from '../../src/unit/assert.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { OutcomeCode } from '../../src/venue/outcome/protocol/codes.ts'
import { COMMAND_FIELDS, OutcomeCommand, OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { ParlayCommand, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { HandRows } from './handRows.ts'
import { ANN, at, BOB, DIRECTORY, CAT, OutcomeHand, T0, tellStory } from './outcomeHand.ts'

let dir: string
beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'parlor-outcome-rows-')) })
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const OUTCOME = { legsMax: 5, feeOnCashout: false, profitOverGross: false }
const recorderOf = (more: Partial<RecorderOptions> = {}): Recorder =>
  new Recorder({ dir, directory: DIRECTORY, outcome: OUTCOME, identity: {}, reference: null, horizonsUs: [], equityEveryUs: 0, batchRows: 4, ...more })

/** Rows of a table with the named columns; null where a cell is empty, instants as seconds of the story. */
function rows(table: string, ...columns: readonly string[]): unknown[][] {
  const read = readTable(join(dir, 'tables', `${table}.arrow`))
  const cells = columns.map((name) => {
    const column = read.column(name)
    const { codes, values, texts, numbers, valid, type, offsets } = column
    return (row: number): unknown => {
      if (valid !== null && valid[row] === 0) return null
      if (offsets !== undefined) return listOf(column, row).join(' ')
      if (codes !== undefined) return values![codes[row]!]
      if (texts !== undefined) return texts[row]
      return type === 'timeUs' ? (numbers![row]! - T0) / 1e6 : numbers![row]
    }
  })
  return Array.from({ length: read.rowCount }, (_, row) => cells.map((cell) => cell(row)))
}

describe('the story of one position', () => {
  beforeEach(() => {
    const recorder = recorderOf()
    recorder.flush(tellStory(new OutcomeHand()))
    recorder.finish(at(301))
  })

  it('ends a generation with each acceptance that fails, and the RFQ with its fill', () => {
    expect(rows('requests', 'service', 'request', 'version', 'bettor', 'bet_micros', 'created_at', 'window_closed_at', 'ended_at', 'state', 'quote_count', 'maker_count', 'commit_attempts', 'best_odds_at_end_e4', 'filled_quote'))
      .toEqual([
        ['outcome', 1, 1, ANN, 50_000_000, 0, null, 4, 'failed', 2, 2, 1, 25_050, null],
        ['outcome', 1, 2, ANN, 50_000_000, 4, 20, 22, 'committed', 0, 0, 1, 24_048, 1],
      ])
  })

  it('has the quotes of entries, and their last looks', () => {
    expect(rows('quotes', 'quote', 'request', 'version', 'maker', 'quoted_odds_e4', 'net_stake_micros', 'risk_micros', 'state', 'book_seq', 'competing_quotes', 'ended_at'))
      .toEqual([
        [2, 1, 1, 'cat', 25_050, 49_900_000, 75_100_000, 'failed', null, 1, 4],
        [1, 1, 1, 'bob', 24_048, 49_900_000, 70_100_000, 'filled', null, 0, 22],
      ])
    expect(rows('acceptances', 'acceptance', 'request', 'version', 'quote', 'maker', 'selected_at', 'deadline_at', 'decided_at', 'outcome', 'operation', 'risk_micros'))
      .toEqual([
        [1, 1, 1, 2, 'cat', 3, 5.000001, 4, 'declined', null, 75_100_000],
        [2, 1, 2, 1, 'bob', 21, 23.000001, 22, 'confirmed', 1, 70_100_000],
      ])
  })

  it('has the operations that carried it out, and how often the chain put them off', () => {
    expect(rows('operations', 'operation', 'reduction', 'kind', 'account', 'maker', 'request', 'quote', 'acceptance', 'position', 'amount_micros', 'started_at', 'stall_count', 'ended_at', 'status', 'next_step_at'))
      .toEqual([
        [1, null, 'fill', ANN, 'bob', 1, 1, 2, null, 120_100_000, 22, 0, 24, 'done', null],
        [2, null, 'cashout', ANN, 'cat', 2, 3, 3, 1, 60_000_000, 34, 1, 38, 'done', null],
      ])
  })

  it('shows cash-out RFQs as auctions and their quotes as bids', () => {
    expect(rows('auctions', 'auction', 'position', 'request', 'seller', 'seller_maker', 'backing_maker', 'opened_at', 'ends_at', 'window_closed_at', 'ended_at', 'state', 'winner', 'bid', 'route', 'price_micros', 'to_seller_micros'))
      .toEqual([
        [2, 1, 1, ANN, null, 'bob', 30, 60, null, 38, 'committed', 'cat', 3, 'transferred', 60_000_000, 60_000_000],
        [3, 1, 1, CAT, 'cat', 'bob', 40, 70, 70, 70, 'closed', null, null, null, null, null],
      ])
    expect(rows('auctions', 'payout_micros', 'net_stake_micros', 'seller_cost_micros', 'cost_basis_micros', 'buyback_bound_micros', 'best_bid_at_end_micros', 'bid_count', 'maker_count', 'failed_bid_count', 'profit_fee_micros'))
      .toEqual([
        [120_000_000, 49_900_000, 50_000_000, 49_900_000, null, 60_000_000, 2, 2, 0, 0],
        [120_000_000, 49_900_000, 60_000_000, 49_900_000, null, null, 1, 1, 1, null],
      ])
    expect(rows('bids', 'bid', 'auction', 'request', 'acceptance', 'operation', 'maker', 'is_buyback', 'price_micros', 'selected_at', 'deadline_at', 'ended_at', 'state', 'failure', 'taken', 'traded_away'))
      .toEqual([
        [3, 2, 1, 3, 2, 'cat', 0, 60_000_000, 33, 35.000001, 34, 'won', null, 1, 0],
        [4, 2, 1, null, null, 'bob', 1, 55_000_000, null, null, 34, 'invalidated', null, 0, 1],
        [5, 3, 1, 4, null, 'bob', 1, 70_000_000, 42, 44.000001, 44.000001, 'failed', 'timed_out', 0, 0],
      ])
    // The fee on a win comes out of 120 − 49.9: a sale does not change the basis. The backing maker closes the position.
    expect(rows('bids', 'profit_fee_if_won_micros')).toEqual([[701_000], [0], [0]])
  })

  it('OM-253 has the position decided at its last result, settled and claimed in the batch', () => {
    expect(rows('positions', 'position', 'request', 'version', 'quote', 'acceptance', 'maker', 'bettor', 'opened_at', 'funded_at', 'resolved_at', 'ended_at', 'claimed_at', 'state', 'outcome'))
      .toEqual([[1, 1, null, 1, 2, 'bob', ANN, 24, 24, 90, 300, 300, 'settled', 'won']])
    expect(rows('positions', 'holder_at_end', 'holder_maker', 'transfer_count', 'holder_cost_micros', 'auction_count', 'net_stake_micros', 'risk_micros', 'payout_micros', 'taker_fee_micros', 'profit_fee_bps'))
      .toEqual([[CAT, 'cat', 1, 60_000_000, 2, 49_900_000, 70_100_000, 120_000_000, 100_000, 100]])
    expect(rows('settlements', 'at', 'holder', 'outcome', 'to_holder_micros', 'to_maker_micros', 'profit_fee_micros', 'taker_fee_micros', 'holder_maker', 'holder_cost_micros', 'price_micros'))
      .toEqual([[300, CAT, 'won', 119_299_000, 0, 701_000, 0, 'cat', 60_000_000, null]])
  })
})

describe('what is open, and what ends otherwise', () => {
  const rfq = { rfq: 1, generation: 1 }
  const asked = (hand: OutcomeHand): OutcomeHand =>
    hand.row(at(0), 'rfqCreated', { ...rfq, owner: ANN, betMicros: 50_000_000, netStakeMicros: 49_900_000, takerFeeBps: 20, profitFeeBps: 100, openUntilUs: at(20) }, [0, 1])
  const quoted = (hand: OutcomeHand, quote: number, maker: number): OutcomeHand =>
    hand.row(at(1), 'quoteCreated', { ...rfq, quote, maker, owner: ANN, oddsE4: 24_048, riskMicros: 70_100_000, takerFeeBps: 20, netStakeMicros: 49_900_000, payoutMicros: 120_000_000, expiresAtUs: at(25) })
  const opened = (hand: OutcomeHand, position: number): OutcomeHand => hand.row(at(5), 'positionOpened', {
    rfq: position, quote: position, position, holder: ANN, backer: BOB, acceptance: position, oddsE4: 24_048, netStakeMicros: 49_900_000, payoutMicros: 120_000_000,
    takerFeeMicros: 100_000, profitFeeBps: 100,
  }, [0, 1, 1, 0])

  it('an RFQ is closed at the end of its window, or with its last quote after it', () => {
    const bare = recorderOf()
    bare.flush(asked(new OutcomeHand()).row(at(20), 'rfqClosed', { ...rfq, owner: ANN }))
    bare.finish(at(40))
    expect(rows('requests', 'state', 'window_closed_at', 'ended_at')).toEqual([['closed', 20, 20]])
    const recorder = recorderOf()
    recorder.flush(quoted(quoted(asked(new OutcomeHand()), 1, BOB), 2, CAT)
      .row(at(20), 'rfqClosed', { ...rfq, owner: ANN })
      .row(at(21), 'quoteCancelled', { ...rfq, quote: 1, maker: BOB, owner: ANN })
      .row(at(25), 'quoteExpired', { ...rfq, quote: 2, maker: CAT, owner: ANN })
      .row(at(25), 'bestQuoteChanged', { ...rfq, owner: ANN }))
    recorder.finish(at(40))
    expect(rows('requests', 'state', 'window_closed_at', 'ended_at')).toEqual([['closed', 20, 25]])
    expect(rows('quotes', 'quote', 'state')).toEqual([[1, 'withdrawn'], [2, 'expired']])
  })

  it('an RFQ whose last quote fails after its window has a last generation without length', () => {
    const recorder = recorderOf()
    recorder.flush(quoted(asked(new OutcomeHand()), 1, BOB)
      .row(at(20), 'rfqClosed', { ...rfq, owner: ANN })
      .row(at(21), 'quoteAccepted', { ...rfq, quote: 1, maker: BOB, owner: ANN, acceptance: 1, oddsE4: 24_048, riskMicros: 70_100_000, betMicros: 50_000_000, netStakeMicros: 49_900_000, payoutMicros: 120_000_000, confirmUntilUs: at(23) })
      .row(at(22), 'quoteFailed', { rfq: 1, generation: 2, quote: 1, maker: BOB, owner: ANN, acceptance: 1, isDeclined: 1 }))
    recorder.finish(at(40))
    expect(rows('requests', 'version', 'state', 'created_at', 'ended_at')).toEqual([[1, 'failed', 0, 22], [2, 'closed', 22, 22]])
  })

  it('what has not ended with the session is open, and a position can be decided by then', () => {
    const recorder = recorderOf()
    recorder.flush(opened(quoted(asked(new OutcomeHand()), 1, BOB), 7)
      .row(at(6), 'operationStarted', { operation: 3, account: ANN, amountMicros: 1_000_000, operationKind: 3, nextStepAtUs: at(8) })
      .row(at(6), 'reductionStarted', { account: BOB, amountMicros: 2_000_000, reduction: 1, releaseAtUs: at(86_406) })
      .row(at(7), 'outcomeResolved', { outcome: 0, result: 0 }))
    recorder.finish(at(40))
    expect(rows('requests', 'state', 'ended_at')).toEqual([['open', null]])
    expect(rows('quotes', 'state')).toEqual([['open']])
    expect(rows('positions', 'state', 'outcome', 'resolved_at', 'claimed_at')).toEqual([['open', null, 7, null]])
    expect(rows('operations', 'operation', 'reduction', 'kind', 'account', 'cohort', 'amount_micros', 'status', 'ended_at', 'next_step_at')).toEqual([
      [3, null, 'withdrawal', ANN, 'takers', 1_000_000, 'pending', null, 8], [null, 1, 'reduction', BOB, 'bob', 2_000_000, 'pending', null, 86_406],
    ])
  })

  it('a reduction ends with its release, a withdrawal does not end one, and a failed operation says so', () => {
    const recorder = recorderOf()
    recorder.flush(new OutcomeHand()
      .row(at(1), 'reductionStarted', { account: BOB, amountMicros: 2_000_000, reduction: 1, releaseAtUs: at(10) })
      .row(at(2), 'operationStarted', { operation: 1, account: ANN, amountMicros: 1_000_000, operationKind: 3, nextStepAtUs: at(4) })
      .row(at(3), 'operationStarted', { operation: 2, account: ANN, amountMicros: 3_000_000, operationKind: 3, nextStepAtUs: at(5) })
      .row(at(4), 'operationUpdated', { operation: 1, account: ANN, amountMicros: 1_000_000, status: 2, operationKind: 3 })
      .row(at(4), 'fundsWithdrawn', { operation: 1, account: ANN, amountMicros: 1_000_000, accountBalanceMicros: 9_000_000 })
      .row(at(5), 'operationUpdated', { operation: 2, account: ANN, amountMicros: 3_000_000, status: 3, operationKind: 3 })
      .row(at(10), 'fundsWithdrawn', { account: BOB, amountMicros: 2_000_000, accountBalanceMicros: 8_000_000, reduction: 1 }))
    recorder.finish(at(40))
    expect(rows('operations', 'operation', 'reduction', 'status', 'ended_at', 'seq')).toEqual([[1, null, 'done', 4, 4], [2, null, 'failed', 5, 6], [null, 1, 'done', 10, 7]])
  })

  it('a void and a lost position are settled without a claim; a loss beats a void before it', () => {
    const recorder = recorderOf({ reference: { parlayValue: () => 0.5 }, equityEveryUs: 10 * SECOND_US })
    const hand = opened(opened(new OutcomeHand(), 1), 2)
      .row(at(12), 'outcomeResolved', { outcome: 1, result: 2 })
      .row(at(18), 'outcomeResolved', { outcome: 0, result: 0 })
      .row(at(31), 'positionSettled', { rfq: 1, position: 1, holder: ANN, backer: BOB, outcome: 0, toHolderMicros: 0, toBackerMicros: 120_000_000, profitFeeMicros: 0, takerFeeKeptMicros: 0 })
      .row(at(31), 'positionSettled', { rfq: 2, position: 2, holder: ANN, backer: BOB, outcome: 2, toHolderMicros: 49_900_000, toBackerMicros: 70_100_000, profitFeeMicros: 0, takerFeeKeptMicros: 0 })
    recorder.flush(hand)
    recorder.finish(at(40))
    expect(rows('settlements', 'position', 'outcome', 'to_holder_micros', 'to_maker_micros')).toEqual([[1, 'lost', 0, 120_000_000], [2, 'void', 49_900_000, 70_100_000]])
    expect(rows('positions', 'position', 'resolved_at', 'ended_at', 'claimed_at')).toEqual([[1, 12, 31, null], [2, 12, 31, null]])
    // At 10 s V is a half: 60 USDC each. At 20 s the loss after the void counts, and both pots are Bob's.
    expect(rows('equity', 'at', 'maker', 'mark_to_market_micros', 'locked_micros').filter(([, maker]) => maker === 'bob')).toEqual([
      [10, 'bob', 120_000_000, 140_200_000], [20, 'bob', 240_000_000, 140_200_000], [30, 'bob', 240_000_000, 140_200_000], [40, 'bob', 0, 0],
    ])
  })

  it('a position that settles while its cash-out waits for the maker leaves the auction its data', () => {
    const sale = { rfq: 9, position: 1 }
    const recorder = recorderOf()
    recorder.flush(opened(new OutcomeHand(), 1)
      .row(at(6), 'rfqCreated', { ...sale, generation: 1, seller: ANN, backer: BOB, payoutMicros: 120_000_000, netStakeMicros: 49_900_000, profitFeeBps: 100, openUntilUs: at(36) }, [0, 1, 1, 0])
      .row(at(7), 'quoteCreated', { ...sale, generation: 1, quote: 5, maker: CAT, owner: ANN, priceMicros: 1_000_000, payoutMicros: 1_000_000, expiresAtUs: at(40) })
      .row(at(8), 'quoteAccepted', { ...sale, generation: 1, quote: 5, maker: CAT, owner: ANN, acceptance: 2, priceMicros: 1_000_000, payoutMicros: 1_000_000, confirmUntilUs: at(10) }, [0, 1, 1, 0])
      .row(at(9), 'outcomeResolved', { outcome: 0, result: 0 })
      .row(at(9.5), 'positionSettled', { rfq: 1, position: 1, holder: ANN, backer: BOB, outcome: 0, toHolderMicros: 0, toBackerMicros: 120_000_000, profitFeeMicros: 0, takerFeeKeptMicros: 0 }))
    const after = opened(new OutcomeHand(), 2)
      .row(at(10) + 1, 'quoteFailed', { ...sale, generation: 2, quote: 5, maker: CAT, owner: ANN, acceptance: 2, isDeclined: 0 })
      .row(at(10) + 1, 'rfqCancelled', { ...sale, generation: 2, owner: ANN, reason: 1 })
    recorder.flush(after)
    recorder.finish(at(40))
    expect(rows('auctions', 'auction', 'position', 'request', 'state', 'payout_micros')).toEqual([[9, 1, 1, 'decided', 120_000_000]])
    expect(rows('positions', 'position', 'state')).toEqual([[1, 'settled'], [2, 'open']])
  })

  it('a sale that the chain drops leaves its auction failed and the position open', () => {
    const sale = { rfq: 9, position: 1 }
    const filled = { ...sale, generation: 2, quote: 5, operation: 2, account: ANN, maker: CAT, acceptance: 2, amountMicros: 1_000_000, operationKind: 2 }
    const recorder = recorderOf()
    recorder.flush(opened(new OutcomeHand(), 1)
      .row(at(6), 'rfqCreated', { ...sale, generation: 1, seller: ANN, backer: BOB, payoutMicros: 120_000_000, netStakeMicros: 49_900_000, profitFeeBps: 100, openUntilUs: at(36) }, [0, 1, 1, 0])
      .row(at(7), 'quoteCreated', { ...sale, generation: 1, quote: 5, maker: CAT, owner: ANN, priceMicros: 1_000_000, payoutMicros: 1_000_000, expiresAtUs: at(40) })
      .row(at(8), 'quoteAccepted', { ...sale, generation: 1, quote: 5, maker: CAT, owner: ANN, acceptance: 2, priceMicros: 1_000_000, payoutMicros: 1_000_000, confirmUntilUs: at(10) })
      .row(at(9), 'quoteFilled', { ...sale, generation: 2, quote: 5, maker: CAT, owner: ANN, acceptance: 2, operation: 2 })
      .row(at(9), 'rfqFilled', { ...sale, generation: 2, owner: ANN, quote: 5, acceptance: 2 })
      .row(at(9), 'operationStarted', { ...filled, nextStepAtUs: at(11) })
      .row(at(11), 'operationUpdated', { ...filled, status: 3 }))
    recorder.finish(at(40))
    expect(rows('auctions', 'state', 'ended_at', 'route', 'price_micros', 'profit_fee_micros')).toEqual([['failed', 11, null, null, null]])
    expect(rows('bids', 'state', 'taken')).toEqual([['won', 1]])
    expect(rows('positions', 'state', 'transfer_count')).toEqual([['open', 0]])
  })
})

describe('refusals', () => {
  it('name the code, its retry class, the field, what was needed, and whether the answer was remembered', () => {
    const recorder = recorderOf()
    const reply = (hand: OutcomeHand, cause: number, op: number, account: number, code: number, more = {}, list: number[] = []): OutcomeHand => {
      const command = new OutcomeCommand().reset(op, account)
      command.seq = cause
      hand.journal.append(at(cause), command)
      return hand.row(at(cause), 'reply', { cause, account, op, code, ...more }, list)
    }
    const hand = new OutcomeHand()
    reply(hand, 1, OutcomeOp.createRfq, ANN, OutcomeCode.invalidRequest, { invalidField: 7, legIndex: 2 })
    reply(hand, 2, OutcomeOp.submitQuote, BOB, OutcomeCode.quoteExposureLimit, { rfq: 4, generation: 1, requiredMicros: 30, availableMicros: 20 })
    reply(hand, 3, OutcomeOp.acceptQuote, ANN, OutcomeCode.quoteExpired, { rfq: 4, generation: 1, quote: 8 }, [1])
    reply(hand, 4, OutcomeOp.read, 2 ** 40, OutcomeCode.rateLimited, { limit: 600, retryAfterS: 17, bucket: 2 })
    reply(hand, 5, OutcomeOp.acceptQuote, ANN, OutcomeCode.timedOut, { rfq: 4 })
    reply(hand, 6, 999, BOB, OutcomeCode.invalidRequest, { invalidField: 1 })
    // The first is that of an upgrade that is good.
    reply(hand, 7, OutcomeOp.openStream, BOB, OutcomeCode.invalidSubscription)
    reply(hand, 8, OutcomeOp.openStream, BOB, OutcomeCode.connectionLimit)
    recorder.flush(hand)
    recorder.finish(at(40))
    expect(rows('rejections', 'command', 'op', 'account', 'cohort', 'rejection', 'http_status', 'code', 'reason', 'retry', 'field', 'leg', 'replayed')).toEqual([
      [1, 'createRfq', ANN, 'takers', 'invalidRequest', 400, 'INVALID_REQUEST', null, 'NEVER', 'legSide', 2, 0],
      [2, 'submitQuote', BOB, 'bob', 'quoteExposureLimit', 429, 'QUOTE_EXPOSURE_LIMIT', null, 'BACKOFF', null, null, 0],
      [3, 'acceptQuote', ANN, 'takers', 'quoteExpired', 409, 'QUOTE_EXPIRED', null, 'REFRESH', null, null, 1],
      [4, 'read', null, null, 'rateLimited', 429, 'RATE_LIMITED', null, 'BACKOFF', null, null, 0],
      [6, null, BOB, 'bob', 'invalidRequest', 400, 'INVALID_REQUEST', null, 'NEVER', 'op', null, 0],
      [8, 'openStream', BOB, 'bob', 'connectionLimit', 429, 'CONNECTION_LIMIT', null, 'BACKOFF', null, null, 0],
    ])
    expect(rows('rejections', 'request', 'quote', 'required_micros', 'available_micros', 'retry_after_s')).toEqual([
      [null, null, null, null, null], [4, null, 30, 20, null], [4, 8, null, null, null], [null, null, null, null, 17], [null, null, null, null, null], [null, null, null, null, null],
    ])
  })

  it('count as attempts on an open RFQ, but not when they are remembered answers', () => {
    const recorder = recorderOf()
    const reply = (hand: OutcomeHand, list: readonly number[]): OutcomeHand =>
      hand.row(at(1), 'reply', { account: ANN, op: OutcomeOp.acceptQuote, code: OutcomeCode.stateConflict, rfq: 1, generation: 1 }, list)
    const hand = new OutcomeHand().row(at(0), 'rfqCreated', { rfq: 1, generation: 1, owner: ANN, betMicros: 50, netStakeMicros: 49, openUntilUs: at(20) }, [0, 1])
    recorder.flush(reply(reply(hand, []), [1]))
    recorder.finish(at(5))
    expect(rows('requests', 'commit_attempts')).toEqual([[1]])
  })
})

describe('the journal', () => {
  it('gives back every field of every command', () => {
    const recorder = recorderOf()
    const hand = new OutcomeHand()
    const sent = Object.values(OutcomeOp).map((op, i) => {
      const command = new OutcomeCommand().reset(op, 2)
      COMMAND_FIELDS.forEach((field, k) => { if (field !== 'op' && field !== 'account') command[field] = 1_000 * (i + 1) + k })
      command.closeUs = 1_750_000_000_000_000 + i
      command.value2 = 2 ** 40 + i
      command.credential = i - 2
      command.memoE9 = 400_000_000 + i
      command.seq = i + 1
      return command.leg(i, i % 2).leg(i + 5, 1).item(i).item(7)
    })
    sent.push(Object.assign(new OutcomeCommand().reset(777, 2.5), { seq: sent.length + 1, stakeMicros: NaN, key: -2 }))
    for (const command of sent) {
      hand.journal.append(at(1), command)
      hand.row(at(1), 'reply', { cause: command.seq, account: 2, op: command.op, code: 0 })
    }
    recorder.flush(hand)
    recorder.finish(at(2))
    const plain = (command: OutcomeCommand): unknown[] => [
      command.seq, ...COMMAND_FIELDS.map((field) => [field, command[field]]), [...command.legOutcomes.subarray(0, command.legCount)],
      [...command.legSides.subarray(0, command.legCount)], [...command.list.subarray(0, command.listCount)],
    ]
    const taken: unknown[] = []
    replayJournal(join(dir, 'tables', 'journal.arrow'), { outcome: { command: new OutcomeCommand(), apply: (atUs, command) => {
      expect(atUs).toBe(at(1))
      taken.push(plain(command))
    } } })
    expect(taken).toEqual(sent.map(plain))
  })

  it('holds a command back that has no row yet, whatever the batches, and gives it the place of the next one', () => {
    const files = [true, false].map((cut) => {
      const recorder = recorderOf()
      const hand = new OutcomeHand()
      const send = (seq: number): void => hand.journal.append(at(seq), Object.assign(new OutcomeCommand().reset(OutcomeOp.acceptQuote, ANN), { seq }))
      send(1)
      hand.row(at(1), 'reply', { cause: 1, account: ANN, op: 33, code: 0 })
      send(2)
      if (cut) {
        recorder.flush(hand)
        hand.clear()
      }
      hand.row(at(2.5), 'outcomeHalted', { outcome: 0 })
      send(3)
      hand.row(at(3), 'reply', { cause: 3, account: ANN, op: 33, code: 0 }).row(at(4), 'reply', { cause: 2, account: ANN, op: 33, code: 0 })
      recorder.flush(hand)
      recorder.finish(at(5))
      return rows('journal', 'seq', 'command', 'at')
    })
    expect(files[0]).toEqual([[1, 1, 1], [3, 2, 2], [3, 3, 3]])
    expect(files[1]).toEqual(files[0])
  })

  it('stops a session with a command that never left a row', () => {
    const recorder = recorderOf()
    const hand = new OutcomeHand()
    hand.journal.append(at(1), Object.assign(new OutcomeCommand().reset(OutcomeOp.acceptQuote, ANN), { seq: 1 }))
    recorder.flush(hand)
    expect(() => recorder.finish(at(2))).toThrow('command 1 left no row')
    recorder.abort()
  })

  it('refuses commands of a service that nobody takes', () => {
    const recorder = recorderOf()
    const hand = new OutcomeHand()
    hand.journal.append(at(1), Object.assign(new OutcomeCommand().reset(OutcomeOp.read, ANN), { seq: 1 }))
    recorder.flush(hand.row(at(1), 'reply', { cause: 1, account: ANN, op: OutcomeOp.read, code: 0 }))
    recorder.finish(at(2))
    expect(() => replayJournal(join(dir, 'tables', 'journal.arrow'), {})).toThrow('the journal has commands of the service outcome')
  })
})

describe('a session with both services', () => {
  const PARLAY = { legsMax: 3 }

  /** One request and one RFQ of the same number, a deposit on each side, and commands in turn. */
  function play(recorder: Recorder, cut: boolean): void {
    const parlay = new HandRows()
    const outcome = new OutcomeHand(parlay.sequence)
    const flush = (): void => {
      recorder.flush({ parlay, outcome })
      for (const { events, postings, journal } of [parlay, outcome]) {
        events.clear()
        postings.clear()
        journal.clear()
      }
    }
    const { external, free } = AccountKind
    parlay.journal.append(at(0), Object.assign(new ParlayCommand().reset(ParlayOp.deposit, BOB), { seq: 1, amountMicros: 5 }))
    parlay.postings.append(at(0), PostingCause.deposit, external, -1, free, BOB, 5_000_000, -1)
    parlay.row(at(0), ParlayEvent.reply, { cause: 1, account: BOB, op: ParlayOp.deposit, code: 0 })
    outcome.journal.append(at(0), Object.assign(new OutcomeCommand().reset(OutcomeOp.deposit, BOB), { seq: 2, amountMicros: 7 }))
    outcome.postings.append(at(0), PostingCause.deposit, external, -1, free, BOB, 7_000_000, -1)
    outcome.row(at(0), 'reply', { cause: 2, account: BOB, op: OutcomeOp.deposit, code: 0 })
    if (cut) flush()
    parlay.journal.append(at(11), Object.assign(new ParlayCommand().reset(ParlayOp.createRequest, ANN), { seq: 3 }))
    parlay.row(at(11), ParlayEvent.requestCreated, { cause: 3, request: 1, version: 1, owner: ANN, betMicros: 5_000_000, expiresAtUs: at(99) }, [0, 1, 1, 1])
    if (cut) flush()
    outcome.journal.append(at(12), Object.assign(new OutcomeCommand().reset(OutcomeOp.createRfq, ANN), { seq: 4 }))
    outcome.row(at(12), 'rfqCreated', { cause: 4, rfq: 1, generation: 1, owner: ANN, betMicros: 9_000_000, netStakeMicros: 8_000_000, openUntilUs: at(32) }, [2, 0])
    outcome.postings.append(at(13), PostingCause.deposit, external, -1, free, CAT, 1_000_000, -1)
    flush()
    recorder.finish(at(20))
  }

  it('puts the rows of both into the same tables, each with its service, in the order of seq', () => {
    for (const cut of [true, false]) {
      play(recorderOf({ parlay: PARLAY, equityEveryUs: 10 * SECOND_US }), cut)
      expect(rows('requests', 'service', 'request', 'bet_micros', 'leg_markets', 'leg_sides')).toEqual([
        ['parlay', 1, 5_000_000, 'M0 M1', 'yes yes'], ['outcome', 1, 9_000_000, 'M2', 'no'],
      ])
      expect(rows('ledger', 'seq', 'service', 'credit_owner', 'amount_micros')).toEqual([[1, 'parlay', BOB, 5_000_000], [3, 'outcome', BOB, 7_000_000], [7, 'outcome', CAT, 1_000_000]])
      expect(rows('journal', 'seq', 'service', 'command', 'op')).toEqual([
        [2, 'parlay', 1, 'deposit'], [4, 'outcome', 2, 'deposit'], [5, 'parlay', 3, 'createRequest'], [6, 'outcome', 4, 'createRfq'],
      ])
      // Cat quotes on the outcome service alone. A sample counts the rows of both services up to its instant.
      expect(rows('equity', 'seq', 'service', 'at', 'maker', 'free_micros')).toEqual([
        [4, 'parlay', 0, 'bob', 5_000_000], [4, 'outcome', 0, 'bob', 7_000_000], [4, 'outcome', 0, 'cat', 0],
        [4, 'parlay', 10, 'bob', 5_000_000], [4, 'outcome', 10, 'bob', 7_000_000], [4, 'outcome', 10, 'cat', 0],
        [7, 'parlay', 20, 'bob', 5_000_000], [7, 'outcome', 20, 'bob', 7_000_000], [7, 'outcome', 20, 'cat', 1_000_000],
      ])
    }
  })

  it('hands the commands of both to their services in one order', () => {
    play(recorderOf({ parlay: PARLAY }), true)
    const order: string[] = []
    replayJournal(join(dir, 'tables', 'journal.arrow'), {
      parlay: { command: new ParlayCommand(), apply: (_, { seq }) => order.push(`parlay ${seq}`) },
      outcome: { command: new OutcomeCommand(), apply: (_, { seq }) => order.push(`outcome ${seq}`) },
    })
    expect(order).toEqual(['parlay 1', 'outcome 2', 'parlay 3', 'outcome 4'])
  })

  it('names its services in every table', () => {
    play(recorderOf({ parlay: PARLAY }), false)
    expect(readTable(join(dir, 'tables', 'ledger.arrow')).metadata['services']).toBe('parlay outcome')
  })

  it('stops when a service writes that it was not told of', () => {
    const recorder = recorderOf()
    expect(() => recorder.flush(new HandRows().request(10, 1, [0, 1, 1, 1]))).toThrow(Bug)
    recorder.abort()
  })
})
