import type { Catalogue } from '../../market/market.ts'
import type { OutcomeCommand } from '../../venue/outcome/protocol/commands.ts'
import type { OutcomeGateProfile, OutcomeGateView } from '../../venue/outcome/protocol/gate.ts'
import type { OutcomeProfile } from '../../venue/outcome/protocol/profile.ts'
import type { TermsDigest } from '../../venue/outcome/protocol/terms.ts'
import type { OutcomeView } from '../../venue/outcome/protocol/view.ts'
import type { WireIdentity } from '../../venue/outcome/wire/identity.ts'
import type { WireNames } from '../../venue/outcome/wire/names.ts'
import type { OriginLog } from '../../venue/outcome/wire/originLog.ts'
import type { ClientKeyBook } from './clientKeys.ts'
import type { OriginBook } from './origins.ts'
import type { MarketPrices } from './prices.ts'
import type { KnownNames } from './records/names.ts'
import type { OutcomeRecords } from './records/records.ts'
import type { WalletSignIns } from './walletSignIns.ts'
import type { Wallets } from './wallets.ts'

/** What answers are made of: the session's views, and what is kept beside them. */
export interface Served {
  readonly profile: OutcomeProfile
  readonly gateProfile: OutcomeGateProfile
  readonly identity: WireIdentity
  readonly names: WireNames
  readonly origins: OriginLog
  readonly known: KnownNames
  readonly view: OutcomeView
  readonly gate: OutcomeGateView
  /** Whether the gate refuses a command before it looks at its terms. */
  readonly isTurnedAway: (command: OutcomeCommand) => boolean
  /** Fingerprint of terms, as the service makes it. */
  readonly termsTag: TermsDigest
  readonly records: OutcomeRecords
  readonly catalogue: Catalogue
  readonly prices: MarketPrices
  readonly keys: ClientKeyBook
  readonly wallets: Wallets
  readonly pages: OriginBook
  readonly signIns: WalletSignIns
  /** Accounts whose wallets the service's own app holds. */
  readonly embedded: ReadonlySet<number>
}
