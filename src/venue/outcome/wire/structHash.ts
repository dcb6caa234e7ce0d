import type { Hex } from 'viem'
import { assert, Bug } from '../../../unit/assert.ts'
import { encodedType, type PrimaryType, structText, type TypedDomain, type TypedLeg, type TypedMessage, type TypedValue, TYPES } from './eip712Types.ts'
import { keccak256 } from './keccak.ts'
import { viemUtils } from './viemUtils.ts'

const WORD_BYTES = 32
/** Where a number of 64 bits begins in its word. */
const U64_OFFSET = 24
const U64_END = 1n << 64n
/** The most fields of a type. */
const FIELDS_MAX = Math.max(...Object.values(TYPES).map((fields) => fields.length))
/** So many hashes are kept before all are let go: most names repeat soon or never. */
const KEPT_HASHES = 8_192
const PREFIX = Uint8Array.of(0x19, 0x01)
const utf8 = new TextEncoder()

/**
 * EIP-712 digests of one session's terms. What repeats is hashed once: the domain, the types, names, and legs, which all quotes on an RFQ share.
 */
export class StructHasher {
  /** What is hashed last: the prefix, the domain and the hash of a message. */
  private declare readonly signed: Uint8Array
  /** A message: the hash of its type and a word for each field. */
  private readonly words = new Uint8Array(WORD_BYTES * (1 + FIELDS_MAX))
  private readonly view = new DataView(this.words.buffer)
  private readonly types = new Map<PrimaryType, Uint8Array>()
  private readonly texts = new Map<string, Uint8Array>()
  private readonly legs = new Map<string, Uint8Array>()

  constructor(domain: TypedDomain) {
    this.signed = joined([PREFIX, bytesOf(viemUtils().domainSeparator({ domain })), new Uint8Array(WORD_BYTES)])
  }

  /** `keccak256(0x1901 ‖ domain ‖ hashStruct(message))`. Throws Bug where a value is not of its field's type, or a number over 64 bits. */
  digest({ primaryType, message }: TypedMessage): Hex {
    this.signed.set(this.structHash(primaryType, message), PREFIX.length + WORD_BYTES)
    return `0x${Buffer.from(keccak256(this.signed).buffer).toString('hex')}`
  }

  private structHash(primaryType: PrimaryType, message: TypedMessage['message']): Uint8Array {
    const fields = TYPES[primaryType]
    this.words.set(this.typeHash(primaryType), 0)
    let at = WORD_BYTES
    for (const { name, type } of fields) {
      this.put(type, message[name]!, at)
      at += WORD_BYTES
    }
    return keccak256(this.words.subarray(0, at))
  }

  /** Puts `enc(value)` of the standard: 32 bytes. */
  private put(type: string, value: TypedValue, at: number): void {
    switch (type) {
      case 'uint64': case 'uint256': return this.putNumber(value, at)
      case 'bytes32': return this.words.set(wordOfBytes(value), at)
      case 'string': return this.words.set(this.textHash(textOf(value)), at)
      case 'string[]': return this.words.set(keccak256(joined((value as readonly string[]).map((text) => this.textHash(textOf(text))))), at)
      case 'Leg[]': return this.words.set(this.legsHash(value as readonly TypedLeg[]), at)
      default: throw new Bug(`nothing of type ${type} is signed`)
    }
  }

  private putNumber(value: TypedValue, at: number): void {
    assert(typeof value === 'bigint' && value >= 0n && value < U64_END, 'a signed number has at most 64 bits')
    this.words.fill(0, at, at + U64_OFFSET)
    this.view.setBigUint64(at + U64_OFFSET, value)
  }

  private typeHash(primaryType: PrimaryType): Uint8Array {
    return kept(this.types, primaryType, () => keccak256(utf8.encode(encodedType(primaryType))))
  }

  private textHash(text: string): Uint8Array {
    return kept(this.texts, text, () => keccak256(utf8.encode(text)))
  }

  private legsHash(legs: readonly TypedLeg[]): Uint8Array {
    const key = legs.map(({ outcomeId, side }) => `${outcomeId} ${side}`).join(' ')
    return kept(this.legs, key, () => keccak256(joined(legs.map((leg) => this.legHash(leg)))))
  }

  private legHash({ outcomeId, side }: TypedLeg): Uint8Array {
    return keccak256(joined([this.textHash(structText('Leg', TYPES.Leg)), this.textHash(textOf(outcomeId)), this.textHash(textOf(side))]))
  }
}

function kept<K>(hashes: Map<K, Uint8Array>, key: K, make: () => Uint8Array): Uint8Array {
  const known = hashes.get(key)
  if (known !== undefined) return known
  const hash = make()
  if (hashes.size === KEPT_HASHES) hashes.clear()
  hashes.set(key, hash)
  return hash
}

const bytesOf = (hex: Hex): Uint8Array => Buffer.from(hex.slice(2), 'hex')

const BYTES_32 = /^0x[0-9a-f]{64}$/

function wordOfBytes(value: TypedValue): Uint8Array {
  assert(typeof value === 'string' && BYTES_32.test(value), 'a signed hash has 32 bytes')
  return bytesOf(value as Hex)
}

function textOf(value: TypedValue): string {
  assert(typeof value === 'string', 'a signed text is a text')
  return value
}

/** The bytes of all, one after the other. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
