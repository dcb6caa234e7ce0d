import { compactVerify, createLocalJWKSet, exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose'
import type { HeaderPairs, IdentityToken } from '../exchange.ts'

const ISSUER = 'parlor'
const ALGORITHM = 'EdDSA'
const KEY_ID = 'session'
const SECOND_US = 1_000_000
/** Longer ones are nobody's, and are not read. */
const TOKEN_LENGTH_MAX = 4096
const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/**
 * The identity provider whose JWTs the parlay service takes (PQ-261, RFC 7519). Its key lasts as long as the session. It checks signature,
 * issuer and audience, in the thread of HTTP. Whether a token is good at an instant of the session, the handler says.
 */
export class IdentityProvider {
  /** The public key, as a client or another service would fetch it (RFC 7517). */
  readonly keys: JSONWebKeySet
  private readonly sign: (subject: string, fromUs: number, untilUs: number) => Promise<string>
  private readonly keyOf: ReturnType<typeof createLocalJWKSet>

  private constructor(keys: JSONWebKeySet, sign: IdentityProvider['sign']) {
    this.keys = keys
    this.sign = sign
    this.keyOf = createLocalJWKSet(keys)
  }

  static async create(): Promise<IdentityProvider> {
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM)
    const key = { ...await exportJWK(publicKey), alg: ALGORITHM, kid: KEY_ID, use: 'sig' }
    return new IdentityProvider({ keys: [key] }, (subject, fromUs, untilUs) => new SignJWT({})
      .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID, typ: 'JWT' }).setIssuer(ISSUER).setAudience(ISSUER).setSubject(subject)
      .setIssuedAt(Math.floor(fromUs / SECOND_US)).setNotBefore(Math.floor(fromUs / SECOND_US)).setExpirationTime(Math.floor(untilUs / SECOND_US)).sign(privateKey))
  }

  /** A token for a user of the service. Instants are the wire's, µs. The token has them in whole seconds, rounded down. */
  issue(subject: string, fromUs: number, untilUs: number): Promise<string> {
    return this.sign(subject, fromUs, untilUs)
  }

  /** What the token of a call's headers says, undefined without a token of this provider. */
  async tokenOf(headers: HeaderPairs): Promise<IdentityToken | undefined> {
    const text = bearerOf(headers)
    if (text === undefined) return undefined
    try {
      const { payload } = await compactVerify(text, this.keyOf, { algorithms: [ALGORITHM] })
      return tokenOfClaims(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)))
    } catch {
      // Whatever is wrong with a token, it is nobody's.
      return undefined
    }
  }
}

/** A text in the form of a JWT in the first `Authorization` header. The handler refuses a header that stands twice. */
export function bearerOf(headers: HeaderPairs): string | undefined {
  const value = headers.find(([name]) => name === 'authorization')?.[1]
  return value === undefined || value.length > TOKEN_LENGTH_MAX ? undefined : BEARER.exec(value)?.[1]
}

function tokenOfClaims(claims: unknown): IdentityToken | undefined {
  const { iss, aud, sub, nbf = 0, exp } = claims as Record<string, unknown>
  const isOurs = iss === ISSUER && aud === ISSUER && typeof sub === 'string' && Number.isSafeInteger(nbf) && Number.isSafeInteger(exp)
  return isOurs ? { subject: sub, notBeforeUs: Number(nbf) * SECOND_US, expiresAtUs: Number(exp) * SECOND_US } : undefined
}
