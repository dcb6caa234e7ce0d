import { AddressLookupTableAccount, Keypair, type Message, type MessageV0, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { signatureOfTransaction } from '../../../src/serve/parlay/signedTransaction.ts'
import { transactionParts } from '../../../src/serve/parlay/transactionParts.ts'
import { base58 } from '../../../src/venue/parlay/wire/identity.ts'

/** The chain's own library is the oracle. */
const keypair = (fill: number): Keypair => Keypair.fromSeed(new Uint8Array(32).fill(fill))
const [payer, other] = [keypair(1), keypair(2)]
const lone = (fill: number): PublicKey => new PublicKey(new Uint8Array(32).fill(fill))
const TABLE = new AddressLookupTableAccount({
  key: lone(9), state: { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: [lone(7), lone(8)] },
})
/** Two payments that both sign. The second one's target is in the table. */
const DRAFT = new TransactionMessage({
  payerKey: payer.publicKey, recentBlockhash: '1'.repeat(32), instructions: [
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: other.publicKey, lamports: 1 }),
    SystemProgram.transfer({ fromPubkey: other.publicKey, toPubkey: lone(7), lamports: 2 }),
  ],
})

function signed(message: Message | MessageV0): VersionedTransaction {
  const transaction = new VersionedTransaction(message)
  transaction.sign([payer, other])
  return transaction
}

const FORMS: [string, VersionedTransaction][] = [
  ['legacy', signed(DRAFT.compileToLegacyMessage())], ['version 0', signed(DRAFT.compileToV0Message())],
  ['version 0 with a table of addresses', signed(DRAFT.compileToV0Message([TABLE]))],
]
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

describe.each(FORMS)('a %s transaction', (_, transaction) => {
  const bytes = transaction.serialize()

  it('has the parts that the chain\'s own library finds', () => {
    expect(transactionParts(bytes)).toEqual({
      signatures: transaction.signatures, message: Uint8Array.from(transaction.message.serialize()), signers: 2,
      keys: transaction.message.staticAccountKeys.map((key) => key.toBytes()),
    })
  })

  it('PQ-217 PQ-227 is signed by all of its signers, and no more when a bit of it is another', () => {
    expect(signatureOfTransaction(base64(bytes))).toBe(base58(transaction.signatures[0]!))
    for (let at = 0; at < bytes.length; at++) {
      const changed = Uint8Array.from(bytes)
      changed[at]! ^= 1
      expect([at, signatureOfTransaction(base64(changed))]).toEqual([at, null])
    }
  })

  it('is none when it is cut off anywhere', () => {
    for (let length = 0; length < bytes.length; length++) expect(() => transactionParts(bytes.subarray(0, length))).toThrow(RangeError)
  })
})

it.each([['version 1', 0, 0x81], ['version 2', 1 + 2 * 64, 0x82]])('PQ-227 a transaction of %s has no parts', (_, at, byte) => {
  const [, zero] = FORMS[1]!
  const later = Uint8Array.from(zero.serialize())
  later[at] = byte
  expect(() => transactionParts(later)).toThrow('a message of another version')
  expect(signatureOfTransaction(base64(later))).toBe(null)
})
