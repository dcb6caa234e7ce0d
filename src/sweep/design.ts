import type { Axis, DesignKind } from '../scenario/sweepSchema.ts'
import { POINTS_MAX, valueIn } from '../scenario/sweepSchema.ts'
import { counterUniform } from '../stats/counterUniform.ts'
import { SOBOL_DIMENSIONS_MAX, sobolPoint } from '../stats/sobol.ts'
import { InputError } from '../unit/inputError.ts'

/** Which points a sweep plays. */
export interface Design {
  readonly kind: DesignKind
  readonly axes: readonly Axis[]
  /** Number of points of a random or a Sobol design. */
  readonly points?: number
  /** Seed of random points and of the shift of Sobol points. */
  readonly seed: string
}

/** A point: the value of each axis, in the order of the axes, in the form of `--set`. */
export type Settings = readonly string[]

/** Digits of a value drawn from a range: fine enough, and short enough to type. */
const DRAWN_DIGITS = 6

/** The points of a design, in its order. Throws InputError where the axes do not make one. */
export function pointsOf(design: Design): Settings[] {
  const { kind, axes } = design
  const twice = axes.find(({ path }, i) => axes.findIndex((other) => other.path === path) < i)
  if (twice !== undefined) throw new InputError(`two axes have the path ${twice.path}`)
  if (axes.length === 0) return [[]]
  switch (kind) {
    case 'grid': return grid(axes.map((axis) => valuesOf(axis, kind)))
    case 'list': return list(axes)
    case 'random': return drawn(design, ({ path }) => counterUniform(`design/${design.seed}/${path}`))
    case 'sobol': return sobol(design)
  }
}

/** All combinations of values. The last axis runs fastest. */
function grid(axes: readonly (readonly string[])[]): Settings[] {
  const count = axes.reduce((product, values) => product * values.length, 1)
  if (count > POINTS_MAX) throw new InputError(`the grid has ${count} points, more than ${POINTS_MAX}`, { hint: 'a Sobol design fills many axes with few points' })
  return axes.reduce<Settings[]>((points, values) => points.flatMap((point) => values.map((value) => [...point, value])), [[]])
}

/** The first values of all axes, then the second, … */
function list(axes: readonly Axis[]): Settings[] {
  const values = axes.map((axis) => valuesOf(axis, 'list'))
  const uneven = values.findIndex(({ length }) => length !== values[0]!.length)
  if (uneven >= 0) {
    throw new InputError(`a list needs equally many values on each axis, but ${axes[0]!.path} has ${values[0]!.length} and ${axes[uneven]!.path} has ${values[uneven]!.length}`)
  }
  return values[0]!.map((_, i) => values.map((of) => of[i]!))
}

function sobol(design: Design): Settings[] {
  const { axes, seed } = design
  if (axes.length > SOBOL_DIMENSIONS_MAX) throw new InputError(`a Sobol design has at most ${SOBOL_DIMENSIONS_MAX} axes, got ${axes.length}`)
  const shift = counterUniform(`design/${seed}/sobol`)
  return drawn(design, (_, dimension) => (index) => sobolPoint(index, axes.length, shift)[dimension]!)
}

function drawn({ kind, axes, points }: Design, uniformOf: (axis: Axis, dimension: number) => (index: number) => number): Settings[] {
  if (points === undefined) throw new InputError(`a ${kind} design needs a number of points`, { hint: '--points 32' })
  const uniforms = axes.map(uniformOf)
  return Array.from({ length: points }, (_, index) => axes.map(({ span }, dimension) => {
    const share = uniforms[dimension]!(index)
    return 'values' in span ? span.values[Math.floor(share * span.values.length)]! : valueIn(span, share, DRAWN_DIGITS)
  }))
}

function valuesOf({ path, span }: Axis, kind: DesignKind): readonly string[] {
  if ('values' in span) return span.values
  throw new InputError(`a ${kind} needs values on the axis ${path}, not a whole range`, { hint: `expected a number of values after the range, such as ${valueIn(span, 0, 12)}..${valueIn(span, 1, 12)}:7` })
}
