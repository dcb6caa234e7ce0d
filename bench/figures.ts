/** With an earlier run's a speed is compared as a multiple of the calibration loop's, a ratio by itself, wall time and programs of others never. */
export type ComparedBy = 'calibration' | 'itself' | 'nothing'

/** What a program measures. */
export interface FigureSpec {
  readonly key: string
  /** Row of the table. */
  readonly name: string
  readonly unit: string
  readonly better: 'more' | 'less'
  readonly comparedBy: ComparedBy
}

/** What was measured, round by round. */
export interface Figure extends FigureSpec {
  readonly values: readonly number[]
  /** Speed of the calibration loop just before each value, million steps per CPU-second. */
  readonly calibration: readonly number[]
}

export interface Range {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** Median, lowest and highest of one or more values; of an even number the median is the mean of the middle two. */
export function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return { median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2, low: sorted[0]!, high: sorted.at(-1)! }
}

/**
 * What the slower of two programs spends on a request beyond the faster, µs, round by round. Both are given as requests per CPU-second of
 * the same rounds.
 */
export const costsUs = (slower: Figure, faster: Figure): number[] =>
  slower.values.map((rate, round) => 1e6 / rate - 1e6 / faster.values[round]!)

/** A program as often as it is run: what one run gave, by key. */
export interface Program {
  readonly name: string
  readonly figures: readonly FigureSpec[]
  readonly run: () => Readonly<Record<string, number>>
}

/** Runs the programs in turn, round after round, each after the calibration loop. */
export function measure(
  programs: readonly Program[], rounds: number, calibrate: () => number, say: (line: string) => void = () => {},
): Figure[] {
  const begun = (spec: FigureSpec) => ({ ...spec, values: [] as number[], calibration: [] as number[] })
  const figures = programs.map((program) => program.figures.map(begun))
  for (let round = 1; round <= rounds; round++) {
    programs.forEach((program, i) => {
      say(`round ${round} of ${rounds}: ${program.name}`)
      const calibration = calibrate()
      const reading = program.run()
      for (const figure of figures[i]!) {
        const value = reading[figure.key]
        if (value === undefined) throw new Error(`${program.name} gave no ${figure.key}`)
        figure.values.push(value)
        figure.calibration.push(calibration)
      }
    })
  }
  return figures.flat()
}
