// Has types stripped in another thread, for the thread that imports this before its first TypeScript module. Node's stripper is WebAssembly:
// when its memory grows, V8 gives up in this thread for good what makes typed arrays fast (docs/decisions/0013).
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir, registerHooks } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getEnvironmentData, MessageChannel, receiveMessageOnPort, setEnvironmentData, threadId, Worker } from 'node:worker_threads'

const TYPESCRIPT = /^file:(?!.*\/node_modules\/).*\.m?ts(?:\?|$)/
/** A thread that lives and has not answered by then never will. */
const ANSWER_MS_MAX = 30_000

/** Where stripped texts are kept, below Node's own cache of this version; the same for all threads. Without one nothing is kept. */
const FOLDER_KEY = 'parlor: stripped types'
const cacheDir = getCompileCacheDir()
const folder = getEnvironmentData(FOLDER_KEY) ?? (cacheDir === undefined ? undefined : join(cacheDir, 'stripped'))
setEnvironmentData(FOLDER_KEY, folder)

registerHooks({
  load: (url, context, next) => {
    // Where nobody says what a file is, Node finds out from its text.
    if (!TYPESCRIPT.test(url) || context.format !== 'module-typescript') return next(url, context)
    const text = stripped(readFileSync(fileURLToPath(url)))
    return text === null ? next(url, context) : { format: 'module', source: text, shortCircuit: true }
  },
})

/** The text of a TypeScript file without its types, each character where it was; null where Node itself must say why there is none. */
function stripped(source) {
  if (folder === undefined) return askStripper(source)
  const path = join(folder, hash('sha256', source))
  const kept = keptAt(path)
  if (kept !== null) return kept
  const text = askStripper(source)
  if (text !== null) keep(path, text)
  return text
}

/** First line of a kept file. It tells a file that is not what was written, or that is another's. */
const sealOf = (path, text) => hash('sha256', `${basename(path)}\n${text}`)

/** Null for what is not kept, or not whole. */
function keptAt(path) {
  try {
    const file = readFileSync(path, 'utf8')
    const end = file.indexOf('\n')
    const text = file.slice(end + 1)
    return file.slice(0, end) === sealOf(path, text) ? text : null
  } catch {
    return null
  }
}

/** Whole or not at all. Where it cannot be kept, it is stripped again next time. */
function keep(path, text) {
  const own = `${path}.${process.pid}-${threadId}`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(own, `${sealOf(path, text)}\n${text}`)
    renameSync(own, path)
  } catch {
    try {
      rmSync(own, { force: true })
    } catch {}
  }
}

/** What the other thread is about, in a cell that both share. */
const State = { asked: 0, answered: 1, lost: 2 }
/** The thread tells that it ends, whatever ends it, since who waits for it hears no event. */
const GUARDED = `const { workerData: { url, state } } = require('node:worker_threads')
process.on('exit', () => {
  Atomics.store(state, 0, ${State.lost})
  Atomics.notify(state, 0)
})
import(url)`
const STRIPPER_URL = new URL('stripTypes.worker.mjs', import.meta.url).href

/** Who watches what a strategy begins does not count the other thread (src/sweep/leftovers.ts). Everybody may read it, nobody set it. */
let isStarting = false
Object.defineProperty(globalThis, Symbol.for('parlor: the thread that strips types is being started'), { get: () => isStarting })

/** The other thread, started for the first text that is not kept. Waiting for it is what loading a module synchronously asks for. */
class Stripper {
  state = new Int32Array(new SharedArrayBuffer(4))

  constructor() {
    isStarting = true
    try {
      const { port1, port2 } = new MessageChannel()
      this.port = port1
      const workerData = { url: STRIPPER_URL, port: port2, state: this.state, State }
      const execArgv = ['--disable-warning=ExperimentalWarning']
      // Without it Node strips, slower and as well: an error of it is nobody's.
      new Worker(GUARDED, { eval: true, workerData, transferList: [port2], execArgv }).on('error', () => {}).unref()
    } catch {
      this.state[0] = State.lost
    } finally {
      isStarting = false
    }
  }

  /** Null for a text that cannot be stripped, and from then on when the thread is lost. */
  strip(source) {
    if (Atomics.compareExchange(this.state, 0, State.answered, State.asked) === State.lost) return null
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker has no origin
    this.port.postMessage(source)
    if (Atomics.wait(this.state, 0, State.asked, ANSWER_MS_MAX) === 'timed-out') Atomics.store(this.state, 0, State.lost)
    return receiveMessageOnPort(this.port)?.message ?? null
  }
}

let stripper

function askStripper(source) {
  stripper ??= new Stripper()
  return stripper.strip(source.toString())
}
