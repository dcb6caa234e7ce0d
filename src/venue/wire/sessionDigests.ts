import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const KEPT_MAX = 16_384

/**
 * What ids on the wire are made of: HMACs of texts under the SHA-256 of a session's key. It keeps the last ones, since the ids of accounts and
 * of open requests are asked for again and again.
 */
export class SessionDigests {
  // A key of bytes would be made into such an object at every call, which takes Node five times as long as the digest.
  private declare readonly key: KeyObject
  private readonly kept = new Map<string, Buffer>()

  constructor(sessionKey: string | Uint8Array) {
    this.key = createSecretKey(createHash('sha256').update(sessionKey).digest())
  }

  /** 32 bytes, the caller's own. */
  sha256(text: string): Buffer {
    let digest = this.kept.get(text)
    if (digest === undefined) {
      digest = createHmac('sha256', this.key).update(text).digest()
      if (this.kept.size === KEPT_MAX) this.kept.clear()
      this.kept.set(text, digest)
    }
    return Buffer.from(digest)
  }

  /** 64 bytes. */
  sha512(text: string): Buffer {
    return createHmac('sha512', this.key).update(text).digest()
  }
}
