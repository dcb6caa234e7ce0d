import { createServer, connect, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { MessageChannel } from 'node:worker_threads'
import type { MakerStrategy } from '../../../src/agent/maker.ts'
import type { Action } from '../../../src/agent/vocabulary.ts'
import { Session } from '../../../src/engine/session.ts'
import { PublishedResults } from '../../../src/market/publishedResults.ts'
import { Digest } from '../../../src/record/digest.ts'
import type { ExternalRow } from '../../../src/record/externalTable.ts'
import type { Sink } from '../../../src/record/sink.ts'
import { buildSession } from '../../../src/scenario/build.ts'
import { loadScenario } from '../../../src/scenario/load.ts'
import { type PreparedScenario, prepareScenario } from '../../../src/scenario/run.ts'
import { turnsEndUs } from '../../../src/scenario/served.ts'
import { LockstepReplay } from '../../../src/scenario/servedLockstep.ts'
import { Transport } from '../../../src/serve/http/transport.ts'
import { lineToHttp, lineToSession } from '../../../src/serve/packedMessages.ts'
import { LastReads } from '../../../src/serve/session/lastReads.ts'
import { LockstepDriver, type LockstepTerms } from '../../../src/serve/session/lockstep/lockstepDriver.ts'
import type { HandlerSite } from '../../../src/serve/serviceHandler.ts'
import { type MakeHandlers, type ServedService, ServedSession } from '../../../src/serve/session/servedSession.ts'
import { SERVICE_NAMES } from '../../../src/unit/services.ts'
import { drawsOf } from '../../draws.ts'
import { hearing } from '../../engine/hearing.ts'
import { type Deed, OutsideMaker, type Told } from '../../engine/outsideMaker.ts'
import { type Dialect, OUTCOME, PARLAY, type ToldAnswer } from '../../engine/outsidePlay.ts'
import { newFolder, put, SMALL } from '../../scenario/small.ts'
import { type Act, type Answered, type ClientTerms, LockstepClient, type Turn } from './lockstepClient.ts'
import { NumbersHandler } from './numbersHandler.ts'
import { wholeTicks } from '../../market/wholeTicks.ts'

/** A maker of the scenario: its lines in it, and what it is. */
export interface PlayedMaker {
  readonly name: string
  readonly use: string
  readonly latency: string
  readonly parameters?: string
}

/** Services of the scenario. What a maker of the outcome service repeats by itself has ways of its own: here it repeats nothing. */
const SERVICES = {
  parlay: 'parlay: { profile: parlay@2.1, gate: {} }',
  outcome: 'outcome: { profile: outcome@1, gate: { retries: { most: 0 } } }',
  'outcome-eip712': 'outcome: { profile: outcome@1, signatures: eip712, gate: { retries: { most: 0 } } }',
} as const
export type PlayedService = keyof typeof SERVICES

const dialectOf = ({ resolved: { services } }: PreparedScenario): Dialect => (services.outcome === undefined ? PARLAY : OUTCOME)

/** The scenario, with its makers inside or outside, and so many requests. */
export function scenarioOf(makers: readonly PlayedMaker[], isOutside: boolean, requests: number, service: PlayedService = 'parlay'): string {
  const lines = makers.map(({ name, use, latency, parameters = '' }) => (isOutside
    ? `  - { external: true, name: ${name}, capital: 1000000 USDC, latency: ${latency} }\n`
    : `  - { use: ${use}, name: ${name}, capital: 1000000 USDC, latency: ${latency}${parameters} }\n`))
  return SMALL.replace('parlay: { profile: parlay@2.1 }', SERVICES[service]).replace('max: 200', `max: ${requests}`)
    .replace(/makers:\n[^]*$/, `makers:\n${lines.join('')}  - { use: fixed-margin, name: rival, capital: 50000 USDC }\n`)
    .replace('  - { kind: informed, n: 20, every: 10m }\n', '  - { kind: impatient, n: 20, every: 4m }\n')
}

export const preparedOf = (text: string): Promise<PreparedScenario> =>
  prepareScenario(loadScenario(put(newFolder(), 'small.yaml', text)), () => {}, { isServed: true })

/** Digest of the scenario with its makers inside. */
export async function digestInside(makers: readonly PlayedMaker[], requests: number, service: PlayedService = 'parlay'): Promise<string> {
  const { resolved, strategies, store } = await preparedOf(scenarioOf(makers, false, requests, service))
  const digest = new Digest()
  new Session({ ...buildSession(resolved, strategies, store).config, sinks: [digest] }).runToEnd()
  return digest.hex()
}

/** Digest of a session that was played outside, played again from its journal. */
export function digestAgain({ resolved, strategies, store }: PreparedScenario, rows: readonly ExternalRow[], stoppedUs: number | null = null): string {
  const replay = new LockstepReplay(rows, { stoppedUs })
  const built = buildSession(resolved, strategies, store, { clock: 'lockstep', hear: (seat, { kind }) => { replay.hear(seat, kind) } })
  const digest = new Digest()
  const accountOf = (name: string): number => built.directory.accounts.findIndex((account) => account.name === name)
  replay.play(new Session({ ...built.config, sinks: [digest] }), { accountOf, turnsEndUs: turnsEndUs(built.config) })
  return digest.hex()
}

export interface Play {
  readonly digest: string
  readonly rows: readonly ExternalRow[]
  readonly stoppedUs: number | null
  readonly turns: number
  readonly calls: number
  /** What the session said of its clients. */
  readonly said: readonly string[]
  /** Whose clients time waited for before it began, each time that they were others. */
  readonly waitedFor: readonly (readonly string[])[]
}

/** Where clients go. */
export interface Doors {
  /** Of the only service, or of the first. */
  readonly url: string
  readonly controlUrl: string
  readonly served: ServedSession
  readonly driver: LockstepDriver
  readonly results: PublishedResults
  /** Of each seat, by its name. */
  readonly credentials: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The same of each service. */
  readonly services: ReadonlyMap<ServedService, Pick<Doors, 'url' | 'credentials'>>
}

/** A handler in the session's own numbers, of the service that the scenario has. */
export const numbersOf = (prepared: PreparedScenario): MakeHandlers => {
  const dialect = dialectOf(prepared)
  return { [dialect.service]: (site: HandlerSite) => new NumbersHandler(site, dialect) }
}

/** Sessions in lockstep over real sockets: `run` is given where clients go, and the session is over when they are. */
export async function playedOutside(
  prepared: PreparedScenario,
  clientsOf: (at: Doors) => Promise<readonly { readonly over: Promise<unknown> }[]>,
  { patience = null, handlers = numbersOf(prepared), signal = new AbortController().signal, spread = null, turnsPerInstantMax, sinks = [] }: {
    /** Is given what ends the patience with clients that are missing, or with the turn that is open, and hears that it has begun; otherwise it is very long. */
    readonly patience?: { end: () => void; readonly begun?: () => void } | null; readonly handlers?: MakeHandlers; readonly signal?: AbortSignal; readonly turnsPerInstantMax?: number; readonly sinks?: readonly Sink[]
    /** A proxy stands between, which holds every connection up for its own time below so many ms. */
    readonly spread?: { readonly mostMs: number; readonly seed: number } | null
  } = {},
): Promise<Play> {
  const digest = new Digest()
  const rows: ExternalRow[] = []
  const results = new PublishedResults(prepared.store.catalogue.markets.length)
  const lines = new MessageChannel()
  let driver: LockstepDriver | null = null
  const served: ServedSession = new ServedSession(prepared, {
    handlers, journal: { append: (row) => { rows.push(row) } }, shiftUs: 0, sinksOf: () => [digest, hearing(results), ...sinks], told: (seat, why) => { driver!.told(seat, why) },
  })
  const begun = served.begin()
  const said: string[] = []
  const waitedFor: (readonly string[])[] = []
  const terms: LockstepTerms = {
    patienceMs: 30_000, shiftUs: 0, tokenOf, ...(turnsPerInstantMax === undefined ? {} : { turnsPerInstantMax }), say: (text) => { said.push(text) },
    waitsFor: (names) => { waitedFor.push(names) },
    startPatience: (run) => {
      if (patience !== null) patience.end = run
      patience?.begun?.()
      // A client that fails is not to hold a test up for ever.
      const timer = setTimeout(run, LONG_MS)
      return () => { clearTimeout(timer) }
    },
  }
  let clientsEnd: Promise<unknown> = Promise.resolve()
  const reads = new LastReads(lineToHttp(lines.port1), (run) => {
    void clientsEnd.then(run)
    return () => {}
  })
  driver = new LockstepDriver(served, reads, terms)
  const transport = new Transport(lineToSession(lines.port2), { tokenOf: () => Promise.resolve(undefined) })
  const services = SERVICE_NAMES.filter((name) => handlers[name] !== undefined)
  const opened = []
  for (const name of ['control', ...services] as const) opened.push(await transport.open(name, '127.0.0.1', 0))
  const proxies = spread === null ? [] : opened.map(({ url }, i) => proxyTo(Number(new URL(url).port), spread.mostMs, spread.seed * 2 + i))
  await Promise.all(proxies.map((proxy) => new Promise((resolve) => { proxy.once('listening', resolve) })))
  const [control, ...urls] = opened.map(({ url: at }, i) => (spread === null ? at : `http://127.0.0.1:${(proxies[i]!.address() as AddressInfo).port}`))
  const playing = driver.play(signal)
  const doorsOf = (service: ServedService, url: string): Pick<Doors, 'url' | 'credentials'> =>
    ({ url, credentials: Object.fromEntries(begun.filter(({ seat }) => seat.service === service).map(({ seat: { name }, credentials }) => [name, credentials])) })
  const doors = new Map(services.map((service, i) => [service, doorsOf(service, urls[i]!)]))
  const clients = await clientsOf({ ...doors.get(services[0]!)!, services: doors, controlUrl: control!.replace('http', 'ws'), served, driver: driver!, results })
  const failed = Promise.all(clients.map(({ over }) => over))
  clientsEnd = Promise.allSettled(clients.map(({ over }) => over))
  const stoppedUs = await Promise.race([playing, failed.then(() => playing)])
  served.playOut(stoppedUs)
  await reads.after(served)
  await Promise.all([transport.close(), ...proxies.map((proxy) => new Promise((resolve) => { proxy.close(resolve) }))])
  // Those that read what they were told last say what they did only then.
  await clientsEnd
  lines.port1.close()
  return { digest: digest.hex(), rows, stoppedUs, said, waitedFor, ...driver.counts }
}

const LONG_MS = 120_000

export const tokenOf = (account: number): string => `token-${account}`

/** Holds every connection up for a time of its own, so that what is sent over two of them may arrive in another order. */
function proxyTo(port: number, mostMs: number, seed: number): Server {
  const draw = drawsOf(seed)
  return createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [from, to] of [[near, far], [far, near]] as const) {
      const ms = draw(mostMs * 10) / 10
      from.on('data', (data) => { setTimeout(() => { if (!to.destroyed) to.write(data) }, ms) })
      from.on('end', () => { setTimeout(() => { to.end() }, ms + 1) })
      from.on('error', () => { to.destroy() })
      from.on('close', () => { setTimeout(() => { to.destroy() }, ms + 2) })
    }
  }).listen(0, '127.0.0.1')
}

