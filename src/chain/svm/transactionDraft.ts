import type { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { assert } from '../../unit/assert.ts'
import type { SvmKey } from './keys.ts'

/** Bytes of a transaction at most: one packet of the network. */
export const TRANSACTION_BYTES = 1232
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const HEADER_BYTES = 3

/** Bytes and name of keys; reading them out of a `PublicKey` costs more than signing with some. */
interface KeyText {
  readonly bytes: Uint8Array
  readonly text: string
}

const texts = new WeakMap<PublicKey, KeyText>()

function keyText(key: PublicKey): KeyText {
  let known = texts.get(key)
  if (known === undefined) {
    const bytes = key.toBuffer()
    texts.set(key, (known = { bytes, text: bytes.toString('latin1') }))
  }
  return known
}

interface Entry {
  readonly bytes: Uint8Array
  signs: boolean
  writable: boolean
  /** Place among the keys of the finished message. */
  place: number
}

/** Bytes that a length takes in a message: 7 bits each. */
const lengthBytes = (length: number): number => (length < 0x80 ? 1 : 2)

function writeLength(into: Buffer, at: number, length: number): number {
  if (length < 0x80) return into.writeUInt8(length, at)
  return into.writeUInt8(length >> 7, into.writeUInt8((length & 0x7f) | 0x80, at))
}

/**
 * A transaction that grows by instructions as long as it fits into a packet: the legacy message of web3.js's `Transaction`, written
 * at once instead of through its sorts and copies.
 */
export class TransactionDraft {
  private readonly entries = new Map<string, Entry>()
  private readonly instructions: TransactionInstruction[] = []
  private instructionBytes = 0
  private signers = 0

  constructor(payer: PublicKey) {
    this.touch(payer, true, true)
  }

  get length(): number {
    return this.instructions.length
  }

  /** Appends an instruction; false, with nothing changed, when the transaction would be too long with it. */
  add(instruction: TransactionInstruction): boolean {
    const metas = [...instruction.keys, { pubkey: instruction.programId, isSigner: false, isWritable: false }]
    const added = new Set<string>()
    const signing = new Set<string>()
    for (const { pubkey, isSigner } of metas) {
      const { text } = keyText(pubkey)
      const entry = this.entries.get(text)
      if (entry === undefined) added.add(text)
      if (isSigner && entry?.signs !== true) signing.add(text)
    }
    const data = instruction.data.length
    const bytes = 1 + lengthBytes(instruction.keys.length) + instruction.keys.length + lengthBytes(data) + data
    const total = this.size(this.entries.size + added.size, this.signers + signing.size, this.length + 1, this.instructionBytes + bytes)
    if (total > TRANSACTION_BYTES) return false
    for (const { pubkey, isSigner, isWritable } of metas) this.touch(pubkey, isSigner, isWritable)
    this.instructions.push(instruction)
    this.instructionBytes += bytes
    return true
  }

  /** The signed transaction. `blockhash` are its 32 bytes; `keys` holds every key that has to sign, by the name of its bytes. */
  sign(blockhash: Uint8Array, keys: readonly SvmKey[]): Buffer {
    const entries = this.order()
    const into = Buffer.alloc(this.size(entries.length, this.signers, this.length, this.instructionBytes))
    const messageAt = writeLength(into, 0, this.signers) + this.signers * SIGNATURE_BYTES
    const end = this.writeMessage(into, messageAt, entries, blockhash)
    assert(end === into.length, 'the length of a transaction is its reckoned length')
    const message = into.subarray(messageAt)
    const byName = new Map(keys.map((key) => [keyText(key.address).text, key]))
    let at = 1
    for (const { bytes } of entries.slice(0, this.signers)) {
      const key = byName.get(Buffer.from(bytes).toString('latin1'))
      assert(key !== undefined, 'a key that has to sign is not at hand')
      at += key.sign(message).copy(into, at)
    }
    return into
  }

  private size(keys: number, signers: number, instructions: number, instructionBytes: number): number {
    return lengthBytes(signers) + signers * SIGNATURE_BYTES + HEADER_BYTES + lengthBytes(keys) + keys * KEY_BYTES + KEY_BYTES
      + lengthBytes(instructions) + instructionBytes
  }

  private touch(key: PublicKey, signs: boolean, writable: boolean): void {
    const { bytes, text } = keyText(key)
    let entry = this.entries.get(text)
    if (entry === undefined) this.entries.set(text, (entry = { bytes, signs: false, writable: false, place: -1 }))
    if (signs && !entry.signs) this.signers++
    entry.signs ||= signs
    entry.writable ||= writable
  }

  /** Keys in the message's order: who signs before who does not, writable before read-only. The payer stays first. */
  private order(): Entry[] {
    const all = [...this.entries.values()]
    const entries = [
      ...all.filter((e) => e.signs && e.writable), ...all.filter((e) => e.signs && !e.writable),
      ...all.filter((e) => !e.signs && e.writable), ...all.filter((e) => !e.signs && !e.writable),
    ]
    entries.forEach((entry, place) => { entry.place = place })
    return entries
  }

  private writeMessage(into: Buffer, start: number, entries: readonly Entry[], blockhash: Uint8Array): number {
    let at = into.writeUInt8(this.signers, start)
    at = into.writeUInt8(entries.filter((e) => e.signs && !e.writable).length, at)
    at = into.writeUInt8(entries.filter((e) => !e.signs && !e.writable).length, at)
    at = writeLength(into, at, entries.length)
    for (const { bytes } of entries) {
      into.set(bytes, at)
      at += KEY_BYTES
    }
    into.set(blockhash, at)
    at = writeLength(into, at + KEY_BYTES, this.length)
    for (const { programId, keys, data } of this.instructions) {
      at = into.writeUInt8(this.placeOf(programId), at)
      at = writeLength(into, at, keys.length)
      for (const { pubkey } of keys) at = into.writeUInt8(this.placeOf(pubkey), at)
      at = writeLength(into, at, data.length)
      into.set(data, at)
      at += data.length
    }
    return at
  }

  private placeOf(key: PublicKey): number {
    return this.entries.get(keyText(key).text)!.place
  }
}
