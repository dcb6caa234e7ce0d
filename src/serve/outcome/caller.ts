import { Credential } from '../../venue/outcome/protocol/access.ts'
import { ACCOUNT_MAX } from '../../venue/outcome/protocol/commands.ts'
import { credentialOf } from '../../venue/outcome/wire/keyText.ts'
import type { HeaderPairs } from '../exchange.ts'
import { valuesOf } from '../headers.ts'
import { originOf } from './origins.ts'
import type { Served } from './served.ts'

/** Who calls, as far as the call's headers say. Whether the credential is good for anything, the gate says. */
export interface Caller {
  /** A client's account, or a number that stands for the address of a caller without a credential that was ever given out. */
  readonly account: number
  /** A session's or a key's number, or a `Credential`. */
  readonly credential: number
  /** Number of the Origin, or an `Origin`. */
  readonly origin: number
  /** Whether the account is one of the session. */
  readonly isKnown: boolean
}

/** Numbers of addresses stand for callers without an account: from the highest account number down, far above those of a session. */
const ADDRESSES = 65_536

/** The caller by `Authorization: Bearer`, which must stand once (OM-134, OM-136). Keys of the parlay service are none here (OM-004). */
export function callerOf(headers: HeaderPairs, address: number, { identity, known, pages }: Served): Caller {
  const values = valuesOf(headers, 'authorization')
  const credential = values.length > 1 ? Credential.malformed : credentialOf(identity, values[0], known)
  const holder = known.holderOf(credential)
  return { account: holder < 0 ? ACCOUNT_MAX - (address % ADDRESSES) : holder, credential, origin: originOf(valuesOf(headers, 'origin'), pages), isKnown: holder >= 0 }
}
