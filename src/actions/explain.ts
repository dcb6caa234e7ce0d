import { type Explanation, explainRequest } from '../report/explain.ts'
import { reading, unnamedNote } from '../result/check.ts'
import { isServedId, requestOfId } from '../serve/servedIds.ts'
import { InputError } from '../unit/inputError.ts'
import { type ActionOptions, acting, sayOf } from './options.ts'

/**
 * Tells the story of one request of a run: who saw what when, each price beside the reference, why each quote won or lost, and the money.
 *
 * @param folder the folder of a run
 * @param request the number of a request or an RFQ; in a run with both services `parlay:NUMBER` or `outcome:NUMBER`; in a served run also an id that
 * a client had
 * @returns the story as data
 * @throws InputError where there is no such request
 * @throws RunFailure of the kind `damaged` where a file of the run is not as it was written
 * @example
 * const { outcome, quotes } = await explain('runs/quickstart', 12)
 */
export const explain = (folder: string, request: number | string, options: Pick<ActionOptions, 'onNote'> = {}): Promise<Explanation> => acting(async () => {
  const id = String(request)
  const colon = id.indexOf(':')
  const service = colon < 0 ? null : id.slice(0, colon)
  const text = id.slice(colon + 1)
  const note = unnamedNote(folder)
  if (note !== null) sayOf(options)(note)
  return reading(folder, (from) => {
    const named = isServedId(text) ? requestOfId(from, text, service) : { request: numberOf(text), service }
    return explainRequest(from, named.request, named.service)
  })
})

function numberOf(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(number)) throw new InputError(`expected the number of a request, a whole number, got ${text}`)
  return number
}
