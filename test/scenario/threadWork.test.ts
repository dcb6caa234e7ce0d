import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { ThreadWork } from '../../src/scenario/threadWork.ts'
import { WorkClock } from '../../src/scenario/workClock.ts'

/** Lets the answer of a thread come. */
const answered = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve) })

/** From one reading to the next: what the thread says that it works, null where it says nothing, what the whole process works, and what is counted, ms. */
it.each([
  ['works alone', 4, 250, 250, 250],
  ['works beside others that work more', 4, 60, 500, 60],
  ['is not let work', 4, 0, 500, 0],
  ['does not answer, alone', 1, null, 250, 250],
  ['does not answer, beside three others', 4, null, 500, 125],
])('a thread that %s has worked as long as it says, or else its share', async (_, threads, workedMs, processMs, countedMs) => {
  const at = { thread: 40, process: 7 }
  const cpuUsage = () => (workedMs === null ? new Promise<never>(() => {}) : Promise.resolve({ user: at.thread * 600, system: at.thread * 400 }))
  const work = new ThreadWork({ cpuUsage }, () => threads, () => at.process)
  await answered()
  const readings: number[] = []
  for (const _reading of [1, 2, 3, 4]) {
    at.thread += workedMs ?? 0
    at.process += processMs
    readings.push(work.cpuMs())
    await answered()
  }
  // The first answer to a reading comes after it.
  const first = workedMs === null ? countedMs : 0
  expect(readings).toEqual([first, first + countedMs, first + 2 * countedMs, first + 3 * countedMs])
})

it('a thread that cannot be asked, before Node 24.6, has its share', () => {
  const at = { process: 0 }
  const work = new ThreadWork({}, () => 2, () => at.process)
  at.process += 400
  expect(work.cpuMs()).toBe(200)
})

it.each([
  ['one of two on two cores', 2, 2, 0, 100], ['one of eight on two cores', 8, 2, 0, 25], ['one of eight on two cores, which works for its part', 8, 2, 90, 90],
])('the clock of %s goes for a thread that is let no core for a quarter of its share of the cores', async (_, threads, cores, workedMs, countedMs) => {
  const at = { wall: 0, thread: 0 }
  const work = new ThreadWork({ cpuUsage: () => Promise.resolve({ user: at.thread * 1000, system: 0 }) }, () => threads, () => 0, cores)
  const clock = new WorkClock({ wallMs: () => at.wall, cpuMs: () => work.cpuMs(), coreShare: () => work.coreShare() })
  await answered()
  at.thread += workedMs
  clock.nowMs()
  await answered()
  at.wall += 400
  expect(clock.nowMs()).toBe(countedMs)
})

it('a thread that was given its share while it did not answer has not worked less by its answer, and works on from what it says', async () => {
  const at = { thread: 0, process: 0 }
  let isSilent = false
  const waiting: (() => void)[] = []
  const told = () => ({ user: at.thread * 1000, system: 0 })
  const cpuUsage = () => (isSilent ? new Promise<NodeJS.CpuUsage>((resolve) => { waiting.push(() => { resolve(told()) }) }) : Promise.resolve(told()))
  const work = new ThreadWork({ cpuUsage }, () => 2, () => at.process)
  await answered()
  const readings: number[] = []
  for (const [silent, threadMs] of [[true, 0], [true, 50], [false, 50], [false, 100]] as const) {
    isSilent = silent
    at.thread += threadMs
    at.process += 400
    readings.push(work.cpuMs())
    if (!silent) for (const tell of waiting.splice(0)) tell()
    await answered()
  }
  // Asked at first: it has worked 0. Then 200 of its share, twice, against 50 and 100 that it has worked. At the end it says 100 and 200.
  expect(readings).toEqual([0, 200, 400, 400])
  expect(work.cpuMs()).toBe(400)
})

it('a thread that waits has not worked what another thread works', async () => {
  const [busy, idle] = ['for (;;) {}', 'setInterval(() => {}, 1e8)'].map((code) => new Worker(code, { eval: true })) as [Worker, Worker]
  onTestFinished(async () => { await Promise.all([busy, idle].map((worker) => worker.terminate())) })
  await Promise.all([busy, idle].map((worker) => once(worker, 'online')))
  const works = [busy, idle].map((worker) => new ThreadWork(worker, () => 2))
  const worked = (): number[] => works.map((work) => work.cpuMs())
  do {
    worked()
    await Promise.all([busy, idle].map((worker) => worker.cpuUsage()))
    await answered()
  } while (worked()[0]! < 300)
  expect(worked()[1]).toBeLessThan(150)
})
