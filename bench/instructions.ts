// Instructions and cache misses of a request, simulated by valgrind. They hardly depend on the machine, and repeat within some 5 %.
// `node tools/bundle/run.mjs bench/instructions.ts [--service outcome] [--record digest|tables] [--gate] [--answers] [--v8=FLAGS]`, some four minutes;
// `--costs [--service outcome]`, five times that, for what each part of the engine adds. `--play N` is what valgrind runs, FLAGS are
// switches of V8 that it runs with.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { widenInlining } from '../src/cli/v8.ts'
import { assert } from '../src/unit/assert.ts'
import { COUNTS, simulate } from './cachegrind.ts'
import { Measured, PART_OPTIONS, type Parts } from './measured.ts'
import { Room, works } from './room.ts'

/** Sessions that warm the compiler up, and the two sizes whose difference counts, so that the cost of the beginning cancels. */
const WARM = [12_000, 12_000]
const SIZES = [3_000, 13_000] as const

const RECORDED: Readonly<Record<string, string>> = { none: 'no sink', digest: 'digest', tables: 'all tables and digest' }

const nameOf = ({ service, record, gate, answers }: Parts): string =>
  `${service} service${gate ? ' behind its gate' : ''}, ${RECORDED[record]}${answers ? ', answers given' : ''}`

const argsOf = ({ service, record, gate, answers }: Parts): string[] =>
  ['--service', service, '--record', record, ...(gate ? ['--gate'] : []), ...(answers ? ['--answers'] : [])]

/** COUNTS of a request. */
async function countsOf(parts: Parts, v8: readonly string[]): Promise<number[]> {
  const room = new Room()
  try {
    const script = fileURLToPath(import.meta.url)
    const [few, many] = await Promise.all(SIZES.map((size) => simulate(room, String(size), v8, script, ['--play', String(size), ...argsOf(parts)])))
    return many!.map((count, i) => Math.round((count - few![i]!) / (SIZES[1] - SIZES[0])))
  } finally {
    room.close()
  }
}

const NAME_WIDTH = 50
const line = (cells: readonly (string | number)[], name = ''): string => name.padEnd(NAME_WIDTH) + cells.map((cell) => String(cell).padStart(8)).join('')

/** What each part adds to a request, by counts with it and without. */
async function showCosts(service: string, v8: readonly string[]): Promise<void> {
  const plain: Parts = { service, record: 'none', gate: false, answers: false }
  const rows: [cost: string, more: Parts, less: Parts][] = [
    ['strategy callbacks', plain, { ...plain, answers: true }],
    ['digest', { ...plain, record: 'digest' }, plain],
    ['all tables', { ...plain, record: 'tables' }, { ...plain, record: 'digest' }],
  ]
  if (service === 'parlay') rows.push(['gate', { ...plain, gate: true }, plain])
  const counted = new Map<string, number[]>()
  console.log(line(COUNTS, 'compiled JavaScript, counts of a request'))
  for (const parts of rows.flatMap(([, more, less]) => [more, less])) {
    if (counted.has(nameOf(parts))) continue
    counted.set(nameOf(parts), await countsOf(parts, v8))
    console.log(line(counted.get(nameOf(parts))!, nameOf(parts)))
  }
  console.log('by difference')
  for (const [cost, more, less] of rows) console.log(line(counted.get(nameOf(more))!.map((count, i) => count - counted.get(nameOf(less))![i]!), cost))
}

const { values: { play, costs, v8: flags, ...parts } } =
  parseArgs({ options: { ...PART_OPTIONS, v8: { type: 'string', default: '' }, costs: { type: 'boolean', default: false }, play: { type: 'string' } } })
const v8 = flags.split(' ').filter((flag) => flag !== '')
if (play !== undefined) {
  widenInlining()
  const room = new Room()
  try {
    const measured = new Measured(SIZES[1], parts, room.dir)
    for (const requests of [...WARM, Number(play)]) measured.playFirst(requests)
  } finally {
    room.close()
  }
} else if (!works('valgrind', ['--version'])) console.error('left out: there is no valgrind here')
else if (costs) {
  assert(parts.record === 'none' && !parts.gate && !parts.answers, '--costs counts with each part and without')
  await showCosts(parts.service, v8)
} else {
  const counts = await countsOf(parts, v8)
  console.log(`${nameOf(parts)}, compiled JavaScript, counts of a request`)
  for (const row of [COUNTS, counts]) console.log(row.map((cell) => String(cell).padStart(8)).join(''))
}
