import { createHmac } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import type { Hex } from 'viem'
import { bytesToHex, hexToBytes, keccak256 } from 'viem/utils'
import { NONE } from '../../../unit/none.ts'
import type { SignedTerms } from '../protocol/terms.ts'
import { tagOfDigest } from './typedData.ts'

/** Order of secp256k1's group (SEC 2, section 2.4.1): private keys lie below it, and the s of a signature in its lower half. */
export const GROUP_ORDER = secp256k1.CURVE.n

const SIGNATURE = /^0x[0-9a-f]{130}$/
const V_OFFSET = 27

/**
 * Private key of a signer: HMAC-SHA256 of `signer:number:try` under the session's seed, at the first try that lies in
 * 1…n − 1 (all but 2⁻¹²⁸ of the hashes do).
 */
export function privateKeyOf(sessionSeed: string, signer: number): Hex {
  for (let attempt = 0; ; attempt++) {
    const key: Hex = `0x${createHmac('sha256', sessionSeed).update(`signer:${signer}:${attempt}`).digest('hex')}`
    if (isPrivateKey(key)) return key
  }
}

export const isPrivateKey = (key: Hex): boolean => BigInt(key) >= 1n && BigInt(key) < GROUP_ORDER

const addressOfPoint = (uncompressed: Uint8Array): Hex => `0x${keccak256(uncompressed.subarray(1)).slice(-40)}`

/** Address of a private key, in lower case (OM-027). */
export const addressOf = (privateKey: Hex): Hex => addressOfPoint(secp256k1.getPublicKey(hexToBytes(privateKey), false))

/** Signature of a digest: r, s and v (27 or 28), 65 bytes. Deterministic (RFC 6979), s in the lower half. */
export function sign(digest: Hex, privateKey: Hex): Hex {
  const signature = secp256k1.sign(hexToBytes(digest), hexToBytes(privateKey), { lowS: true, prehash: false })
  return `${bytesToHex(signature.toCompactRawBytes())}${(V_OFFSET + signature.recovery).toString(16)}`
}

/**
 * Address whose key made this signature of the digest, or null when none can have: not 65 bytes of lowercase hex (OM-029), v
 * neither 27 nor 28, r or s out of range, or s in the upper half, which would give every signature a twin.
 */
export function recover(digest: Hex, signature: string): Hex | null {
  if (!SIGNATURE.test(signature)) return null
  const recovery = parseInt(signature.slice(130), 16) - V_OFFSET
  if (recovery !== 0 && recovery !== 1) return null
  try {
    const parsed = secp256k1.Signature.fromCompact(signature.slice(2, 130)).addRecoveryBit(recovery)
    return parsed.hasHighS() ? null : addressOfPoint(parsed.recoverPublicKey(digest.slice(2)).toRawBytes(false))
  } catch {
    // r or s is out of range, or no point of the curve has this r.
    return null
  }
}

/** What a signed command carries of its signature. */
export interface SignedAs {
  /** Number of the signer; −1 when the signature is none, or of nobody who is known (of other terms, then), or there is no digest. */
  readonly signer: number
  /** −1 when there is no digest. */
  readonly termsTag: number
}

/** Turns what a body brought into what a command carries (design.md, decision 17). */
export interface SignaturePort {
  verify(terms: SignedTerms, signature: string): SignedAs
}

/**
 * The port over EIP-712 and secp256k1.
 * @param digestOf digest of the terms, as `typedData.ts` makes it for the session; null when they lack a field, which a client's may.
 * @param signerOf number of the signer with that lowercase address, undefined when there is none.
 */
export function signaturePort(digestOf: (terms: SignedTerms) => Hex | null, signerOf: (address: Hex) => number | undefined): SignaturePort {
  return {
    verify(terms, signature) {
      const digest = digestOf(terms)
      if (digest === null) return { signer: NONE, termsTag: NONE }
      const address = recover(digest, signature)
      return { signer: address === null ? NONE : signerOf(address) ?? NONE, termsTag: tagOfDigest(digest) }
    },
  }
}