/** Clients that play strategies, one for each external seat of the scenario. */
export function strategyClients(prepared: PreparedScenario, strategies: Readonly<Record<string, { readonly strategy: MakerStrategy; readonly values: Readonly<Record<string, number>> }>>, terms: Partial<ClientTerms> = {}) {
  return async ({ url, controlUrl, served, results }: Doors): Promise<readonly LockstepClient[]> => {
    const { built: { config } } = served
    const dialect = dialectOf(prepared)
    return Promise.all(served.seats.map(({ name, account }) => {
      const { capitalMicros, latency } = prepared.resolved.makers.find((maker) => maker.name === name)!
      const words = dialect.wordsOf(served.session, account, { latency, profile: prepared.resolved.services.outcome?.settings })
      const maker = new OutsideMaker({ name, seed: config.seed, ...strategies[name]!, capitalMicros, feedUs: latency.feedUs, ticks: wholeTicks(config.ticks), marketCount: config.marketCount, results, words })
      const actions = new Map<string, Action>()
      return LockstepClient.connect({
        url, controlUrl, token: tokenOf(account), headers: { 'x-seat': name }, streams: ['/events'], ...terms,
        act: (turn, { frames, answer, tag }) => {
          const deeds = deedsOf(maker, turn, frames, answer, tag, actions)
          deeds.forEach((deed, i) => { if ('call' in deed) actions.set(`${turn.n} ${i + 1}`, dialect.actionOf(deed.call, served.session)) })
          return deeds.map((deed): Act => ('call' in deed ? { method: 'POST', path: '/call', body: JSON.stringify(deed.call) } : { wakeUs: deed.wakeUs, tag: deed.told }))
        },
      })
    }))
  }
}

function deedsOf(maker: OutsideMaker, turn: Turn, frames: readonly string[], answer: Answered | undefined, tag: unknown, actions: ReadonlyMap<string, Action>): readonly Deed[] {
  if (turn.why === 'begin' || turn.why === 'joined') return []
  if (turn.why === 'wake') return maker.hear(tag as Told)
  if (turn.why === 'answer') {
    const { refusal, request, quote, auction } = JSON.parse(answer!.body) as { readonly [K in keyof ToldAnswer]: ToldAnswer[K] | null }
    return maker.answered(turn.at_us, actions.get(`${turn.of!.turn} ${turn.of!.call}`)!, refusal!, request ?? NaN, quote ?? NaN, auction ?? NaN)
  }
  if (frames.length !== 1) throw new Error(`turn ${turn.n} (${turn.why}) brought ${frames.length} frames`)
  const told = JSON.parse(frames[0]!.slice('data: '.length), (_, value: unknown) => (value === 'NaN' ? NaN : value)) as Told
  return maker.hear(told)
}
