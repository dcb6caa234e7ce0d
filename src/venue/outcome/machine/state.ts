import { Ledger } from '../../../ledger/ledger.ts'
import type { PostingRows } from '../../../ledger/postingRows.ts'
import { assert } from '../../../unit/assert.ts'
import type { Image, Snapshot } from '../../../unit/snapshot.ts'
import { MS_US } from '../../../unit/time.ts'
import type { EventRows } from '../../eventRows.ts'
import { MachineState } from '../../machineState.ts'
import { MakerEntries } from '../../makerEntries.ts'
import type { OutcomeProfile } from '../protocol/profile.ts'
import type { TermsDigest } from '../protocol/terms.ts'
import { AcceptKeys } from './acceptKeys.ts'
import { AcceptanceRows } from './acceptanceRows.ts'
import { AccountColumns } from './accountColumns.ts'
import { OperationRows } from './operationRows.ts'
import { OutcomeColumns } from './outcomeColumns.ts'
import { OutcomeIds } from './outcomeIds.ts'
import { PositionRows } from './positionRows.ts'
import { QuoteRows, tabulateQuotes } from './quoteRows.ts'
import { ReductionColumns } from './reductionColumns.ts'
import { RfqRows } from './rfqRows.ts'
import { TermsInForce } from './termsInForce.ts'

/** Order of deadlines that are due at one instant (docs/conformance/outcome.md). */
export const DeadlineRank = {
  operation: 0, quoteHidden: 1, quoteExpiry: 2, confirmation: 3, rfqWindow: 4, settlement: 5, reduction: 6,
  /** Deadlines of RFQs and of operations (forgetting.ts). */
  forgetting: 7,
} as const

const CAPACITY = 256

/** The parts of one outcome machine. The transitions are functions over them. */
export class OutcomeState extends MachineState {
  declare readonly profile: OutcomeProfile
  declare readonly termsDigest: TermsDigest
  declare readonly ledger: Ledger
  declare readonly terms: TermsInForce
  readonly outcomes = new OutcomeColumns(CAPACITY)
  readonly outcomeIds = new OutcomeIds(CAPACITY)
  readonly accounts = new AccountColumns(CAPACITY)
  declare readonly rfqs: RfqRows
  readonly quotes = new QuoteRows(CAPACITY)
  /** Each maker's live quote on each RFQ (OM-061). */
  readonly makerQuotes = new MakerEntries()
  readonly acceptances = new AcceptanceRows(CAPACITY)
  declare readonly acceptKeys: AcceptKeys
  declare readonly operations: OperationRows
  declare readonly positions: PositionRows
  readonly reductions = new ReductionColumns(64)
  /** Windows of the profile, in microseconds. */
  declare readonly confirmUs: number
  declare readonly retentionUs: number

  constructor(profile: OutcomeProfile, events: EventRows, postings: PostingRows, termsDigest: TermsDigest) {
    super(events)
    this.profile = profile
    this.termsDigest = termsDigest
    this.ledger = new Ledger(postings)
    this.terms = new TermsInForce(profile)
    this.rfqs = new RfqRows(CAPACITY, profile.legsMax)
    this.acceptKeys = new AcceptKeys(profile.acceptKeyRetentionMs * MS_US)
    this.operations = new OperationRows(CAPACITY, profile.legsMax)
    this.positions = new PositionRows(CAPACITY, profile.legsMax)
    this.confirmUs = profile.confirmMs * MS_US
    this.retentionUs = profile.retentionMs * MS_US
  }

  override snapshot(): Image {
    return { ...(super.snapshot() as Record<string, Image>), legsMax: this.profile.legsMax }
  }

  override restore(image: Image): void {
    assert((image as { readonly legsMax: number }).legsMax === this.profile.legsMax, 'image of a profile with another legsMax')
    super.restore(image)
    this.outcomeIds.index(this.outcomes)
    tabulateQuotes(this.quotes, this.makerQuotes)
  }

  protected override parts(): Readonly<Record<string, Snapshot>> {
    return {
      ledger: this.ledger, terms: this.terms, outcomes: this.outcomes, outcomeIds: this.outcomeIds,
      accounts: this.accounts, rfqs: this.rfqs, quotes: this.quotes, acceptances: this.acceptances, acceptKeys: this.acceptKeys,
      operations: this.operations, positions: this.positions, reductions: this.reductions,
    }
  }
}
