import { NONE } from '../../../unit/none.ts'
import { cheapTermsTag, type SignedTerms, termsNumbers } from '../protocol/terms.ts'

/** So many terms are kept before all are let go. Between a signature and its check lie the messages of a moment. */
const KEPT_MAX = 4_096

/** Fingerprints of the terms that were signed last. Terms are found by a cheap fingerprint, and are the same when all of their fields are. */
export class KeptTags {
  private readonly terms = new Map<number, { readonly numbers: Float64Array; readonly legs: Int32Array; readonly tag: number }>()

  /** The fingerprint of these terms, −1 where it is not kept. */
  find(terms: SignedTerms): number {
    const kept = this.terms.get(cheapTermsTag(terms))
    return kept !== undefined && areNumbers(termsNumbers(terms), kept.numbers) && areLegs(terms, kept.legs) ? kept.tag : NONE
  }

  /** Keeps a fingerprint, and returns it. */
  keep(terms: SignedTerms, tag: number): number {
    if (this.terms.size === KEPT_MAX) this.terms.clear()
    this.terms.set(cheapTermsTag(terms), { numbers: termsNumbers(terms).slice(), legs: terms.legs.slice(0, terms.legCount * 2), tag })
    return tag
  }
}

function areNumbers(numbers: Float64Array, kept: Float64Array): boolean {
  for (let i = 0; i < kept.length; i++) if (numbers[i] !== kept[i]) return false
  return true
}

/** Precondition: there are as many as `legCount` says. */
function areLegs({ legs }: SignedTerms, kept: Int32Array): boolean {
  for (let i = 0; i < kept.length; i++) if (legs[i] !== kept[i]) return false
  return true
}
