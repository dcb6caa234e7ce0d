import { InputError } from '../src/unit/inputError.ts'
import { type Figure, rangeOf } from './figures.ts'
import type { Results } from './results.ts'

/** There is a warning for a figure that lost more than this share of its speed. */
export const FALL_MAX = 0.25
/** Rounds from which on a median leaves an outlier out. */
const ROUNDS_MIN = 3

type RunSize = Pick<Results, 'requests' | 'rounds' | 'isQuick'>

/** Throws InputError for an earlier run, read from `file`, that cannot be compared with one of another size. */
export function refuseUnlike({ requests, rounds, isQuick }: RunSize, now: RunSize, file: string): void {
  const isAlike = requests === now.requests && rounds === now.rounds && isQuick === now.isQuick
  if (isAlike && rounds >= ROUNDS_MIN) return
  const size = `its figures are of ${requests} requests and ${rounds} rounds${isQuick ? ', --quick' : ''}`
  throw new InputError(rounds < ROUNDS_MIN ? `${size}: only ${ROUNDS_MIN} rounds or more compare` : `${size}: run as many to compare`, {
    position: { file },
  })
}

/** Median of a figure's speed over its rounds, in what it is compared by. */
function speedOf({ values, calibration, better, comparedBy }: Figure): number {
  const speeds = values.map((value) => (better === 'more' ? value : 1 / value))
  return rangeOf(comparedBy === 'calibration' ? speeds.map((speed, round) => speed / calibration[round]!) : speeds).median
}

/** Part of the earlier speed that is lost; below 0 where it grew. */
export const fallOf = (now: Figure, earlier: Figure): number => 1 - speedOf(now) / speedOf(earlier)

/**
 * Compares figures with those of an earlier run that have the same keys, where they are compared at all. `again` measures a figure that fell
 * too far once more, and a line says so if it then fell too far again.
 */
export function warningsOf(figures: readonly Figure[], earlier: readonly Figure[], again: (figure: Figure) => Figure): string[] {
  return figures.filter(({ comparedBy }) => comparedBy !== 'nothing').flatMap((figure) => {
    const before = earlier.find(({ key }) => key === figure.key)
    if (before === undefined || fallOf(figure, before) <= FALL_MAX) return []
    const fall = fallOf(again(figure), before)
    return fall <= FALL_MAX ? [] : [`warning: ${figure.name} (${figure.unit}) fell by ${Math.round(fall * 100)} %`]
  })
}
