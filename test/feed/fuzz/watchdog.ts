import { Worker } from 'node:worker_threads'

/** Wall time that one input may take on a machine that others load, and memory that it may take beside what was there. */
const HANG_MS = 180_000
const MEMORY_BYTES = 1_200_000_000

const shared = new Int32Array(new SharedArrayBuffer(4))

/** Says that the next input begins. */
export const beat = (): void => { Atomics.add(shared, 0, 1) }

/** Watches from another thread, and ends this process where an input hangs or eats memory. `about` says which. Returns what ends the watch. */
export function guard(about: string): () => void {
  const watch = new Worker(`
    const { workerData: { shared, about, hangMs, most } } = require('node:worker_threads')
    const { writeSync } = require('node:fs')
    const before = process.memoryUsage.rss()
    let [last, since] = [-1, Date.now()]
    setInterval(() => {
      const now = Atomics.load(shared, 0)
      if (now !== last) [last, since] = [now, Date.now()]
      const rss = process.memoryUsage.rss()
      const why = Date.now() - since > hangMs ? 'does not end' : rss - before > most ? 'takes ' + rss + ' bytes' : ''
      if (why === '') return
      writeSync(2, 'an input ' + why + ': ' + about + '\\n')
      process.kill(process.pid, 'SIGKILL')
    }, 50)
  `, { eval: true, workerData: { shared, about, hangMs: HANG_MS, most: MEMORY_BYTES } })
  watch.unref()
  return () => { void watch.terminate() }
}
