import type { Hex } from 'viem'
import { Side } from '../../../market/sides.ts'
import { assert, Bug } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { isoOfTimeUs } from '../../../unit/time.ts'
import { viemUtils } from './viemUtils.ts'

const INTEGER = /^(0|[1-9][0-9]*)$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** A safe integer ≥ 0 out of a decimal string without sign or leading zeros, else null; a JSON number is none (OM-022). */
export function integerOf(value: unknown): number | null {
  if (typeof value !== 'string' || !INTEGER.test(value)) return null
  const integer = Number(value)
  return Number.isSafeInteger(integer) ? integer : null
}

/** A large number as a decimal string: amounts in atomic units of USDC, chain, block, sequence (OM-022, OM-023). */
export function integerText(value: number): string {
  assert(Number.isSafeInteger(value) && value >= 0, 'not a number of the wire')
  return String(value)
}

/** The same, or null where there is none (−1). */
export const integerOrNull = (value: number): string | null => (value === NONE ? null : integerText(value))

/** A whole number ≥ 0 of the body that is no amount: unix seconds of signed terms (OM-032), a generation, days. */
export const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0) ? value : null

/** An instant in µs as RFC 3339 in UTC (OM-031). */
export const timestampText = (us: number): string => isoOfTimeUs(us)

/** The same, or null where there is none (−1). */
export const timestampOrNull = (us: number): string | null => (us === NONE ? null : isoOfTimeUs(us))

/** A lowercase 0x text of so many bytes (OM-029), else null. */
export const hexOf = (value: unknown, bytes: number): Hex | null =>
  typeof value === 'string' && value.length === 2 + 2 * bytes && /^0x[0-9a-f]*$/.test(value) ? value as Hex : null

/**
 * The lowercase address of an input (OM-027, OM-028): lowercase hex, or mixed case whose checksum is right (EIP-55). Null for
 * everything else, a wrong checksum too.
 */
export function addressOfInput(value: unknown): Hex | null {
  if (typeof value !== 'string' || !ADDRESS.test(value)) return null
  const lower = value.toLowerCase() as Hex
  return value === lower || value === viemUtils().getAddress(lower) ? lower : null
}

/** `inFlight` as `IN_FLIGHT`: enum values are upper snake case (OM-033). */
export const upperSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** What the values of an enumeration are called on the wire. */
export const wireNames = (values: Readonly<Record<string, number>>): Readonly<Record<number, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [value, upperSnake(name)]))

/** The name of a value; a value without one is a bug. */
export function named(names: Readonly<Record<number, string>>, value: number): string {
  const name = names[value]
  if (name === undefined) throw new Bug(`value ${value} has no name among ${Object.values(names).join(', ')}`)
  return name
}

/** For readers: the value with that name, or undefined for one that they do not know and so pass over (OM-034). */
export function valueOf(names: Readonly<Record<number, string>>, name: unknown): number | undefined {
  const entry = Object.entries(names).find(([, known]) => known === name)
  return entry === undefined ? undefined : Number(entry[0])
}

export const SIDE_NAMES = wireNames(Side)

/** A `Side` of a leg that is sent: `YES` or `NO` in upper case (OM-025, OM-026), else null. */
export const sideOf = (value: unknown): number | null => valueOf(SIDE_NAMES, value) ?? null
