import { checkSignatures, readPublicKey } from '../result/signatures.ts'
import { InputError } from '../unit/inputError.ts'
import { type Check, checkOf } from './check.ts'

/** Letters of a key's id that people are shown. */
const ID_LETTERS = 16
export const shownKey = (id: string): string => id.slice(0, ID_LETTERS)

/** The signatures of a run's manifest, held against public keys in PEM files: each key that is given must have signed. Throws InputError for what is no key. */
export function signatureChecks(dir: string, keyPaths: readonly string[]): Check[] {
  const keys = keyPaths.map((path) => ({ path, ...readPublicKey(path) }))
  try {
    const signatures = checkSignatures(dir, keys)
    const unsigned = keys.filter(({ id }) => signatures.every(({ key }) => key !== id))
    const signers = signatures.length === 0 ? 'by nobody' : `by ${signatures.map(({ key }) => `key ${shownKey(key)}`).join(', ')}`
    return [
      ...signatures.map(({ key, state }) => {
        const name = `signed by ${shownKey(key)}`
        if (state === 'unchecked') return checkOf(name, 'same', 'not checked: only a public key that did not come with the run proves anything (--key)')
        return state === 'good' ? checkOf(name, 'same', 'the manifest, as it is') : checkOf(name, 'differs', 'another manifest than this one')
      }),
      ...unsigned.map(({ path, id }) => checkOf(`signed by ${shownKey(id)}`, 'differs', `not signed by ${path}: the manifest is signed ${signers}`)),
    ]
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return [checkOf('signatures', 'differs', error.describe())]
  }
}
