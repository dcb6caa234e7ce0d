import type { HeaderPairs } from './exchange.ts'

/** All values of a header, whose name is given in lower case. */
export const valuesOf = (headers: HeaderPairs, name: string): readonly string[] => headers.filter(([one]) => one === name).map(([, value]) => value)
