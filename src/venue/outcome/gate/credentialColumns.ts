import { EntityColumns } from '../../../unit/countedColumns.ts'
import { NONE } from '../../../unit/none.ts'

export const CredentialKind = { session: 0, key: 1 } as const
/** A key is active, revoked or expired (OM-058), a session active or ended. */
export const CredentialState = { active: 0, revoked: 1, expired: 2, ended: 3 } as const

/** Sessions and keys, numbered together. An ended key still answers STATE_CONFLICT until it is forgotten. */
export class CredentialColumns extends EntityColumns {
  /** 0 in a row that is free. */
  number = new Float64Array(this.capacity)
  account = new Int32Array(this.capacity)
  kind = new Uint8Array(this.capacity)
  state = new Uint8Array(this.capacity)
  /** Mask of ScopeBit; of a session all of them (OM-136). */
  scopes = new Uint16Array(this.capacity)
  /** The wallet's origin for a session, else −1. */
  origin = new Float64Array(this.capacity)
  /** Expiry of a key, end of a session's age, µs; −1 for never. */
  expiresAtUs = new Float64Array(this.capacity)
  /** Last use. The start of a session counts as a use. −1 for a key that was not used yet. */
  lastUsedUs = new Float64Array(this.capacity)

  /** The row of a credential's number, or −1. */
  rowOf(number: number): number {
    return this.index.slotOf(number)
  }

  isKey(row: number): boolean {
    return this.kind[row] === CredentialKind.key
  }

  /** Takes a row for an active credential. */
  add(account: number, kind: number, scopes: number, expiresAtUs: number): number {
    const row = this.take()
    this.number[row] = this.index.lastNumber
    this.account[row] = account
    this.kind[row] = kind
    this.state[row] = CredentialState.active
    this.scopes[row] = scopes
    this.expiresAtUs[row] = expiresAtUs
    this.origin[row] = this.lastUsedUs[row] = NONE
    return row
  }

  /** Whether the time of a credential is over at `nowUs`, even before its deadline is played. The app's sign-in never ends. */
  isOver(number: number, nowUs: number, sessionIdleUs: number): boolean {
    const row = this.rowOf(number)
    if (row === NONE) return false
    const endUs = this.expiresAtUs[row]!
    return (endUs !== NONE && nowUs >= endUs) || (!this.isKey(row) && nowUs >= this.lastUsedUs[row]! + sessionIdleUs)
  }

  liveKeysOf(account: number): number[] {
    const numbers: number[] = []
    for (let row = 0; row < this.index.slotCount; row++) {
      const isLive = this.number[row] !== 0 && this.state[row] === CredentialState.active
      if (isLive && this.account[row] === account && this.isKey(row)) numbers.push(this.number[row]!)
    }
    return numbers.sort((a, b) => a - b)
  }
}
