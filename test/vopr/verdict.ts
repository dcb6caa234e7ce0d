/** What the simulated world found, as `run.ts` prints it. */
export interface Verdict {
  readonly seeds: number
  readonly cpuSeconds: number
  readonly check: string
  /** Its first line. */
  readonly about: string
}

/** How a search for faults ended: with a verdict, with `nothing`, or broken off, which says nothing about faults. `last`: the last line that it printed, or the last that names an error. */
export type SearchEnd = Verdict | 'nothing' | { readonly brokenOff: number | string; readonly last: string }

/** @param ended the exit code, or the signal. */
export function searchEndOf(ended: number | string, output: string): SearchEnd {
  const [, seeds, cpuSeconds, check, about] = /after (\d+) seeds and (\d+) s of CPU time.*\n {2}([\w ]+): (.*)/.exec(output) ?? []
  if (ended === 1 && check !== undefined) return { seeds: Number(seeds), cpuSeconds: Number(cpuSeconds), check, about: about! }
  if (ended === 0) return 'nothing'
  const lines = output.trimEnd().split('\n')
  return { brokenOff: ended, last: lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1)! }
}

export const isVerdict = (end: SearchEnd): end is Verdict => typeof end === 'object' && 'check' in end

/** What a fault has in common with the same one elsewhere: its check, and its words without their numbers. */
export const kindOf = ({ check, about }: Pick<Verdict, 'check' | 'about'>): string => `${check} ${about.split('\n')[0]!.replaceAll(/[\da-f]{12}|\d+/g, '#').slice(0, 60)}`

/** Whether a verdict is about a planted fault: the same seed, played without the fault, must have come to its end and not say the same. */
export const isOfPlanted = (verdict: Verdict, without: SearchEnd): boolean => without === 'nothing' || (isVerdict(without) && kindOf(without) !== kindOf(verdict))
