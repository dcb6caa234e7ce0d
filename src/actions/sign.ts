import { acting } from './options.ts'

/** A run that was signed. */
export interface SignedRun {
  /** Id of the key: the SHA-256 of the public key as DER, 64 hex digits. */
  readonly key: string
}

/**
 * Signs the manifest of a run with an Ed25519 key, beside the signatures that it has (docs/verify.md).
 *
 * @param folder the folder of a run
 * @param key file of the private key (PEM, PKCS #8), as `openssl genpkey -algorithm ed25519` makes it
 * @returns the id of the key
 * @throws InputError for a folder without a run, and for a key that cannot sign
 * @throws RunFailure of the kind `damaged` where a file is not as it was written
 * @example
 * const { key } = await sign('runs/quickstart', 'key.pem')
 */
export const sign = (folder: string, key: string): Promise<SignedRun> => acting(async () => {
  const [{ readPrivateKey }, { signRun }] = await Promise.all([import('../result/signatures.ts'), import('../proof/sign.ts')])
  const read = readPrivateKey(key)
  await signRun(folder, read)
  return { key: read.id }
})
