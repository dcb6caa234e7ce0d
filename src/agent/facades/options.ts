import { nearestName } from '../../unit/nearestName.ts'
import { twiceE6Of } from '../../market/priceMoves.ts'
import type { PriceOptions, WatchTerms } from '../makerDesk.ts'
import type { PriceWatchTerms } from '../makerPort.ts'
import { type Method, NUMBERS, refuse, shownValue } from '../refuse.ts'
import type { PriceType } from '../vocabulary.ts'
import { isObject } from './facade.ts'

/** Taken before strategies can touch anything. */
const { keys } = Object

export const PRICE_OPTIONS = ['priceType', 'maxAgeUs'] as const
export const WATCH_TERMS = ['priceType', 'movedBy'] as const
export const QUOTE_TERMS = ['probability', 'validUs', 'fair', 'fairProduct'] as const
export const BID_TERMS = ['priceMicros', 'probability', 'validUs', 'fair', 'fairProduct'] as const
export const LAY_OFF_TERMS = ['betMicros', 'minOddsE4', 'decideInUs'] as const
export const REQUEST_TERMS = ['betMicros', 'minOddsE4', 'decideInUs'] as const

/** Refuses what is no map of options. */
export function checkMap(given: object, known: readonly string[], method: Method): void {
  if (!isObject(given)) refuse(`expected { ${known.join(', ')} }, not ${shownValue(given)}`, method)
}

/**
 * Refuses options whose names are not known. Precondition: `count` of those that are known have values. Counting is all that a right call costs:
 * names are looked at when there are more of them.
 */
export function checkKeys(given: object, count: number, known: readonly string[], method: Method): void {
  if (keys(given).length > count) refuseUnknown(given, known, method)
}

/** Refuses an option whose name is not known, if there is one. */
export function refuseUnknown(given: object, known: readonly string[], method: Method): void {
  for (const key of keys(given)) {
    if (known.includes(key)) continue
    const near = nearestName(key, known)
    refuse(`there is no option ${key.slice(0, 100)}${near === undefined ? `: there are ${known.join(', ')}` : `; did you mean ${near}?`}`, method)
  }
}

const isPriceType = (text: unknown): text is PriceType => text === 'mid' || text === 'ask' || text === 'bid'

/**
 * Refuses options of a price that are none: without an age every price would be young enough. `priceType` and `ageUs` are what has been read from
 * them, once.
 */
export function checkPrice(options: PriceOptions, priceType: PriceType, ageUs: number, method: Method): void {
  if (!isPriceType(priceType)) {
    refuseUnknown(options, PRICE_OPTIONS, method)
    refuse(`a priceType is bid, mid or ask, not ${typeof priceType === 'string' ? `'${priceType as string}'` : 'something else'}`, method)
  }
  if (!(ageUs >= 0)) {
    refuseUnknown(options, PRICE_OPTIONS, method)
    checkAge(ageUs, method)
  }
  checkKeys(options, PRICE_OPTIONS.length, PRICE_OPTIONS, method)
}

/** The terms of a watch, each read once. Refuses what are none. */
export function watchTerms(given: WatchTerms, method: Method): PriceWatchTerms {
  checkMap(given, WATCH_TERMS, method)
  const { priceType, movedBy } = given
  if (!isPriceType(priceType) || !(typeof movedBy === 'number' && movedBy >= 1e-6 && movedBy <= 1)) {
    refuseUnknown(given, WATCH_TERMS, method)
    if (!isPriceType(priceType)) refuse('a priceType is bid, mid or ask', method)
    refuse(`movedBy is a probability from 0.000001 to 1, not ${shownValue(movedBy)}`, method)
  }
  checkKeys(given, WATCH_TERMS.length, WATCH_TERMS, method)
  return { priceType, byTwiceE6: twiceE6Of(movedBy) }
}

/** Refuses an age of prices that is none. */
export function checkAge(ageUs: number, method: Method): void {
  if (!(ageUs >= 0)) refuse(`maxAgeUs is a number of µs from 0 on, not ${ageUs}: ${NUMBERS}`, method)
}

/** Most numbers of one line of a log. */
const LOGGED_MAX = 16

type LoggedNumber = readonly [name: string, value: number]

/** What a line without numbers has. */
const NO_NUMBERS: readonly LoggedNumber[] = [['', NaN]]

/** The numbers of a line of a log with their names, of a line without numbers '' and NaN. Refuses what is no line. */
export function loggedNumbers(line: string, values: Readonly<Record<string, number>> | undefined, method: Method): readonly LoggedNumber[] {
  if (typeof line !== 'string') refuse(`a line of a log is a text, not ${shownValue(line)}`, method)
  if (values === undefined) return NO_NUMBERS
  if (!isObject(values)) refuse(`the numbers of a line stand in a map, as { fair: 0.4 }, not ${shownValue(values)}`, method)
  const numbers: LoggedNumber[] = []
  for (const name of keys(values)) {
    const value = values[name]!
    if (typeof value !== 'number') refuse(`${name.slice(0, 100)} of a log is a number, not ${shownValue(value)}`, method)
    if (numbers.push([name, value]) > LOGGED_MAX) refuse(`a line of a log has ${LOGGED_MAX} numbers at most`, method)
  }
  return numbers.length === 0 ? NO_NUMBERS : numbers
}
