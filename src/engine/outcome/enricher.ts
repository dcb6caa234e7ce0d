import type { AuctionRow, RequestRow, SelectionRow } from '../../agent/rows.ts'
import { isKnown } from '../../agent/vocabulary.ts'
import { feeFloor, type Micros } from '../../unit/micros.ts'
import { NONE } from '../../unit/none.ts'
import { ODDS_ONE } from '../../unit/odds.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { MS_US, SECOND_US } from '../../unit/time.ts'
import { type OutcomeCommand, OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import type { OutcomeProfile } from '../../venue/outcome/protocol/profile.ts'
import { ConfirmationTerms, SignedTerms, type TermsDigest, TermsKind } from '../../venue/outcome/protocol/terms.ts'
import type { CommandEnricher } from '../enricher.ts'
import { ComboCell, ComboWord } from '../combos.ts'
import { CashOutMessage, SignedMessage } from '../messageCells.ts'
import { MessageWord } from '../messages.ts'
import type { Transit } from '../transit.ts'
import { OwnQuotes } from './ownQuotes.ts'

/** From the whole second of an acceptance to the end of its funding, seconds. */
export const FUNDING_S = 300

/**
 * Adds what the outcome service needs beyond what a strategy says. A quote at a probability pays floor(net stake ∕ probability), a validity
 * is a whole Unix second, and an accept names a quote and a fresh key. A sender that a command binds signs the terms as it was told them.
 * If they have changed when the command arrives, the venue refuses the signature.
 */
export class OutcomeEnricher implements CommandEnricher, Snapshot {
  private declare readonly transit: Transit
  private declare readonly profile: OutcomeProfile
  private declare readonly digest: TermsDigest
  private readonly terms = new SignedTerms()
  /** The idempotency key that an account used last, by account number. */
  private declare readonly keys: Float64Array
  private declare readonly quotes: OwnQuotes
  /** The deployment's rates, which are public: who accepts binds to them. */
  private declare takerFeeBps: number
  private declare feeBps: number

  constructor(transit: Transit, profile: OutcomeProfile, digest: TermsDigest, accountCount: number, makerCount: number) {
    this.transit = transit
    this.profile = profile
    this.digest = digest
    this.keys = new Float64Array(accountCount)
    this.quotes = new OwnQuotes(transit, makerCount)
    this.takerFeeBps = profile.takerFeeBps
    this.feeBps = profile.feeBps
  }

  feesChanged(takerFeeBps: number, feeBps: number): void {
    this.takerFeeBps = takerFeeBps
    this.feeBps = feeBps
  }

  /** A key that the account has not used. */
  freshKey(account: number): number {
    return ++this.keys[account]!
  }

  /** Whether a bet at those odds or above keeps within the limits that are public, at the rates in force (OM-248, OM-250, OM-251). */
  isBet(legCount: number, betMicros: number, minOddsE4: number): boolean {
    const { legsMin, legsMax, netStakeMinMicros, payoutMaxMicros } = this.profile
    if (legCount < legsMin || legCount > legsMax || betMicros > payoutMaxMicros) return false
    const netStakeMicros = betMicros - feeFloor(betMicros as Micros, this.takerFeeBps)
    return netStakeMicros >= netStakeMinMicros && netStakeMicros * minOddsE4 <= payoutMaxMicros * ODDS_ONE
  }

  quote(message: number, request: RequestRow, combo: number, probability: number, validMs: number): void {
    const { combos, nowUs } = this.transit
    const { netStakeMicros } = request
    const payoutMicros = Math.max(netStakeMicros + 1, Math.min(this.profile.payoutMaxMicros, Math.floor(netStakeMicros / probability)))
    const furthestUs = nowUs + this.profile.entryExpiryMaxMs * MS_US
    const expiryS = Math.floor(Math.min(nowUs + validMs * MS_US, furthestUs) / SECOND_US)
    this.quotes.sent(request.request, this.transit.messages.words[message + MessageWord.target]!)
    const terms = this.quoteTerms(message, request.request, request.version, payoutMicros, expiryS)
    terms.stakeMicros = netStakeMicros
    if (combo >= 0) {
      terms.takerFeeBps = combos.words[combo + ComboWord.takerFeeBps]!
      terms.feeBps = combos.words[combo + ComboWord.profitFeeBps]!
    }
    const { count, markets, sides } = request.legs
    for (let i = 0; i < count; i++) terms.leg(markets[i]!, sides[i]!)
    this.sign(message)
  }

  /** Expiry of a bid. A bid leaves the listing `cashoutHiddenMs` before its expiry, and lives at least as long as the service asks. */
  bid(message: number, auction: AuctionRow, _content: number, validMs: number, slowestUs: number): void {
    const { cells } = this.transit.messages
    const { nowUs } = this.transit
    const { cashoutExpiryMinMs, cashoutExpiryMaxMs } = this.profile
    const nearestS = Math.ceil((nowUs + slowestUs + cashoutExpiryMinMs * MS_US) / SECOND_US)
    const furthestS = Math.floor((nowUs + cashoutExpiryMaxMs * MS_US) / SECOND_US)
    const expiryS = Math.min(furthestS, Math.max(nearestS, Math.floor((nowUs + validMs * MS_US) / SECOND_US)))
    cells[message + SignedMessage.request] = auction.auction
    cells[message + SignedMessage.version] = auction.version
    cells[message + SignedMessage.position] = auction.position
    const terms = this.quoteTerms(message, auction.auction, auction.version, cells[message + CashOutMessage.priceMicros]!, expiryS)
    terms.position = auction.position
    terms.feeBps = auction.profitFeeBps
    for (let i = 0; i < auction.legs.count; i++) terms.leg(auction.legs.markets[i]!, auction.legs.sides[i]!)
    this.sign(message)
  }

  /** Whether the service takes the expiry of a quote or bid no more when it comes at `arrivesUs`. */
  expiresTooSoon(message: number, isBid: boolean, arrivesUs: number): boolean {
    const leftUs = this.transit.messages.cells[message + SignedMessage.expiryS]! * SECOND_US - arrivesUs
    return isBid ? leftUs < this.profile.cashoutExpiryMinMs * MS_US : leftUs <= 0
  }

  /**
   * Signs a quote or bid again that was refused because its RFQ has another generation, for arrival at `arrivesUs`. It needs a new key. A bid
   * gets a later expiry if it must.
   */
  requote(message: number, generation: number, isBid: boolean, arrivesUs: number): void {
    const { messages: { cells }, combos, comboOfRequest, comboOfAuction } = this.transit
    const rfq = cells[message + SignedMessage.request]!
    const combo = (isBid ? comboOfAuction : comboOfRequest).get(rfq)
    cells[message + SignedMessage.version] = generation
    cells[message + SignedMessage.termsTag] = NONE
    // An RFQ that is over by now takes no quote.
    if (combo < 0) return
    const nearestS = isBid ? Math.ceil((arrivesUs + this.profile.cashoutExpiryMinMs * MS_US) / SECOND_US) : 0
    const terms = this.quoteTerms(message, rfq, generation, cells[message + SignedMessage.payoutMicros]!, Math.max(nearestS, cells[message + SignedMessage.expiryS]!))
    terms.feeBps = combos.words[combo + ComboWord.profitFeeBps]!
    if (isBid) terms.position = cells[message + SignedMessage.position]!
    else {
      terms.stakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
      terms.takerFeeBps = combos.words[combo + ComboWord.takerFeeBps]!
    }
    combos.putLegs(combo, terms)
    this.sign(message)
  }

  private quoteTerms(message: number, rfq: number, generation: number, payoutMicros: number, expiryS: number): SignedTerms {
    const { words, cells } = this.transit.messages
    cells[message + SignedMessage.payoutMicros] = payoutMicros
    cells[message + SignedMessage.expiryS] = expiryS
    cells[message + SignedMessage.key] = NONE
    const terms = this.terms.reset(TermsKind.quote, words[message + MessageWord.account]!)
    terms.rfq = rfq
    terms.generation = generation
    terms.payoutMicros = payoutMicros
    terms.expiryS = expiryS
    return terms
  }

  withdrawQuote(message: number, wayUs: number): void {
    this.quotes.withdraw(message, wayUs)
  }

  /** The quote that was selected has the rates that its maker was told. */
  confirm(message: number, selection: SelectionRow, combo: number): void {
    const { combos } = this.transit
    const terms = this.terms.reset(TermsKind.confirmation, this.transit.messages.words[message + MessageWord.account]!)
    terms.rfq = selection.request
    terms.quote = selection.quote
    terms[ConfirmationTerms.acceptance] = selection.selection
    const isBid = isKnown(selection.position)
    terms.position = isBid ? selection.position : NONE
    terms.payoutMicros = isBid ? selection.riskMicros : selection.payoutMicros
    if (combo >= 0) {
      if (!isBid) terms.takerFeeBps = combos.words[combo + ComboWord.takerFeeBps]!
      terms.feeBps = combos.words[combo + ComboWord.profitFeeBps]!
    }
    this.sign(message)
  }

  commit(message: number, quote: number, payoutMicros: number, betMicros: number): void {
    const { cells } = this.transit.messages
    const validAfterS = Math.floor(this.transit.nowUs / SECOND_US)
    const terms = this.acceptanceTerms(message, cells[message + SignedMessage.request]!, quote, payoutMicros)
    cells[message + SignedMessage.validAfterS] = validAfterS
    terms.stakeMicros = betMicros
    terms.coreMicros = 0
    terms.takerFeeBps = this.takerFeeBps
    terms.feeBps = this.feeBps
    terms.validAfterS = validAfterS
    terms.validBeforeS = validAfterS + FUNDING_S
    if (quote >= 0) this.sign(message)
  }

  takeBid(message: number, auction: number, position: number, quote: number, priceMicros: number): void {
    const { messages: { cells }, combos, comboOfAuction } = this.transit
    cells[message + SignedMessage.request] = auction
    const terms = this.acceptanceTerms(message, auction, quote, priceMicros)
    terms.position = position
    const combo = comboOfAuction.get(auction)
    if (combo >= 0) terms.feeBps = combos.words[combo + ComboWord.profitFeeBps]!
    if (quote >= 0) this.sign(message)
  }

  /** Signs a withdrawal or a collateral reduction, under a key of its own; a withdrawal can be paid from now on for as long as the service allows. */
  payOut(command: OutcomeCommand): void {
    const { account } = command
    const isWithdrawal = command.op === OutcomeOp.withdraw
    const terms = this.terms.reset(isWithdrawal ? TermsKind.withdrawal : TermsKind.reduction, account)
    terms.key = command.key = this.freshKey(account)
    terms.payoutMicros = command.amountMicros
    terms.takerFeeBps = this.takerFeeBps
    terms.feeBps = this.feeBps
    if (isWithdrawal) {
      terms.validAfterS = command.validAfterS = Math.floor(this.transit.nowUs / SECOND_US)
      terms.validBeforeS = command.validBeforeS = command.validAfterS + Math.floor((this.profile.payoutSpanMaxMs * MS_US) / SECOND_US)
    }
    command.signer = account
    command.termsTag = this.digest(terms)
  }

  private acceptanceTerms(message: number, rfq: number, quote: number, payoutMicros: number): SignedTerms {
    const { words, cells } = this.transit.messages
    const account = words[message + MessageWord.account]!
    const key = this.freshKey(account)
    cells[message + SignedMessage.quote] = quote
    cells[message + SignedMessage.key] = key
    cells[message + SignedMessage.termsTag] = NONE
    const terms = this.terms.reset(TermsKind.acceptance, account)
    terms.rfq = rfq
    terms.quote = quote
    terms.key = key
    terms.payoutMicros = payoutMicros
    return terms
  }

  private sign(message: number): void {
    this.transit.messages.cells[message + SignedMessage.termsTag] = this.digest(this.terms)
  }

  /** The venue answered a quote of maker `seat`: its number, −1 when it was refused. The maker is told at `toldUs`, Infinity for never. */
  answered(rfq: number, seat: number, quote: number, toldUs: number): void {
    this.quotes.answered(rfq, seat, quote, toldUs)
  }

  /** The RFQ is over. */
  forget(rfq: number): void {
    this.quotes.forget(rfq)
  }

  snapshot(): Image {
    return { keys: this.keys.slice(), quotes: this.quotes.snapshot(), takerFeeBps: this.takerFeeBps, feeBps: this.feeBps }
  }

  restore(image: Image): void {
    const from = image as unknown as { keys: Float64Array; quotes: Image; takerFeeBps: number; feeBps: number }
    this.keys.set(from.keys)
    this.quotes.restore(from.quotes)
    this.takerFeeBps = from.takerFeeBps
    this.feeBps = from.feeBps
  }
}

