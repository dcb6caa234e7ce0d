/**
 * What draws about a request are keyed by, one number: its cohort's place and its arrival within the cohort, so that no other
 * cohort moves them. A place is only how the key is carried: the draw uses the cohort's name.
 */
export const drawKey = (cohort: number, arrival: number): number => cohort * ARRIVALS + arrival

/** The place of the cohort in a key. */
export const cohortOfKey = (key: number): number => Math.floor(key * PER_ARRIVALS)

/** The arrival in a key, given the cohort's place. */
export const arrivalOfKey = (key: number, cohort: number): number => key - cohort * ARRIVALS

/** More than the arrivals of a cohort; powers of two keep the arithmetic exact. */
const ARRIVALS = 2 ** 40
const PER_ARRIVALS = 2 ** -40
