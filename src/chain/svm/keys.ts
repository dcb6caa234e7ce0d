import { createHash, createHmac, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'

/** DER of an Ed25519 private key up to its 32 bytes (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_BYTES = 32

/** An Ed25519 key pair that signs natively: the same bytes as web3.js's `Keypair`, some hundred times as fast. */
export class SvmKey {
  readonly address: PublicKey
  private readonly secret: KeyObject

  /** `seed` are the 32 bytes that `Keypair.fromSeed` takes. */
  constructor(seed: Uint8Array) {
    this.secret = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
    this.address = new PublicKey(createPublicKey(this.secret).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES))
  }

  sign(message: Uint8Array): Buffer {
    return sign(null, message, this.secret)
  }
}

/** Every key of a session, as functions of its seed and a name. */
export class SvmKeys {
  /** Tells the vault what came of trades. */
  readonly operator: SvmKey
  /** Pays the network's fees and rents, so that wallets need no SOL. */
  readonly sponsor: SvmKey
  /** Stands at the address of the vault program; whoever deploys there has it. */
  readonly program: SvmKey
  private readonly root: Buffer
  private readonly wallets = new Map<number, SvmKey>()

  constructor(sessionSeed: string) {
    this.root = createHash('sha256').update(sessionSeed).digest()
    this.operator = new SvmKey(this.seed('operator'))
    this.sponsor = new SvmKey(this.seed('sponsor'))
    this.program = new SvmKey(this.seed('program'))
  }

  /** The key of an account's wallet. */
  wallet(account: number): SvmKey {
    let key = this.wallets.get(account)
    if (key === undefined) this.wallets.set(account, (key = new SvmKey(this.seed(`wallet:${account}`))))
    return key
  }

  /** 32 bytes for a key by name; HMAC-SHA256 under the SHA-256 of the session's seed. */
  seed(name: string): Buffer {
    return createHmac('sha256', this.root).update(`svm:${name}`).digest()
  }
}
