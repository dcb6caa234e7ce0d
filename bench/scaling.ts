// How the cost of a session grows with requests, makers, markets and open positions:
// `npm run bench:scaling [-- --axis requests,makers] [--to 1e7] [--rounds 1] [--service outcome] [--pictures DIR]`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { RUNNER } from './room.ts'
import { AXES, type Axis } from './scaling/axes.ts'
import { costPicture, memoryPicture } from './scaling/picture.ts'
import { least, type Point } from './scaling/point.ts'
import { tableText } from './scaling/table.ts'

const { values: options } = parseArgs({
  options: {
    axis: { type: 'string' }, to: { type: 'string' }, rounds: { type: 'string', default: '3' }, service: { type: 'string', default: 'parlay' },
    pictures: { type: 'string' },
  },
})
const { service } = options
if (service !== 'parlay' && service !== 'outcome') throw new Error(`--service is parlay or outcome, not ${service}`)
const named = options.axis?.split(',') ?? AXES.map(({ name }) => name)
const unknown = named.find((name) => AXES.every((axis) => axis.name !== name))
if (unknown !== undefined) throw new Error(`--axis is some of ${AXES.map(({ name }) => name).join(', ')}, not ${unknown}`)
const most = options.to === undefined ? null : Number(options.to)

const program = fileURLToPath(new URL('scaling/point.ts', import.meta.url))

function pointOf({ name }: Axis, size: number): Point {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', RUNNER, program, name, String(size), service!], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} ${size}: ${stderr}`)
  return JSON.parse(stdout) as Point
}

for (const axis of AXES.filter(({ name }) => named.includes(name))) {
  const { name, sizes, usualMax, outcomeMax } = axis
  const max = most ?? (service === 'outcome' ? outcomeMax : usualMax)
  const played = sizes.filter((size) => size <= max)
  const found = played.map((): Point[] => [])
  // In turns, so that other load of the machine affects all alike. Sizes that take minutes are played once.
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [i, size] of played.entries()) if (round === 0 || size <= usualMax) found[i]!.push(pointOf(axis, size))
  }
  const points = found.map(least)
  console.log(`${service} service by ${name}\n${tableText(axis, points)}\n`)
  if (options.pictures === undefined) continue
  mkdirSync(options.pictures, { recursive: true })
  writeFileSync(join(options.pictures, `scaling-${name}.svg`), costPicture(axis, points))
  if (name === 'requests') writeFileSync(join(options.pictures, 'scaling-memory.svg'), memoryPicture(axis, points))
}
