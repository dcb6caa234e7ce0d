// Where the CPU time of a sweep's session goes, ms in the thread that plays it: `node tools/bundle/run.mjs bench/sweepParts.ts SCENARIO [SESSIONS [WARM]]`.
// Sessions are played as a worker plays them, in this thread, after WARM others (default 24) that are not counted. The last figure is a hash of all
// digests and scores, which is the same where nothing but speed has changed.
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { enlargeWorkerHeaps } from '../src/cli/v8.ts'
import { Session } from '../src/engine/session.ts'
import { Digest } from '../src/record/digest.ts'
import { Recorder } from '../src/record/recorder.ts'
import { ownSourceTree } from '../src/scenario/run.ts'
import { importOf } from '../src/scenario/strategies.ts'
import { OpenBooks } from '../src/score/openBook.ts'
import { Points } from '../src/sweep/points.ts'
import { playSession, type SessionOrder } from '../src/sweep/session.ts'
import { seedOf } from '../src/sweep/task.ts'
import { taskIdOf, withSeed } from '../src/sweep/taskIdentity.ts'
import { assert } from '../src/unit/assert.ts'

const PARTS = ['build', 'play', 'digest', 'record', 'turns', 'finish', 'gather', 'worst joint loss'] as const
type Part = (typeof PARTS)[number]

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Charges the thread's time to the part that is entered last. */
class Clock {
  readonly ms = new Map<Part, number>(PARTS.map((part) => [part, 0]))
  private readonly entered: Part[] = []
  private lastMs = threadMs()

  enter(part: Part): void {
    this.charge()
    this.entered.push(part)
  }

  leave(): void {
    this.charge()
    this.entered.pop()
  }

  /** What lies between parts is from now on this one. */
  between(part: Part): void {
    this.charge()
    this.entered[0] = part
  }

  private charge(): void {
    const nowMs = threadMs()
    const part = this.entered.at(-1)
    if (part !== undefined) this.ms.set(part, this.ms.get(part)! + nowMs - this.lastMs)
    this.lastMs = nowMs
  }
}

const clock = new Clock()

/** From now on the time of a class's method is charged to a part, and what follows it to another. */
function timed<N extends string>({ prototype }: { readonly prototype: Record<N, (...args: never[]) => unknown> }, name: N, part: Part, next?: Part): void {
  const method = prototype[name] as (...args: unknown[]) => unknown
  prototype[name] = function (this: unknown, ...args: unknown[]) {
    clock.enter(part)
    try {
      return method.apply(this, args)
    } finally {
      clock.leave()
      if (next !== undefined) clock.between(next)
    }
  } as typeof prototype[N]
}

timed(Session, 'run', 'play', 'turns')
timed(Digest, 'flush', 'digest')
timed(Digest, 'finish', 'digest')
timed(Recorder, 'flush', 'record')
timed(Recorder, 'finish', 'finish', 'gather')
timed(OpenBooks, 'worstLoss', 'worst joint loss')

enlargeWorkerHeaps()
const [scenario = 'scenarios/quickstart.yaml', sessions = '20', warm = '24'] = process.argv.slice(2)
const points = new Points(importOf(false))
const sourceTree = ownSourceTree()
const hash = createHash('sha256')

async function play(seed: string): Promise<void> {
  const spec = { scenario: resolve(scenario), set: [], seed }
  const id = taskIdOf(withSeed(await points.of(spec), seed), sourceTree)
  const order: SessionOrder = { spec, id, sourceTree, name: id, ticks: null, twice: false, isTrusted: false }
  clock.enter('build')
  const answer = await playSession({ points, sourceTree, begins: () => {} }, order)
  clock.leave()
  assert(answer.kind === 'played', 'a session of the bench has a result')
  hash.update(JSON.stringify([answer.digest, answer.scores.map(({ sums, values, ...rest }) => ({ ...rest, sums: [...sums], values: [...values] }))]))
}

for (let i = 1; i <= Number(warm); i++) await play(seedOf('bench', i))
clock.ms.clear()
for (const part of PARTS) clock.ms.set(part, 0)
const before = process.cpuUsage()
for (let i = 1; i <= Number(sessions); i++) await play(seedOf('bench', Number(warm) + i))
const { user, system } = process.cpuUsage(before)
const ms = (all: number): string => (all / Number(sessions)).toFixed(1)
const ofThread = [...clock.ms.values()].reduce((sum, part) => sum + part, 0)
console.log([...[...clock.ms].map(([part, all]) => `${part} ${ms(all)}`), `thread ${ms(ofThread)}`, `with V8's threads ${ms((user + system) / 1000)}`, hash.digest('hex').slice(0, 12)].join(', '))
