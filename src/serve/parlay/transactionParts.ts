const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
/** Set in the first byte of a message that has a version, which stands in the other bits. */
const VERSIONED = 0x80

/** What a serialized transaction of the chain says of its signatures. */
export interface TransactionParts {
  /** 64 bytes each, in order of their keys. */
  readonly signatures: readonly Uint8Array[]
  /** The bytes that are signed. */
  readonly message: Uint8Array
  /** Keys of the accounts that the message names itself, 32 bytes each. */
  readonly keys: readonly Uint8Array[]
  /** How many of the keys, from the first, have to sign. */
  readonly signers: number
}

/** Reads bytes from the front. Throws a RangeError where they end too soon. */
class Front {
  readonly bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new RangeError('the bytes end within the transaction')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  byte(): number {
    return this.take(1)[0]!
  }

  many(count: number, length: number): Uint8Array[] {
    return Array.from({ length: count }, () => this.take(length))
  }

  /** A length in 7 bits a byte, the lowest first, in at most three bytes. */
  length(): number {
    let length = 0
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.byte()
      length |= (byte & 0x7f) << shift
      if ((byte & 0x80) === 0) return length
    }
    throw new RangeError('a length has more than three bytes')
  }

  /** A list of bytes behind its length. */
  skipList(): void {
    this.take(this.length())
  }
}

/**
 * The parts of a serialized transaction, a legacy one or one of version 0. What follows it is passed over. Throws a RangeError for other bytes,
 * and for version 1, which begins with its message.
 * Source: the chain's wire format, as `VersionedTransaction.deserialize` of @solana/web3.js 1.99.0 reads it.
 */
export function transactionParts(bytes: Uint8Array): TransactionParts {
  if (bytes[0] === (VERSIONED | 1)) throw new RangeError('a message of another version')
  const front = new Front(bytes)
  const signatures = front.many(front.length(), SIGNATURE_BYTES)
  const messageAt = front.at
  const isVersioned = (front.bytes[messageAt]! & VERSIONED) !== 0
  if (isVersioned && front.byte() !== VERSIONED) throw new RangeError('a message of another version')
  const signers = front.byte()
  front.take(2)
  const keys = front.many(front.length(), KEY_BYTES)
  front.take(KEY_BYTES)
  for (let left = front.length(); left > 0; left--) {
    front.byte()
    front.skipList()
    front.skipList()
  }
  if (isVersioned) skipLookups(front)
  return { signatures, message: bytes.subarray(messageAt, front.at), keys, signers }
}

/** Tables of addresses, each with the places of those that may change and of those that may not. */
function skipLookups(front: Front): void {
  for (let left = front.length(); left > 0; left--) {
    front.take(KEY_BYTES)
    front.skipList()
    front.skipList()
  }
}
