import { ParlayCode } from '../../../venue/parlay/protocol/codes.ts'
import type { AuctionRecord } from '../../../venue/parlay/wire/cashOutBody.ts'
import type { WireIdentity } from '../../../venue/parlay/wire/identity.ts'
import type { ParlayRecord } from '../../../venue/parlay/wire/parlayBody.ts'
import type { KnownNames } from './names.ts'
import type { ParlayRecords } from './records.ts'
import type { RequestRecord } from './requests.ts'
import type { PositionRecord } from './trades.ts'

/** Why something cannot be read. */
export interface Refused {
  /** A `ParlayCode`. */
  readonly refused: number
}

export const isRefused = (read: object): read is Refused => 'refused' in read

const NOT_FOUND: Refused = { refused: ParlayCode.notFound }
const FORBIDDEN: Refused = { refused: ParlayCode.forbidden }

/** What an account may read by the names that clients use. Who may read what is decided here, as the venue decides about its commands. */
export class ParlayReads {
  private declare readonly records: ParlayRecords
  private declare readonly names: KnownNames
  private declare readonly identity: WireIdentity

  constructor(records: ParlayRecords, names: KnownNames, identity: WireIdentity) {
    this.records = records
    this.names = names
    this.identity = identity
  }

  /** Another account's request is forbidden, and not hidden (PQ-289). */
  request(account: number, id: string): RequestRecord | Refused {
    const request = this.records.request(this.names.request(id))
    if (request === null) return NOT_FOUND
    return request.owner === account ? request : FORBIDDEN
  }

  /** Another account's parlay is not found (PQ-288). */
  parlay(account: number, rfqId: string): ParlayRecord | Refused {
    return this.records.trades.holding(account, this.names.parlay(rfqId)) ?? NOT_FOUND
  }

  /** Only who opened an auction reads it, as only that account may cancel it. */
  auction(account: number, id: string): AuctionRecord | Refused {
    const auction = this.records.auctions.auction(this.names.auction(id))
    if (auction === null) return NOT_FOUND
    return auction.seller === account ? auction : FORBIDDEN
  }

  /** An open position that the maker backs, by its id on the chain (PQ-201). */
  position(maker: number, id: string): PositionRecord | Refused {
    return this.records.trades.backedBy(maker).find(({ number }) => this.identity.position(number) === id) ?? NOT_FOUND
  }
}
