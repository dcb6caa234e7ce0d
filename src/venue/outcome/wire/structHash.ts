import type { Hex } from 'viem'
import { assert, Bug } from '../../../unit/assert.ts'
import { encodedType, type PrimaryType, structText, type TypedDomain, type TypedLeg, type TypedMessage, type TypedValue, TYPES } from './eip712Types.ts'
import { viemUtils } from './viemUtils.ts'

const WORD_BYTES = 32
/** Where a number of 64 bits begins in its word. */
const U64_OFFSET = 24
const U64_END = 1n << 64n
/** So many hashes are kept before all are let go: most names repeat soon or never. */
const KEPT_HASHES = 8_192
const PREFIX = Uint8Array.of(0x19, 0x01)
const utf8 = new TextEncoder()

/**
 * EIP-712 digests of one session's terms. What repeats is hashed once: the domain, the types, names, and legs, which all quotes on an RFQ share.
 */
export class StructHasher {
  private declare readonly domain: Uint8Array
  private readonly types = new Map<PrimaryType, Uint8Array>()
  private readonly texts = new Map<string, Uint8Array>()
  private readonly legs = new Map<string, Uint8Array>()

  constructor(domain: TypedDomain) {
    this.domain = bytesOf(viemUtils().domainSeparator({ domain }))
  }

  /** `keccak256(0x1901 ‖ domain ‖ hashStruct(message))`. Throws Bug where a value is not of its field's type, or a number over 64 bits. */
  digest({ primaryType, message }: TypedMessage): Hex {
    return viemUtils().keccak256(joined([PREFIX, this.domain, this.structHash(primaryType, message)]))
  }

  private structHash(primaryType: PrimaryType, message: TypedMessage['message']): Uint8Array {
    const words = TYPES[primaryType].map(({ name, type }) => this.word(type, message[name]!))
    return keccak(joined([this.typeHash(primaryType), ...words]))
  }

  /** `enc(value)` of the standard: 32 bytes. */
  private word(type: string, value: TypedValue): Uint8Array {
    switch (type) {
      case 'uint64': case 'uint256': return wordOfNumber(value)
      case 'bytes32': return wordOfBytes(value)
      case 'string': return this.textHash(textOf(value))
      case 'string[]': return keccak(joined((value as readonly string[]).map((text) => this.textHash(textOf(text)))))
      case 'Leg[]': return this.legsHash(value as readonly TypedLeg[])
      default: throw new Bug(`nothing of type ${type} is signed`)
    }
  }

  private typeHash(primaryType: PrimaryType): Uint8Array {
    return kept(this.types, primaryType, () => keccak(utf8.encode(encodedType(primaryType))))
  }

  private textHash(text: string): Uint8Array {
    return kept(this.texts, text, () => keccak(utf8.encode(text)))
  }

  private legsHash(legs: readonly TypedLeg[]): Uint8Array {
    const key = legs.map(({ outcomeId, side }) => `${outcomeId} ${side}`).join(' ')
    return kept(this.legs, key, () => keccak(joined(legs.map((leg) => this.legHash(leg)))))
  }

  private legHash({ outcomeId, side }: TypedLeg): Uint8Array {
    return keccak(joined([this.textHash(structText('Leg', TYPES.Leg)), this.textHash(textOf(outcomeId)), this.textHash(textOf(side))]))
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

const keccak = (bytes: Uint8Array): Uint8Array => viemUtils().keccak256(bytes, 'bytes')

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

function wordOfNumber(value: TypedValue): Uint8Array {
  assert(typeof value === 'bigint' && value >= 0n && value < U64_END, 'a signed number has at most 64 bits')
  const word = new Uint8Array(WORD_BYTES)
  new DataView(word.buffer).setBigUint64(U64_OFFSET, value)
  return word
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
