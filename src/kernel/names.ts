import { fnv1a } from '../unit/fnv1a.ts'

/** A participant's number for keyed draws: a hash of its name, so that no other participant moves it. */
export const entityOfName = (name: string): number => fnv1a(name) >>> 0
