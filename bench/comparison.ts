import { type Figure, rangeOf } from './figures.ts'

/** A figure that lost more than this of its speed is warned of. */
export const FALL_MAX = 0.25

/** Median of a figure's speed over its rounds, in what it is compared by. */
function speedOf({ values, calibration, better, comparedBy }: Figure): number {
  const speeds = values.map((value) => (better === 'more' ? value : 1 / value))
  return rangeOf(comparedBy === 'calibration' ? speeds.map((speed, round) => speed / calibration[round]!) : speeds).median
}

/** Part of the earlier speed that is lost; below 0 where it grew. */
export const fallOf = (now: Figure, earlier: Figure): number => 1 - speedOf(now) / speedOf(earlier)

/**
 * Compares figures that are compared at all with those of an earlier run that have the same keys. One that fell too far is measured
 * once more by `again`, and a line says so if it then fell too far again.
 */
export function warningsOf(figures: readonly Figure[], earlier: readonly Figure[], again: (figure: Figure) => Figure): string[] {
  return figures.filter(({ comparedBy }) => comparedBy !== 'nothing').flatMap((figure) => {
    const before = earlier.find(({ key }) => key === figure.key)
    if (before === undefined || fallOf(figure, before) <= FALL_MAX) return []
    const fall = fallOf(again(figure), before)
    return fall <= FALL_MAX ? [] : [`warning: ${figure.name} (${figure.unit}) fell by ${Math.round(fall * 100)} %`]
  })
}
