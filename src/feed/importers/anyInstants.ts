import { InstantReader } from '../mapping/instants.ts'
import { ANY_UNIT } from '../mapping/mapping.ts'

/** Reads the times of the column at a place: timestamps, numbers in the unit that they tell by their size, and ISO 8601, where a time without a zone is one of `zone`. */
export const anyInstants = (place: number, zone: string | null): InstantReader =>
  new InstantReader([{ column: '', unit: ANY_UNIT, zone, pattern: null, repeated: null }], { place: () => place, any: (make) => make() })
