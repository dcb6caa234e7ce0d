import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../unit/inputError.ts'
import { allowedToRead, bytesOf, codeOf } from './failures.ts'
import { MANIFEST_NAME, SIGNATURES_NAME } from './head.ts'

const SIGNATURES_VERSION = 1
const ALGORITHM = 'ed25519'

/** A key with its id: the SHA-256 of the public key as DER (SubjectPublicKeyInfo), 64 hex digits. */
export interface Key {
  readonly id: string
  readonly key: KeyObject
}

/** A signature of the bytes of a manifest. */
export interface Signature {
  /** `Key.id` of the key that made it. */
  readonly key: string
  readonly algorithm: typeof ALGORITHM
  /** The 64 bytes of Ed25519 (RFC 8032) in base64. */
  readonly signature: string
}

/** What became of a signature. `unchecked`: its public key was not given. */
export interface SignatureCheck {
  readonly key: string
  readonly state: 'good' | 'bad' | 'unchecked'
}

/** The private key in a PEM file (PKCS #8), as `openssl genpkey -algorithm ed25519` makes it. Throws InputError for another. */
export const readPrivateKey = (path: string): Key => keyOf(path, createPrivateKey, 'openssl genpkey -algorithm ed25519 -out key.pem makes one')

/** The public key in a PEM file, or that of a private one. Throws InputError for what is none. */
export const readPublicKey = (path: string): Key => keyOf(path, createPublicKey, 'openssl pkey -in key.pem -pubout -out public.pem makes one')

function keyOf(path: string, read: (pem: Buffer) => KeyObject, hint: string): Key {
  const position = { file: path }
  let key: KeyObject
  try {
    const pem = allowedToRead(path, () => bytesOf(path))
    if (pem.includes('ENCRYPTED')) throw new InputError('the key is encrypted', { position, hint: `openssl pkey -in ${path} -out plain.pem decrypts it` })
    key = read(pem)
  } catch (cause) {
    if (cause instanceof InputError) throw cause
    throw new InputError(codeOf(cause) === 'ENOENT' ? 'there is no such key' : 'is no key in PEM', { position, hint, cause })
  }
  if (key.asymmetricKeyType !== ALGORITHM) throw new InputError(`is a key of ${key.asymmetricKeyType ?? key.type}, expected ${ALGORITHM}`, { position, hint })
  return { id: idOf(key), key }
}

function idOf(key: KeyObject): string {
  const der = (key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(der).digest('hex')
}

/** The signatures beside a manifest with one more, or with a new one by the same key, as the text of their file. */
export function signedText(dir: string, { id, key }: Key): string {
  const signature: Signature = { key: id, algorithm: ALGORITHM, signature: sign(null, bytesOf(join(dir, MANIFEST_NAME)), key).toString('base64') }
  const signatures = [...signaturesOf(dir).filter((other) => other.key !== id), signature]
  return `${JSON.stringify({ version: SIGNATURES_VERSION, signatures }, null, 2)}\n`
}

/** The signatures beside the manifest in a folder. Throws InputError where the file is none of theirs. */
export function signaturesOf(dir: string): readonly Signature[] {
  const path = join(dir, SIGNATURES_NAME)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  // A pipe or a device may have no end.
  if (!found.isFile()) throw new InputError('is no plain file', { position: { file: path }, hint: 'remove it, and sign the result again' })
  const fail = (cause?: unknown): never => { throw new InputError('is no file of signatures', { position: { file: path }, hint: 'remove it, and sign the result again', cause }) }
  let value: { readonly version?: unknown; readonly signatures?: unknown } | null
  try {
    value = JSON.parse(allowedToRead(path, () => bytesOf(path)).toString('utf8')) as typeof value
  } catch (error) {
    return fail(error)
  }
  const list = value?.version === SIGNATURES_VERSION && Array.isArray(value.signatures) ? value.signatures as readonly Partial<Signature>[] : fail()
  return list.every((one) => typeof one?.key === 'string' && one.algorithm === ALGORITHM && typeof one.signature === 'string') ? list as readonly Signature[] : fail()
}

/** What became of each signature beside a manifest, by the public keys that are given. Throws as `signaturesOf`. */
export function checkSignatures(dir: string, keys: readonly Key[]): SignatureCheck[] {
  const manifest = bytesOf(join(dir, MANIFEST_NAME))
  return signaturesOf(dir).map(({ key: id, signature }) => {
    const own = keys.find((key) => key.id === id)
    if (own === undefined) return { key: id, state: 'unchecked' }
    return { key: id, state: verify(null, manifest, own.key, Buffer.from(signature, 'base64')) ? 'good' : 'bad' }
  })
}
