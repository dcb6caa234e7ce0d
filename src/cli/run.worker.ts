import { parentPort, workerData } from 'node:worker_threads'
import { listenToCalls, type WatchedCalls } from '../scenario/callWatch.ts'
import type { BegunGeneration } from '../result/generation.ts'
import { openHistory } from '../scenario/history.ts'
import { loadScenario } from '../scenario/load.ts'
import type { Progress } from '../scenario/play.ts'
import { playOnChains, type PlayedScenario, type PreparedScenario, type PrepareOptions, prepareScenario } from '../scenario/run.ts'
import type { SettlingProgress } from '../scenario/chain.ts'
import { readyForRooms } from '../scenario/roomModules.ts'
import { onRejected, playersOf, RejectedPromise, rejectionsTold } from '../scenario/rejections.ts'
import { nameSources } from '../scenario/sourcePlaces.ts'
import { importOf, type StrategyImport } from '../scenario/strategies.ts'
import { type Verification, verifyRun } from '../scenario/verify.ts'
import type { Course, Servable, ServeData, Serving } from '../serve/session/serveThread.ts'
import { type Failure, failureOf } from './failure.ts'

/** The thread in which `parlor run` and `parlor verify` play, so that a strategy that never returns, or ends its thread, can be named (runThread.ts). */

/** A run to verify, in place of a scenario to run. */
export interface VerifyThreadData {
  readonly verify: string
  readonly isTrusted: boolean
}

export interface RunThreadData {
  readonly path: string
  readonly overrides: { readonly set: readonly string[]; readonly seed?: string }
  readonly isTrusted: boolean
  /** How the session is served. Without it nobody takes part from outside. */
  readonly serve?: ServeData
}

/** What the thread is told: to play into a folder, or to stop. */
export type RunOrder = { readonly folder: string } | 'stop'

export type RunNotice =
  | { readonly kind: 'say'; readonly line: string }
  /** The strategy file that is being loaded, null for none. */
  | { readonly kind: 'loading'; readonly path: string | null }
  /** Strategies are called from now on. */
  | { readonly kind: 'begins'; readonly calls: WatchedCalls }
  /** A store is being written. */
  | { readonly kind: 'importing'; readonly store: BegunGeneration }
  | { readonly kind: 'prepared'; readonly hasTables: boolean; readonly store: string }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'settling'; readonly progress: SettlingProgress }
  /** Clients may come. */
  | { readonly kind: 'serving'; readonly serving: Serving }
  | { readonly kind: 'served'; readonly course: Course }
  | { readonly kind: 'played'; readonly played: PlayedScenario }
  | { readonly kind: 'verified'; readonly verification: Verification }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly failure: Failure }

nameSources()
const data = workerData as RunThreadData | VerifyThreadData
const stop = new AbortController()
let ready: PreparedScenario | null = null
let served: Servable | null = null
onRejected(() => playersOf(ready), (rejection) => {
  fail(new RejectedPromise(rejection, playersOf(ready)))
  process.exit(1)
})
const prepared = 'verify' in data ? null : prepare(data)
prepared?.catch(fail)
if ('verify' in data) void verify(data).catch(fail)

parentPort!.on('message', (order: RunOrder) => {
  if (order === 'stop') stop.abort()
  else void prepared?.then((scenario) => play(scenario, order.folder)).catch(fail)
})

/** Tells which file is being loaded. */
function telling(load: StrategyImport): StrategyImport {
  return async (file, role) => {
    if (!data.isTrusted) await readyForRooms()
    post({ kind: 'loading', path: file })
    try {
      const strategy = await load(file, role)
      // Reading what it left rejected is a call of its code.
      await rejectionsTold()
      return strategy
    } finally {
      post({ kind: 'loading', path: null })
    }
  }
}

function begins(names: readonly string[]): void {
  post({ kind: 'begins', calls: listenToCalls(names) })
}

async function prepare({ path, overrides, isTrusted, serve }: RunThreadData): Promise<PreparedScenario> {
  const loaded = loadScenario(path, overrides)
  const importFile = telling(importOf(isTrusted, loaded.file.strategies.allow))
  const open: PrepareOptions['open'] = (from, say) => openHistory(from, say, (store) => { post({ kind: 'importing', store }) })
  const scenario = await prepareScenario(loaded, (line) => { post({ kind: 'say', line }) }, { importFile, open, begins, isServed: serve !== undefined })
  if (serve !== undefined) served = (await import('../serve/session/serveThread.ts')).servable(scenario, path, serve)
  ready = scenario
  post({ kind: 'prepared', hasTables: scenario.record.tables, store: scenario.store.path })
  return scenario
}

async function verify({ verify: dir, isTrusted }: VerifyThreadData): Promise<void> {
  const verification = await verifyRun(dir, { isTrusted, importing: telling, begins, signal: stop.signal, onProgress: (progress) => { post({ kind: 'progress', progress }) } })
  await rejectionsTold()
  post({ kind: 'verified', verification })
}

async function play(scenario: PreparedScenario, folder: string): Promise<void> {
  if ('path' in data && data.serve !== undefined) return playServed(scenario, folder, data.serve)
  const played = await playOnChains(folder, scenario, {
    signal: stop.signal,
    onProgress: (progress) => { post({ kind: 'progress', progress }) },
    onSettling: (progress) => { post({ kind: 'settling', progress }) },
  })
  await rejectionsTold()
  post({ kind: 'played', played })
}

async function playServed(scenario: PreparedScenario, folder: string, serve: ServeData): Promise<void> {
  const { playForClients } = await import('../serve/session/serveThread.ts')
  const manifest = await playForClients(folder, scenario, served!, serve, {
    signal: stop.signal, serving: (serving) => { post({ kind: 'serving', serving }) }, say: (line) => { post({ kind: 'say', line }) }, ended: (course) => { post({ kind: 'served', course }) },
  })
  await rejectionsTold()
  post({ kind: 'played', played: { manifest } })
}

function fail(error: unknown): void {
  if (error instanceof Error && error.name === 'Interrupted') post({ kind: 'interrupted' })
  else post({ kind: 'failed', failure: failureOf(error) })
}

function post(notice: RunNotice): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker has no origin
  parentPort!.postMessage(notice)
}
