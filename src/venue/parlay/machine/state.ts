import { Ledger } from '../../../ledger/ledger.ts'
import type { PostingRows } from '../../../ledger/postingRows.ts'
import { assert } from '../../../unit/assert.ts'
import type { Image, Snapshot } from '../../../unit/snapshot.ts'
import { MS_US } from '../../../unit/time.ts'
import type { EventRows } from '../../eventRows.ts'
import { MachineState } from '../../machineState.ts'
import { MakerEntries } from '../../makerEntries.ts'
import type { ParlayProfile } from '../protocol/profile.ts'
import { AccountColumns } from './accountColumns.ts'
import { AuctionRows } from './auctionRows.ts'
import { BidRows, tabulateBids } from './bidRows.ts'
import { ExclusionKeys } from './exclusionKeys.ts'
import { MarketColumns } from './marketColumns.ts'
import { MissingWallets } from './missingWallets.ts'
import { PositionRows } from './positionRows.ts'
import { QuoteRows, tabulateQuotes } from './quoteRows.ts'
import { RequestRows } from './requestRows.ts'
import { TermsInForce } from './termsInForce.ts'
import { VaultColumns } from './vaultColumns.ts'
import { VaultTransactionColumns } from './vaultTransactionColumns.ts'

/** Order of deadlines that are due at one instant (docs/conformance/parlay.md). */
export const DeadlineRank = {
  vaultTransaction: 0, quoteExpiry: 1, confirmation: 2, requestExpiry: 3, settlement: 4, eviction: 5, bidExpiry: 6, auction: 7,
} as const

const CAPACITY = 256

/** The parts of one parlay machine. The transitions are functions over them. */
export class ParlayState extends MachineState {
  declare readonly profile: ParlayProfile
  declare readonly ledger: Ledger
  declare readonly terms: TermsInForce
  readonly markets = new MarketColumns(CAPACITY)
  readonly keys = new ExclusionKeys(CAPACITY)
  readonly vaults = new VaultColumns(CAPACITY)
  readonly vaultTransactions = new VaultTransactionColumns(64)
  readonly accounts = new AccountColumns(CAPACITY)
  readonly missingWallets = new MissingWallets(16)
  declare readonly requests: RequestRows
  readonly quotes = new QuoteRows(CAPACITY)
  /** Each maker's last quote on each active request, and last bid in each active auction. */
  readonly makerQuotes = new MakerEntries()
  readonly makerBids = new MakerEntries()
  declare readonly positions: PositionRows
  readonly auctions = new AuctionRows(CAPACITY)
  readonly bids = new BidRows(CAPACITY)
  /** Windows of the profile, in microseconds. */
  declare readonly requestExpiryUs: number
  declare readonly requestRetentionUs: number
  declare readonly confirmationUs: number
  declare readonly cashOutCutoffUs: number

  constructor(profile: ParlayProfile, events: EventRows, postings: PostingRows) {
    super(events)
    this.profile = profile
    this.ledger = new Ledger(postings)
    this.terms = new TermsInForce(profile)
    this.requests = new RequestRows(CAPACITY, profile.legsMax)
    this.positions = new PositionRows(CAPACITY, profile.legsMax)
    this.requestExpiryUs = profile.requestExpiryMs * MS_US
    this.requestRetentionUs = profile.requestRetentionMs * MS_US
    this.confirmationUs = profile.confirmationMs * MS_US
    this.cashOutCutoffUs = profile.cashoutCutoffMs * MS_US
  }

  override snapshot(): Image {
    return { ...(super.snapshot() as Record<string, Image>), legsMax: this.profile.legsMax }
  }

  override restore(image: Image): void {
    assert((image as { readonly legsMax: number }).legsMax === this.profile.legsMax, 'image of a profile with another legsMax')
    super.restore(image)
    tabulateQuotes(this.quotes, this.requests, this.makerQuotes)
    tabulateBids(this.bids, this.auctions, this.makerBids)
  }

  protected override parts(): Readonly<Record<string, Snapshot>> {
    return {
      ledger: this.ledger, terms: this.terms, markets: this.markets, keys: this.keys,
      vaults: this.vaults, vaultTransactions: this.vaultTransactions, accounts: this.accounts, missingWallets: this.missingWallets,
      requests: this.requests, quotes: this.quotes, positions: this.positions, auctions: this.auctions, bids: this.bids,
    }
  }
}
