import { Bug } from '../../../unit/assert.ts'
import type { RowCells } from '../../eventCells.ts'
import { EventCell, readCell } from '../../eventRows.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { Reply } from '../protocol/events.ts'
import { type JsonNumber, usdcJson } from './decimalUsdc.ts'
import type { WireIdentity } from './identity.ts'

export const VAULT_STATUSES = ['completed', 'chain_pending', 'balance_pending'] as const

/** Vault transaction result (PQ-075…077). */
export interface VaultBody {
  readonly tx_signature: string
  readonly amount: JsonNumber
  readonly status: (typeof VAULT_STATUSES)[number]
}

const STATUS: Readonly<Record<number, VaultBody['status']>> = {
  [ParlayCode.ok]: 'completed', [ParlayCode.chainPending]: 'chain_pending', [ParlayCode.balancePending]: 'balance_pending',
}

/**
 * Answer to a deposit or a withdrawal of `amountMicros` that was taken. A withdrawal that is pending is an error and has no such body
 * (PQ-084). Throws Bug for the reply of a refusal.
 */
export function vaultBody(identity: WireIdentity, reply: RowCells<'parlay.reply'>, amountMicros: number): VaultBody {
  const status = STATUS[readCell(reply, Reply.code)]
  if (status === undefined) throw new Bug(`reply code ${readCell(reply, Reply.code)} is no vault transaction`)
  return { tx_signature: identity.txSignature(readCell(reply, EventCell.seq)), amount: usdcJson(amountMicros), status }
}

/** Answer to a wallet withdrawal (fields chosen, PQ-248). Pending ones are errors here too. */
export const walletWithdrawalBody = (
  identity: WireIdentity, reply: RowCells<'parlay.reply'>, amountMicros: number, address: string,
): VaultBody & { readonly address: string } => ({ ...vaultBody(identity, reply, amountMicros), address })
