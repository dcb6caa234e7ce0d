import { parentPort, workerData } from 'node:worker_threads'
import type { BegunGeneration } from '../../result/generation.ts'
import { openHistory } from '../../scenario/history.ts'
import { type LoadedScenario, loadScenario, type Overrides, pathOf, type ScenarioOrigin } from '../../scenario/load.ts'
import type { Progress } from '../../scenario/play.ts'
import { playOnChains, type PlayedScenario, type PreparedScenario, prepareScenario } from '../../scenario/run.ts'
import type { SettlingProgress } from '../../scenario/chain.ts'
import { playersOf, rejectionsTold } from '../../scenario/rejections.ts'
import { nameSources } from '../../scenario/sourcePlaces.ts'
import { importOf, type StrategyImport } from '../../scenario/strategies.ts'
import { changedRun, type RunChange } from '../../proof/changedRun.ts'
import { type Verification, verifyRun } from '../../proof/verify.ts'
import type { Course, Servable, ServeData, Serving } from '../../serve/session/serveThread.ts'
import type { StopOrder } from './watchedThread.ts'
import { tell, tellBegins, tellFailure, tellRejections, whileLoading } from './watchedWork.ts'

/** The thread in which `parlor run`, `parlor whatif` and `parlor verify` play, so that a strategy that never returns, or ends its thread, can be named (runThread.ts). */

/** A run to verify, in place of a scenario to run. */
export interface VerifyThreadData {
  readonly verify: string
  readonly isTrusted: boolean
  /** Files of public keys. */
  readonly keys?: readonly string[]
}

export interface RunThreadData {
  readonly origin: ScenarioOrigin
  readonly overrides: Overrides
  readonly isTrusted: boolean
  /** How the session is served. Without it nobody takes part from outside. */
  readonly serve?: ServeData
}

/** A run to play again with something changed, in place of a scenario to run. */
export interface WhatIfThreadData {
  readonly change: RunChange
  readonly isTrusted: boolean
}

/** What the thread is told beside to stop: to play into a folder. */
export interface PlayOrder {
  readonly folder: string
}

/** What it tells beside what every watched thread tells. */
export type RunNotice =
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

nameSources()
const data = workerData as RunThreadData | VerifyThreadData | WhatIfThreadData
const stop = new AbortController()
let ready: PreparedScenario | null = null
let served: Servable | null = null
tellRejections(() => playersOf(ready))
const prepared = 'verify' in data ? null : 'change' in data ? prepareChanged(data) : prepare(data)
prepared?.catch(tellFailure)
if ('verify' in data) void verify(data).catch(tellFailure)

parentPort!.on('message', (order: PlayOrder | StopOrder) => {
  if (order === 'stop') stop.abort()
  else void prepared?.then((scenario) => play(scenario, order.folder)).catch(tellFailure)
})

/** Tells which file is being loaded. */
function telling(load: StrategyImport): StrategyImport {
  return (file, role) => whileLoading(file, data.isTrusted, () => load(file, role))
}

/** Opens a history, and tells which store is being written. */
function opening(from: LoadedScenario, say: (line: string) => void): ReturnType<typeof openHistory> {
  return openHistory(from, say, (store) => { tell<RunNotice>({ kind: 'importing', store }) })
}

async function prepareChanged({ change, isTrusted }: WhatIfThreadData): Promise<PreparedScenario> {
  return readied(await changedRun(change, { isTrusted, importing: telling, open: opening, begins: tellBegins, say: (line) => { tell({ kind: 'say', line }) } }))
}

function readied(scenario: PreparedScenario): PreparedScenario {
  ready = scenario
  tell<RunNotice>({ kind: 'prepared', hasTables: scenario.record.tables, store: scenario.store.path })
  return scenario
}

async function prepare({ origin, overrides, isTrusted, serve }: RunThreadData): Promise<PreparedScenario> {
  const loaded = loadScenario(origin, overrides)
  const importFile = telling(importOf(isTrusted, loaded.file.strategies.allow))
  const scenario = await prepareScenario(loaded, (line) => { tell({ kind: 'say', line }) }, { importFile, open: opening, begins: tellBegins, isServed: serve !== undefined })
  if (serve !== undefined) served = (await import('../../serve/session/serveThread.ts')).servable(scenario, pathOf(origin), serve)
  return readied(scenario)
}

async function verify({ verify: dir, isTrusted, keys = [] }: VerifyThreadData): Promise<void> {
  const verification = await verifyRun(dir, { isTrusted, keys, importing: telling, begins: tellBegins, signal: stop.signal, onProgress: (progress) => { tell<RunNotice>({ kind: 'progress', progress }) } })
  await rejectionsTold()
  tell<RunNotice>({ kind: 'verified', verification })
}

async function play(scenario: PreparedScenario, folder: string): Promise<void> {
  if ('origin' in data && data.serve !== undefined) return playServed(scenario, folder, data.serve)
  const played = await playOnChains(folder, scenario, {
    signal: stop.signal,
    onProgress: (progress) => { tell<RunNotice>({ kind: 'progress', progress }) },
    onSettling: (progress) => { tell<RunNotice>({ kind: 'settling', progress }) },
  })
  await rejectionsTold()
  tell<RunNotice>({ kind: 'played', played })
}

async function playServed(scenario: PreparedScenario, folder: string, serve: ServeData): Promise<void> {
  const { playForClients } = await import('../../serve/session/serveThread.ts')
  const manifest = await playForClients(folder, scenario, served!, serve, {
    signal: stop.signal, serving: (serving) => { tell<RunNotice>({ kind: 'serving', serving }) }, say: (line) => { tell({ kind: 'say', line }) }, ended: (course) => { tell<RunNotice>({ kind: 'served', course }) },
  })
  await rejectionsTold()
  tell<RunNotice>({ kind: 'played', played: { manifest } })
}
