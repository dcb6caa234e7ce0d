import type { Summary } from '../score/summary.ts'

/** The seed of a run, with those that parts of it have of their own: `1 (outcomes 2)`. */
export function seedText({ seed, seeds = {} }: Pick<Summary, 'seed' | 'seeds'>): string {
  const own = Object.entries(seeds).map(([part, other]) => `${part} ${other}`)
  return own.length === 0 ? seed : `${seed} (${own.join(', ')})`
}
