import { describe, expect, it } from 'vitest'
import { Action, type ActionName, AuctionOutcome, NEXT_OFFER, Refusal, type RefusalName } from '../../src/agent/vocabulary.ts'
import {
  auctionOutcomeOf as outcomeAuctionOutcomeOf, opOf as outcomeOpOf, refusalOf as outcomeRefusalOf,
} from '../../src/engine/outcome/translation.ts'
import {
  actionOf, auctionOutcomeOf as parlayAuctionOutcomeOf, opOf as parlayOpOf, refusalOf as parlayRefusalOf,
} from '../../src/engine/parlay/translation.ts'
import { InvalidField, OUTCOME_CODES, OutcomeCode } from '../../src/venue/outcome/protocol/codes.ts'
import { OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, RfqEnd } from '../../src/venue/outcome/protocol/events.ts'
import { PARLAY_CODES, ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { AuctionEnd, ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { REFUSALS } from '../model/outcome/coverage.ts'

const NAMES = Object.keys(Action) as ActionName[]
const wordOf = (refusal: Refusal): RefusalName => (Object.keys(Refusal) as RefusalName[]).find((name) => Refusal[name] === refusal)!

/** One row for what may befall a wish: the service's code of it, or null where the service has none. */
type Case = [wish: ActionName, parlay: keyof typeof ParlayCode | null, outcome: keyof typeof OutcomeCode | null, refusal: RefusalName]

/** What one strategy is told on either service. */
const CASES: readonly Case[] = [
  ['commit', 'mmConfirmationTimeout', 'declined', 'notConfirmed'], ['commit', 'mmConfirmationTimeout', 'timedOut', 'notConfirmed'],
  ['commit', 'quoteExpired', null, 'noQuote'], ['commit', null, 'quoteExpired', 'quoteGone'], ['commit', null, 'quoteCancelled', 'quoteGone'],
  ['commit', null, 'quoteReplaced', 'quoteGone'], ['commit', null, 'quoteNotFound', 'quoteGone'],
  ['commit', 'conflict', 'rfqNotOpen', 'notOpen'], ['commit', 'quoteChanged', 'rfqGenerationStale', 'termsStale'],
  ['commit', 'marketNotLive', null, 'marketClosed'], ['commit', 'commitFailed', 'stateConflict', 'unfillable'],
  ['commit', 'commitFailedRetryable', 'sponsorshipUnavailable', 'unavailable'], ['commit', null, 'quoteCapacityExceeded', 'counterpartyUnable'],
  ['commit', null, 'invalidSignature', 'termsStale'], ['commit', null, 'rfqGenerationInFlight', 'selectionPending'],
  ['commit', 'rateLimited', 'rateLimited', 'rateLimited'], ['commit', 'forbidden', 'unauthenticated', 'notAllowed'],
  ['openCashOut', 'conflict', 'stateConflict', 'notSellable'], ['openCashOut', 'notFound', 'notFound', 'notFound'],
  ['openCashOut', 'marketNearClose', null, 'marketClosed'], ['openCashOut', null, 'rfqIntentLimit', 'tooManyOpen'],
  ['openCashOut', null, 'contractUnavailable', 'unavailable'],
  ['cancelCashOut', 'auctionNotActive', 'rfqNotCancellable', 'notOpen'], ['cancelCashOut', 'gone', null, 'notOpen'],
  ['takeBid', 'noActiveBid', null, 'noQuote'], ['takeBid', null, 'quoteExpired', 'quoteGone'], ['takeBid', null, 'declined', 'notConfirmed'],
  ['takeBid', 'insufficientBuyerBalance', 'quoteCapacityExceeded', 'counterpartyUnable'], ['takeBid', 'amountOverBound', null, 'counterpartyUnable'],
  ['takeBid', 'buyerNoVault', null, 'counterpartyUnable'], ['takeBid', 'buyerIsCounterparty', null, 'counterpartyUnable'],
  ['takeBid', null, 'stateConflict', 'unfillable'], ['takeBid', 'vaultFenced', 'financialActionsDisabled', 'unavailable'],
  ['takeBid', 'chainDisabled', null, 'unavailable'], ['takeBid', 'gone', 'rfqNotOpen', 'notOpen'], ['takeBid', 'marketNearClose', null, 'marketClosed'],
  ['submitQuote', 'conflict', 'stateConflict', 'selectionPending'], ['submitQuote', null, 'rfqGenerationInFlight', 'selectionPending'],
  ['submitQuote', 'insufficientCollateral', 'quoteCapacityExceeded', 'insufficientFunds'], ['submitQuote', null, 'quoteExposureLimit', 'exposureExceeded'],
  ['submitQuote', 'versionMismatch', 'rfqGenerationStale', 'termsStale'], ['submitQuote', 'requestNotActive', 'rfqNotOpen', 'notOpen'],
  ['submitQuote', 'collateralCheckUnavailable', 'quoteExposureStale', 'unavailable'], ['submitQuote', 'feeUnavailable', null, 'unavailable'],
  ['submitQuote', 'insufficientScope', 'forbidden', 'notAllowed'], ['submitQuote', 'notFound', 'notFound', 'notFound'],
  ['withdrawQuote', 'alreadyExpired', 'quoteExpired', 'quoteGone'], ['withdrawQuote', 'noActiveQuote', 'quoteNotFound', 'quoteGone'],
  ['withdrawQuote', 'conflict', 'stateConflict', 'quoteGone'],
  ['confirm', 'noPendingSelection', 'stateConflict', 'noSelection'], ['decline', 'noPendingSelection', 'stateConflict', 'noSelection'],
  ['confirm', null, 'quoteNotFound', 'noSelection'],
  ['submitBid', 'priceAboveMaxPayout', null, 'priceOutOfBounds'], ['submitBid', 'priceAboveBuybackBound', null, 'priceOutOfBounds'],
  ['submitBid', 'selfQuote', 'forbidden', 'notAllowed'], ['submitBid', 'buybackWalletMissing', null, 'notAllowed'],
  ['submitBid', 'auctionExpired', 'rfqNotOpen', 'notOpen'], ['submitBid', null, 'quoteCapacityExceeded', 'insufficientFunds'],
]

describe('what a strategy is told when its wish is refused', () => {
  it.each(CASES)('%s: parlay %s, outcome %s are %s', (wish, parlay, outcome, refusal) => {
    const told = [
      ...(parlay === null ? [] : [parlayRefusalOf(Action[wish], ParlayCode[parlay], true)]),
      ...(outcome === null ? [] : [outcomeRefusalOf(Action[wish], OutcomeCode[outcome], true)]),
    ]
    expect(told.map(wordOf)).toEqual(told.map(() => refusal))
  })

  it('is none where the service accepts, and nowhere else', () => {
    for (const name of NAMES) {
      const isNone = (refusalOf: (action: number, code: number, namesQuote: boolean) => Refusal) => (code: number): boolean => {
        try {
          return refusalOf(Action[name], code, true) === Refusal.none
        } catch {
          return false
        }
      }
      expect(Object.values(ParlayCode).filter(isNone(parlayRefusalOf))).toEqual([ParlayCode.ok])
      expect(Object.values(OutcomeCode).filter(isNone(outcomeRefusalOf))).toEqual([OutcomeCode.ok])
    }
  })

  it('is that there is nothing to take where the wish names no offer', () => {
    expect(parlayRefusalOf(Action.commit, ParlayCode.invalid, false)).toBe(Refusal.noQuote)
    expect(parlayRefusalOf(Action.commit, ParlayCode.invalid, true)).toBe(Refusal.invalid)
    for (const action of [Action.commit, Action.takeBid]) {
      expect(outcomeRefusalOf(action, OutcomeCode.quoteNotFound, false)).toBe(Refusal.noQuote)
      expect(outcomeRefusalOf(action, OutcomeCode.quoteNotFound, true)).toBe(Refusal.quoteGone)
    }
  })

  it('is that the price is out of bounds where the service refuses the payout, and that the wish is invalid elsewhere', () => {
    for (const action of [Action.submitQuote, Action.submitBid]) {
      expect(outcomeRefusalOf(action, OutcomeCode.invalidRequest, true, InvalidField.payout)).toBe(Refusal.priceOutOfBounds)
      expect(outcomeRefusalOf(action, OutcomeCode.invalidRequest, true, InvalidField.expiry)).toBe(Refusal.invalid)
    }
  })

  it('OM-242 is that the service does not work where its status is 503', () => {
    const unavailable = Object.entries(OUTCOME_CODES).filter(([, { status }]) => status === 503).map(([code]) => Number(code))
    const ofReads: readonly number[] = [
      OutcomeCode.dependencyStale, OutcomeCode.sourceUnavailable, OutcomeCode.marketDataUnavailable, OutcomeCode.connectionDrain,
      OutcomeCode.snapshotTooLarge,
    ]
    for (const code of unavailable.filter((each) => !ofReads.includes(each))) {
      expect(outcomeRefusalOf(Action.commit, code, true)).toBe(Refusal.unavailable)
    }
    const ofVaults: readonly number[] = [ParlayCode.recoveryPending]
    for (const [code, { status }] of Object.entries(PARLAY_CODES)) {
      if (status === 503 && !ofVaults.includes(Number(code))) expect(parlayRefusalOf(Action.takeBid, Number(code), true)).toBe(Refusal.unavailable)
    }
  })

  it('OM-006 is there for everything with which the outcome service may answer it', () => {
    const wishes = NAMES.map((name) => Action[name])
    const told = REFUSALS.flatMap(([op, , codes]) => wishes.filter((wish) => outcomeOpOf(wish) === op).flatMap((wish) =>
      codes.map((code) => outcomeRefusalOf(wish, OutcomeCode[code], true))))
    expect(told.length).toBeGreaterThan(wishes.length)
    expect(told).not.toContain(Refusal.none)
  })

  it('fails for an answer that no service gives to the wish', () => {
    expect(() => parlayRefusalOf(Action.confirm, ParlayCode.conflict, true)).toThrow('no service answers confirm with conflict')
    expect(() => parlayRefusalOf(Action.commit, ParlayCode.noVault, true)).toThrow('no service answers commit with noVault')
    expect(() => outcomeRefusalOf(Action.commit, OutcomeCode.slowConsumer, true)).toThrow('no service answers commit with slowConsumer')
  })

  it('lets a seller take the next bid after those refusals alone that leave the auction running without its best bid', () => {
    expect(NEXT_OFFER.map(wordOf)).toEqual(['quoteGone', 'notConfirmed', 'counterpartyUnable'])
  })
})

describe('what a strategy wishes', () => {
  it('is a command of the service', () => {
    expect(NAMES.map((name) => parlayOpOf(Action[name]))).toEqual([
      ParlayOp.createRequest, ParlayOp.cancelRequest, ParlayOp.commitRequest, ParlayOp.openCashout, ParlayOp.cancelCashout, ParlayOp.commitCashout,
      ParlayOp.submitQuote, ParlayOp.withdrawQuote, ParlayOp.confirmSelection, ParlayOp.declineSelection, ParlayOp.submitBid,
    ])
    expect(NAMES.map((name) => outcomeOpOf(Action[name]))).toEqual([
      OutcomeOp.createRfq, OutcomeOp.cancelRfq, OutcomeOp.acceptQuote, OutcomeOp.openCashout, OutcomeOp.cancelRfq, OutcomeOp.acceptQuote,
      OutcomeOp.submitQuote, OutcomeOp.cancelQuote, OutcomeOp.confirmQuote, OutcomeOp.declineQuote, OutcomeOp.submitQuote,
    ])
    for (const name of NAMES) expect(actionOf(parlayOpOf(Action[name]))).toBe(Action[name])
  })
})

describe('how an auction without a sale ended', () => {
  it.each([
    ['cancelled by its seller', ParlayEvent.auctionCancelled, AuctionEnd.bySeller, OutcomeEvent.rfqCancelled, RfqEnd.byOwner, AuctionOutcome.cancelled],
    ['decided by results', ParlayEvent.auctionCancelled, AuctionEnd.positionDecided, OutcomeEvent.rfqCancelled, RfqEnd.decided, AuctionOutcome.graded],
    ['over', ParlayEvent.auctionExpired, -1, OutcomeEvent.rfqClosed, -1, AuctionOutcome.expired],
  ])('%s', (_, parlayKind, parlayReason, outcomeKind, outcomeReason, ended) => {
    expect(parlayAuctionOutcomeOf(parlayKind, parlayReason)).toBe(ended)
    expect(outcomeAuctionOutcomeOf(outcomeKind, outcomeReason)).toBe(ended)
  })

  it('is one service’s own: another RFQ took its place, its last bid is gone, the chain did not carry the sale out', () => {
    expect(outcomeAuctionOutcomeOf(OutcomeEvent.rfqCancelled, RfqEnd.superseded)).toBe(AuctionOutcome.expired)
    expect(outcomeAuctionOutcomeOf(OutcomeEvent.quoteExpired)).toBe(AuctionOutcome.expired)
    expect(outcomeAuctionOutcomeOf(OutcomeEvent.operationUpdated)).toBe(AuctionOutcome.saleFailed)
  })
})
