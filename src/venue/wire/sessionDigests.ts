import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const KEPT_MAX = 16_384

/**
 * What names on the wire are made under: one key, or one for ids and another for what only its owner may know. The first of two can be told
 * once the session is over.
 */
export type SessionKey = string | Uint8Array | SplitKey

export interface SplitKey {
  readonly ids: string
  readonly secrets: string
}

/** Digests of ids and of secrets: the same for one key. */
export function digestsOf(key: SessionKey): { readonly ids: SessionDigests; readonly secrets: SessionDigests } {
  if (typeof key !== 'string' && !(key instanceof Uint8Array)) return { ids: new SessionDigests(key.ids), secrets: new SessionDigests(key.secrets) }
  const digests = new SessionDigests(key)
  return { ids: digests, secrets: digests }
}

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

  /** 32 bytes as 64 hex digits, for names that their users keep themselves. */
  hex256(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex')
  }

  /** 64 bytes. */
  sha512(text: string): Buffer {
    return createHmac('sha512', this.key).update(text).digest()
  }
}
