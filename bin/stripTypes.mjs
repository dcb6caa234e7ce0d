// Has types stripped in another thread, for the thread that imports this before its first TypeScript module. Node's stripper is WebAssembly:
// when its memory grows, V8 gives up in this thread for good what makes typed arrays fast (docs/decisions/0013).
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir, registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getEnvironmentData, MessageChannel, receiveMessageOnPort, setEnvironmentData, threadId, Worker } from 'node:worker_threads'

const TYPESCRIPT = /^file:(?!.*\/node_modules\/).*\.m?ts(?:\?|$)/
/** Of a file in a folder whose package.json does not say what its files are. */
const MODULE = /^(?:import|export)\b(?!\s*\()/m
/** A thread that has not answered by then never started. */
const ANSWER_MS_MAX = 30_000
const STRIPPING = Symbol.for('parlor: types are being stripped')

/** Where stripped texts are kept, below Node's own cache of this version; the same for all threads. Without one nothing is kept. */
const FOLDER_KEY = 'parlor: stripped types'
const cacheDir = getCompileCacheDir()
const folder = getEnvironmentData(FOLDER_KEY) ?? (cacheDir === undefined ? undefined : join(cacheDir, 'stripped'))
setEnvironmentData(FOLDER_KEY, folder)

registerHooks({
  load: (url, context, next) => {
    if (!TYPESCRIPT.test(url) || context.format === 'commonjs-typescript') return next(url, context)
    const text = stripped(readFileSync(fileURLToPath(url)))
    if (text === null || (context.format !== 'module-typescript' && !MODULE.test(text))) return next(url, context)
    return { format: 'module', source: text, shortCircuit: true }
  },
})

/** The text of a TypeScript file without its types, each character where it was; null where Node itself must say why there is none. */
function stripped(source) {
  if (folder === undefined) return askStripper(source)
  const path = join(folder, hash('sha256', source))
  try {
    const kept = readFileSync(path)
    // Stripping keeps the length: a file that a crash cut off is none.
    if (kept.length === source.length) return kept.toString()
  } catch {
    // Not kept yet.
  }
  const text = askStripper(source)
  if (text !== null) keep(path, text)
  return text
}

/** Whole or not at all. Where it cannot be kept, it is stripped again next time. */
function keep(path, text) {
  try {
    mkdirSync(folder, { recursive: true })
    const own = `${path}.${process.pid}-${threadId}`
    writeFileSync(own, text)
    renameSync(own, path)
  } catch {}
}

/** The other thread, started for the first text that is not kept. Waiting for it is what loading a module synchronously asks for. */
class Stripper {
  answered = new Int32Array(new SharedArrayBuffer(4))
  isLost = false

  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    const workerData = { port: port2, answered: this.answered }
    const execArgv = ['--disable-warning=ExperimentalWarning']
    new Worker(new URL('stripTypes.worker.mjs', import.meta.url), { workerData, transferList: [port2], execArgv }).unref()
  }

  strip(source) {
    if (this.isLost) return null
    Atomics.store(this.answered, 0, 0)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker has no origin
    this.port.postMessage(source)
    this.isLost = Atomics.wait(this.answered, 0, 0, ANSWER_MS_MAX) === 'timed-out'
    return receiveMessageOnPort(this.port)?.message ?? null
  }
}

let stripper

function askStripper(source) {
  // Who watches what a strategy begins does not count this thread (src/sweep/leftovers.ts).
  globalThis[STRIPPING] = true
  try {
    stripper ??= new Stripper()
    return stripper.strip(source.toString())
  } finally {
    globalThis[STRIPPING] = false
  }
}
