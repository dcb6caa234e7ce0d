import { createPublicKey, verify } from 'node:crypto'
import { base58 } from '../../venue/parlay/wire/identity.ts'
import { transactionParts } from './transactionParts.ts'

/** A transaction fits one packet of the network. */
const TRANSACTION_BYTES_MAX = 1232
const PACKET_LETTERS_MAX = 4 * Math.ceil(TRANSACTION_BYTES_MAX / 3)
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** What stands before the 32 bytes of an Ed25519 key in the form that Node reads (RFC 8410). */
const KEY_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

const isSignedBy = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  verify(null, message, createPublicKey({ key: Buffer.concat([KEY_HEAD, key]), format: 'der', type: 'spki' }), signature)

/** Whether a text is base64 that fits one packet, as a transaction does. That alone takes no time. */
export const isPacket = (base64: string): boolean =>
  base64 !== '' && base64.length <= PACKET_LETTERS_MAX && BASE64.test(base64) && Buffer.byteLength(base64, 'base64') <= TRANSACTION_BYTES_MAX

/**
 * Signature of a serialized transaction of the chain in base64, in base 58: the first of its signatures, which names it on the chain. Null
 * for what is no such transaction, is longer than a packet, or lacks a signature that its message asks for (PQ-217). Each of its signatures is
 * verified, of which a packet has up to nineteen.
 */
export function signatureOfTransaction(base64: string): string | null {
  if (!isPacket(base64)) return null
  try {
    const { message, signatures, keys, signers } = transactionParts(Buffer.from(base64, 'base64'))
    if (signers === 0 || signers > keys.length || signatures.length !== signers) return null
    return signatures.every((signature, i) => isSignedBy(keys[i]!, message, signature)) ? base58(signatures[0]!) : null
  } catch {
    return null
  }
}
