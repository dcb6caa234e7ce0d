import { PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { SvmKeys } from '../../../src/chain/svm/keys.ts'
import { TRANSACTION_BYTES, TransactionDraft } from '../../../src/chain/svm/transactionDraft.ts'
import { readTransaction } from '../../../src/chain/svm/wireTransaction.ts'
import { base58 } from '../../../src/venue/parlay/wire/identity.ts'

const keys = new SvmKeys('draft')
const BLOCKHASH = new PublicKey(Buffer.alloc(32, 9))
const PROGRAM = new PublicKey(Buffer.alloc(32, 3))
const other = (n: number) => new PublicKey(Buffer.alloc(32, 100 + n))

/** Each key as `s`igner or not, `w`ritable or not: `[key, 'sw']`. */
function instruction(metas: readonly (readonly [PublicKey, string])[], data: Buffer): TransactionInstruction {
  return new TransactionInstruction({
    programId: PROGRAM, data,
    keys: metas.map(([pubkey, flags]) => ({ pubkey, isSigner: flags.includes('s'), isWritable: flags.includes('w') })),
  })
}

const SMALL = [
  instruction([[other(1), 'w'], [keys.operator.address, 's'], [other(2), '']], Buffer.from('first')),
  instruction([[other(2), 'w'], [keys.wallet(5).address, 'sw'], [other(1), ''], [keys.operator.address, '']], Buffer.alloc(200, 1)),
]

function signed(instructions: readonly TransactionInstruction[]): Buffer {
  const draft = new TransactionDraft(keys.sponsor.address)
  for (const each of instructions) expect(draft.add(each)).toBe(true)
  return draft.sign(BLOCKHASH.toBytes(), [keys.sponsor, keys.operator, keys.wallet(5)])
}

describe('a transaction draft', () => {
  it('is what web3.js reads as the same instructions, with good signatures', () => {
    const read = Transaction.from(signed(SMALL))
    expect(read.verifySignatures()).toBe(true)
    expect(read.feePayer?.equals(keys.sponsor.address)).toBe(true)
    expect(read.recentBlockhash).toBe(BLOCKHASH.toBase58())
    expect(read.instructions.map(({ data }) => data.toString('hex'))).toEqual(SMALL.map(({ data }) => data.toString('hex')))
    expect(read.instructions.map((i) => i.keys.map((k) => k.pubkey.toBase58())))
      .toEqual(SMALL.map((i) => i.keys.map((k) => k.pubkey.toBase58())))
  })

  it('has the strongest right that any instruction asks for each key, as web3.js has', () => {
    const theirs = new Transaction({ feePayer: keys.sponsor.address, blockhash: BLOCKHASH.toBase58(), lastValidBlockHeight: 1 }).add(...SMALL).compileMessage()
    const ours = Transaction.from(signed(SMALL)).compileMessage()
    const rights = (message: typeof ours) => Object.fromEntries(message.accountKeys.map((key, i) =>
      [key.toBase58(), `${message.isAccountSigner(i) ? 's' : ''}${message.isAccountWritable(i) ? 'w' : ''}`]))
    expect(rights(ours)).toEqual(rights(theirs))
    expect(rights(ours)).toEqual({
      [keys.sponsor.address.toBase58()]: 'sw', [keys.operator.address.toBase58()]: 's', [keys.wallet(5).address.toBase58()]: 'sw',
      [other(1).toBase58()]: 'w', [other(2).toBase58()]: 'w', [PROGRAM.toBase58()]: '',
    })
  })

  it('has the bytes of web3.js where web3.js has no choice of order', () => {
    const one = instruction([[keys.operator.address, 's'], [other(1), 'w']], Buffer.from('only'))
    const theirs = new Transaction({ feePayer: keys.sponsor.address, blockhash: BLOCKHASH.toBase58(), lastValidBlockHeight: 1 }).add(one)
    const message = theirs.serializeMessage()
    theirs.addSignature(keys.sponsor.address, keys.sponsor.sign(message))
    theirs.addSignature(keys.operator.address, keys.operator.sign(message))
    expect(signed([one]).toString('hex')).toBe(theirs.serialize({ verifySignatures: false }).toString('hex'))
  })

  it('takes no instruction that would make it longer than a packet, and stays as it was', () => {
    const draft = new TransactionDraft(keys.sponsor.address)
    // 1 + 64 signature, 3 header, 1 + 3·32 keys, 32 blockhash, 1 instruction count; each instruction 1 + 1 + 2 + 2 + 200.
    const bytes = (count: number) => 1 + 64 + 3 + 1 + 96 + 32 + 1 + count * 205
    let count = 0
    while (draft.add(instruction([[other(1), 'w']], Buffer.alloc(200)))) count++
    expect(bytes(count)).toBeLessThanOrEqual(TRANSACTION_BYTES)
    expect(bytes(count + 1)).toBeGreaterThan(TRANSACTION_BYTES)
    const full = draft.sign(BLOCKHASH.toBytes(), [keys.sponsor])
    expect(full.length).toBe(bytes(count))
    expect(Transaction.from(full).instructions.length).toBe(count)
  })

  it('fills a packet to its last byte', () => {
    const draft = new TransactionDraft(keys.sponsor.address)
    const head = 1 + 64 + 3 + 1 + 96 + 32 + 1 + 1 + 1 + 1 + 2
    const data = (length: number) => instruction([[other(1), 'w']], Buffer.alloc(length, 1))
    expect(draft.add(data(TRANSACTION_BYTES - head + 1))).toBe(false)
    expect(draft.add(data(TRANSACTION_BYTES - head))).toBe(true)
    expect(draft.sign(BLOCKHASH.toBytes(), [keys.sponsor]).length).toBe(1232)
  })

  it('names its id, its blockhash and what it may change', () => {
    const bytes = signed(SMALL)
    const { id, blockhash, writable } = readTransaction(bytes)
    expect(id).toBe(base58(bytes.subarray(1, 65)))
    expect(new PublicKey(blockhash).equals(BLOCKHASH)).toBe(true)
    expect(writable.map((key) => new PublicKey(key).toBase58()).toSorted())
      .toEqual([keys.sponsor.address, keys.wallet(5).address, other(1), other(2)].map((key) => key.toBase58()).toSorted())
  })

  it('is not signed without every key', () => {
    const draft = new TransactionDraft(keys.sponsor.address)
    draft.add(SMALL[0]!)
    expect(() => draft.sign(BLOCKHASH.toBytes(), [keys.sponsor])).toThrow('a key that has to sign')
  })
})
