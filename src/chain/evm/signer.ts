import { createHmac } from 'node:crypto'
import secp256k1 from 'secp256k1'
import { type Hex, keccak256, serializeTransaction, type TransactionSerializable } from 'viem'
import { bytesToHex, hexToBytes } from 'viem/utils'
import { isPrivateKey, privateKeyOf } from '../../venue/outcome/wire/signing.ts'

const V_OFFSET = 27

/** Parties of a chain besides the accounts of a session. */
export type ChainParty = 'operator' | 'deployer'

/**
 * A key that signs in native code, 20 times as fast as in JavaScript; where the native code is not installed the package falls
 * back to its own in JavaScript. Signatures are deterministic (RFC 6979) with s in the lower half: those that viem makes.
 */
export class EvmSigner {
  readonly address: Hex
  private readonly key: Uint8Array

  constructor(privateKey: Hex) {
    this.key = hexToBytes(privateKey)
    this.address = `0x${keccak256(secp256k1.publicKeyCreate(this.key, false).subarray(1)).slice(-40)}`
  }

  /** Signature of a digest: r, s and v (27 or 28), 65 bytes. */
  sign(digest: Hex): Hex {
    const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(digest), this.key)
    return `${bytesToHex(signature)}${(V_OFFSET + recid).toString(16)}`
  }

  /** The transaction as it goes to the node, legacy or of EIP-1559. */
  signTransaction(transaction: TransactionSerializable): Hex {
    const { signature, recid } = secp256k1.ecdsaSign(keccak256(serializeTransaction(transaction), 'bytes'), this.key)
    return serializeTransaction(transaction, {
      r: bytesToHex(signature.subarray(0, 32)),
      s: bytesToHex(signature.subarray(32)),
      v: BigInt(V_OFFSET + recid),
      yParity: recid,
    })
  }
}

/** Private key of a party of the chain: as `privateKeyOf` makes a signer's, under `evm:party:try`. */
export function partyKeyOf(sessionSeed: string, party: ChainParty): Hex {
  for (let attempt = 0; ; attempt++) {
    const key: Hex = `0x${createHmac('sha256', sessionSeed).update(`evm:${party}:${attempt}`).digest('hex')}`
    if (isPrivateKey(key)) return key
  }
}

/** Keys of a session: all follow from its seed. Signers are numbered as in the outcome service, where a wallet signs as its account. */
export class EvmKeys {
  private readonly seed: string
  private readonly signers = new Map<number, EvmSigner>()

  constructor(sessionSeed: string) {
    this.seed = sessionSeed
  }

  party(party: ChainParty): EvmSigner {
    return new EvmSigner(partyKeyOf(this.seed, party))
  }

  signer(number: number): EvmSigner {
    let signer = this.signers.get(number)
    if (signer === undefined) this.signers.set(number, signer = new EvmSigner(privateKeyOf(this.seed, number)))
    return signer
  }
}
