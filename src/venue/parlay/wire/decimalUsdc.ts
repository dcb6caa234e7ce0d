import { USDC } from '../../../unit/micros.ts'
import { assert } from '../../../unit/assert.ts'

/** A JSON number that is written with exactly the given digits, by `JSON.stringify` of Node 22 and later. */
export interface JsonNumber {
  readonly rawJSON: string
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): JsonNumber }

/** microUSDC as decimal USDC without trailing zeros (PQ-023): 98257500 is 98.2575. Exact for every safe integer. */
export function usdcText(micros: number): string {
  assert(Number.isSafeInteger(micros), 'not an amount of microUSDC')
  const size = Math.abs(micros)
  const rest = size % USDC
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(6, '0').replace(/0+$/, '')}`
  return `${micros < 0 ? '-' : ''}${(size - rest) / USDC}${fraction}`
}

/** The same as a number of a JSON body. It never becomes a float, so that no digit is lost above 2⁵³ millionths. */
export const usdcJson = (micros: number): JsonNumber => rawJSON(usdcText(micros))
