import { AccountKind } from '../../ledger/ledger.ts'
import type { VaultCall } from '../vaultCall.ts'
import type { Movement } from './settlementStep.ts'

/** Accounts that a call names. The vault itself knows those of an open position. */
export function accountsOf(call: VaultCall): readonly number[] {
  switch (call.kind) {
    case 'open': return [call.holder, call.backer]
    case 'transfer': return [call.buyer]
    case 'settle':
    case 'buyback': return []
    default: return [call.account]
  }
}

/** Number of the position that a call is about, or −1. */
export const positionOf = (call: VaultCall): number => ('position' in call ? call.position : -1)

/** Something whose money both sides know. `tokens` is all that the vault holds. */
export type Place =
  | { readonly kind: 'account' | 'wallet' | 'position'; readonly number: number }
  | { readonly kind: 'house' | 'tokens' }

/** Whether a posting moves money of a place. */
export function moves({ debitKind, debitOwner, creditKind, creditOwner }: Movement, place: Place): boolean {
  return isAt(debitKind, debitOwner, creditOwner, place) || isAt(creditKind, creditOwner, debitOwner, place)
}

function isAt(kind: number, owner: number, other: number, place: Place): boolean {
  switch (place.kind) {
    case 'account': return isBalance(kind) && owner === place.number
    case 'wallet': return kind === AccountKind.external && other === place.number
    case 'position': return isInPosition(kind) && owner === place.number
    case 'house': return kind === AccountKind.house
    case 'tokens': return kind === AccountKind.external
  }
}

/** Whether a kind of ledger account is part of a participant's balance in the vault. */
export const isBalance = (kind: number): boolean => kind === AccountKind.free || kind === AccountKind.reserved

/** Whether a kind of ledger account lies with a position. */
export const isInPosition = (kind: number): boolean => kind === AccountKind.pot || kind === AccountKind.escrow
