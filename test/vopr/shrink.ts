import type { Json, Written } from './dice.ts'

/** Whether a smaller scenario fails as the whole one did. */
export type StillFails = (scenario: Written) => Promise<boolean>

/**
 * The smallest scenario found that still fails: parts are left out, then numbers are made smaller, again and again until nothing helps or the
 * time is over. A part that is needed to read the scenario stays, because without it the scenario fails in another way.
 */
export async function shrunk(scenario: Written, stillFails: StillFails, untilMs: number): Promise<Written> {
  let best = scenario
  for (let isSmaller = true; isSmaller && Date.now() < untilMs;) {
    isSmaller = false
    for (const path of pathsOf(best)) {
      if (Date.now() >= untilMs) break
      // What was left out took its own parts with it.
      const there = at(best, path)
      if (there === undefined) continue
      for (const smaller of smallerOf(there)) {
        const candidate = replaced(best, path, smaller) as Written
        if (!(await stillFails(candidate))) continue
        best = candidate
        isSmaller = true
        break
      }
    }
  }
  return best
}

type Path = readonly (string | number)[]
/** A part that is left out. */
const GONE = Symbol('gone')

/** Large parts before their own parts. */
function pathsOf(value: Json, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path]
  if (Array.isArray(value)) return [...own, ...value.flatMap((item, i) => pathsOf(item, [...path, i])).reverse()]
  if (typeof value === 'object') return [...own, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))]
  return own
}

function at(value: Json | undefined, path: Path): Json | undefined {
  let found: Json | undefined = value
  for (const part of path) found = typeof found === 'object' ? (found as Record<string | number, Json>)[part] : undefined
  return found
}

function smallerOf(value: Json): (Json | typeof GONE)[] {
  const smaller: (Json | typeof GONE)[] = [GONE]
  if (typeof value === 'number' && value > 1) smaller.push(1, Math.floor(value / 2))
  const written = typeof value === 'string' ? /^(\d+)(ms|s|m|%| USDC| bps)$/.exec(value) : null
  if (written !== null && Number(written[1]) > 1) smaller.push(`1${written[2]}`, `${Math.floor(Number(written[1]) / 2)}${written[2]}`)
  return smaller
}

function replaced(value: Json, [first, ...rest]: Path, by: Json | typeof GONE): Json {
  if (first === undefined) return by as Json
  const isLast = rest.length === 0
  if (Array.isArray(value)) return value.flatMap((item, i) => (i !== first ? [item] : isLast && by === GONE ? [] : [replaced(item, rest, by)]))
  return Object.fromEntries(Object.entries(value as Written).flatMap(([key, item]): [string, Json][] => (key !== first ? [[key, item]] : isLast && by === GONE ? [] : [[key, replaced(item, rest, by)]])))
}
