/**
 * The key of draws about a request, in one number: the place of its source (drawSources.ts) and the arrival within that source, so that no
 * other source moves the draws. The place only carries the key: the draw uses the source's name.
 */
export const drawKey = (source: number, arrival: number): number => source * ARRIVALS + arrival

/** The place of the source in a key; cut to an integer, as what it is an index of wants it. */
export const sourceOfKey = (key: number): number => (key * PER_ARRIVALS) | 0

/** The arrival in a key, given its source's place. */
export const arrivalOfKey = (key: number, source: number): number => key - source * ARRIVALS

/**
 * Stands for the arrival in the key of the `nth` request, from 1, that lays off a fill of `arrival`. There is room for sixteen. The
 * seventeenth has the draws of the first.
 */
export const arrivalOfLayOff = (arrival: number, nth: number): number => (arrival + nth * LAY_OFF) % ARRIVALS

/**
 * What tells a request from the others of its cohort, whoever else plays: its arrival. Of a request that lays off it is what stands for the arrival,
 * behind the number of the cohort at its root.
 */
export const arrivalAmong = (root: number, arrival: number, isLayOff: boolean): number => (isLayOff ? root * ARRIVALS + arrival : arrival)

/** More than the arrivals of a cohort; powers of two keep the arithmetic exact. */
const ARRIVALS = 2 ** 40
const PER_ARRIVALS = 2 ** -40
/** Above any arrival of bettors. */
const LAY_OFF = 2 ** 36
/** Places that fit in a key. */
export const SOURCES_MAX = 2 ** 13
