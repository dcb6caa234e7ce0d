import { randomBytes } from 'node:crypto'
import { join, relative } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import type { Command } from 'commander'
import type { LoadedScenario } from '../scenario/load.ts'
import type { RunResult } from '../scenario/run.ts'
import type { IdentityProvider } from '../serve/http/identityProvider.ts'
import type { Opened, Transport } from '../serve/http/transport.ts'
import type { LiveAsk, LiveTold } from '../serve/live/liveFrames.ts'
import type { Course, Pace, Serving } from '../serve/session/serveThread.ts'
import { InputError } from '../unit/inputError.ts'
import { fixed, plural } from '../unit/numberText.ts'
import { DAY_US } from '../unit/time.ts'
import { collect, columnsText, common, type CommonOptions, print, printJson, remark, type TrustOptions, wholeNumber, withTrust } from './common.ts'
import { RUNS_FOLDER, writePage } from './run.ts'
import type { Interruption } from './signals.ts'

interface ServeCommandOptions extends CommonOptions, TrustOptions {
  readonly port?: string
  readonly host: string
  readonly clock: string
  readonly speed?: string
  readonly patience?: string
  readonly shift?: string
  readonly credentials?: string
  readonly seed?: string
  readonly set?: readonly string[]
  readonly out?: string
  readonly force?: boolean
  readonly allowLocalWebhooks?: boolean
  /** False with --no-report. */
  readonly report: boolean
}

const LOOPBACK = '127.0.0.1'
const SPEED_MAX = 1000
const PATIENCE_S = 30
const PATIENCE_S_MAX = 86_400
const PORT_MAX = 65_535
const TOKEN_BYTES = 32
/** After Ctrl-C the session may take so long to end by itself, ms: clients have some seconds to read what they were told last. */
const SILENT_MS = 15_000
/** Tokens outlast the history: what was traded on it may end later. */
const TOKEN_LASTS_US = 30 * DAY_US

export function addServe(program: Command, interruption: () => Interruption): void {
  const command = program.command('serve').argument('<scenario>', 'scenario file (YAML) with seats that are external: true')
    .summary('play a scenario with clients that trade over HTTP')
    .description('Open each service of a scenario on a port of its own and play the session as the wall\'s clock goes, or as fast as its clients take their turns, until its end or Ctrl-C. Clients hold the seats that are external: true. The run is left as parlor run leaves it.')
    .option('--port <port>', 'port of the first service, and the next ones for the others; and for turns; default: ports that are free')
    .option('--host <address>', 'address to listen at; anything but loopback lets other machines in', LOOPBACK)
    .option('--clock <clock>', 'wall: virtual time follows the wall\'s clock; lockstep: it waits for the clients, turn by turn', 'wall')
    .option('--speed <factor>', 'how many times as fast as the wall\'s clock virtual time runs; default: 1')
    .option('--patience <seconds>', `with lockstep: how long a client may take to end its turn, or to come once another one is ready, before it is dropped; default: ${PATIENCE_S}`)
    .option('--shift <to>', 'now: move every date on the wire, so that the session begins now (default with the wall\'s clock); none: leave the recorded dates (default with lockstep)')
    .option('--credentials <file>', 'where the clients\' credentials are written, for you alone (mode 600), until the session ends')
    .option('--allow-local-webhooks', 'let webhook endpoints be plain HTTP and in private networks')
    .option('--seed <seed>', 'draw everything random from this seed')
    .option('--set <path=value>', 'replace a setting of the scenario; may be repeated', collect)
    .option('--out <dir>', 'folder of the run itself')
    .option('--force', 'replace a run that is there already')
    .option('--no-report', 'write no page with pictures; parlor report can make it later')
  withTrust(command)
  common(command, 'parlor serve scenarios/live.yaml', 'parlor serve scenarios/live.yaml --speed 20 --port 8001 --json', 'parlor serve scenarios/live.yaml --clock lockstep --patience 10')
    .action(async (scenario: string, options: ServeCommandOptions) => { await serve(scenario, options, interruption) })
}

async function serve(path: string, options: ServeCommandOptions, interruption: () => Interruption): Promise<void> {
  const { host } = options
  const pace = paceOf(options)
  const firstPort = options.port === undefined ? null : portOf(options.port)
  const shift = options.shift ?? (pace.clock === 'wall' ? 'now' : 'none')
  if (shift !== 'now' && shift !== 'none') throw new InputError(`expected --shift now or none, got ${shift}`)
  const [
    { loadScenario }, { callLimitsOf }, { runNameOf, runPlayed }, { RunThread }, { summariseRun }, { Transport: HttpTransport }, { IdentityProvider }, { lineOf }, { lineToSession }, { writeWholeJson },
    { servedPages }, { LiveViews }, { CredentialsFile }, { brokenFramingAnswer },
  ] = await Promise.all([
    import('../scenario/load.ts'), import('../scenario/strategyLimits.ts'), import('../scenario/run.ts'), import('./runThread.ts'), import('../score/summary.ts'),
    import('../serve/http/transport.ts'), import('../serve/http/identityProvider.ts'), import('../serve/threadMessages.ts'), import('../serve/packedMessages.ts'), import('../arrow/wholeFile.ts'),
    import('./servedPages.ts'), import('../serve/http/liveViews.ts'), import('./credentialsFile.ts'), import('../serve/brokenFraming.ts'),
  ])
  const overrides = { set: options.set ?? [], ...(options.seed === undefined ? {} : { seed: options.seed }) }
  const loaded = loadScenario(path, overrides)
  const runPath = options.out ?? join(RUNS_FOLDER, runNameOf(loaded))
  const credentialsPath = options.credentials ?? `${runPath}.credentials.json`
  const credentials = new CredentialsFile(credentialsPath)
  if (!isLoopback(host)) remark(`listening at ${host}: every machine that reaches this one can call the services, over plain HTTP, and whoever reads a credential on its way can use it`)
  const { signal } = interruption()
  const { port1: ours, port2: theirs } = new MessageChannel()
  const { port1: looks, port2: seen } = new MessageChannel()
  const liveToken = randomBytes(TOKEN_BYTES).toString('base64url')
  const views = new LiveViews(lineOf<LiveTold, LiveAsk>(looks), liveToken)
  const opened: Opened[] = []
  const identity = await IdentityProvider.create()
  let course: Course | undefined
  let announced = Promise.resolve()
  const unannounced = new AbortController()
  const thread = new RunThread({
    data: { path, overrides, isTrusted: options.trusted === true, serve: { port: theirs, livePort: seen, pace, shift, allowsLocalWebhooks: options.allowLocalWebhooks === true } },
    signal: AbortSignal.any([signal, unannounced.signal]), silentMs: SILENT_MS, limits: callLimitsOf(loaded.file.strategies), say: remark, onProgress: () => {}, onSettling: () => {},
    onServing: (serving) => {
      for (const { service } of opened) {
        const description = serving.descriptions[service]
        if (description === undefined || service === 'control') continue
        transport.publish(service, servedPages(description), (request, response) => { views.answer(service, request, response) })
      }
      announced = credentialsOf(opened, { ...serving, liveToken }, identity).then((held) => {
        credentials.write(held)
        tell(options, opened, { ...serving, liveToken }, credentialsPath)
      })
      // Nobody can come without them: the session ends, and what was thrown is thrown then.
      announced.catch(() => { unannounced.abort() })
    },
    onServed: (told) => { course = told },
  })
  const transport = new HttpTransport(lineToSession(ours), identity, { brokenFraming: brokenFramingAnswer })
  const playing = async (): Promise<RunResult> => {
    const { hasTables, store } = await thread.prepared
    await openAll(transport, loaded, pace.clock, { host, firstPort, opened })
    return runPlayed(loaded, store, {
      target: { path: runPath, force: options.force === true, numbered: options.out === undefined }, say: remark,
      finishing: async (folder) => {
        await views.close()
        await Promise.all([announced, transport.heardOut().then(() => transport.close())])
        if (!hasTables) return
        const summary = await summariseRun(folder)
        writeWholeJson(join(folder, 'summary.json'), summary)
        if (options.report) await writePage(folder, summary)
      },
    }, (folder) => thread.play(folder))
  }
  const { path: dir, manifest } = await playing().finally(async () => {
    // A session that fails at once ends before its credentials have been written.
    await announced.catch(() => {})
    await views.close()
    await Promise.all([transport.close(), thread.close()])
    ours.close()
    looks.close()
    try {
      credentials.remove()
    } catch (error) {
      remark(`the credentials could not be removed: ${error instanceof Error ? error.message : String(error)}`)
    }
  })
  const { digest, counts, served } = manifest
  if (options.json === true) return printJson({ run: dir, digest, counts, served, ...(course?.clock === 'lockstep' ? { turns: course.turns, calls: course.calls } : { lagMs: course?.mostMs ?? 0 }) })
  print(`${relative('.', dir)}: digest ${digest.slice(0, 12)}${served?.stoppedUs === null ? '' : ', stopped before its end'}${course === undefined ? '' : courseText(course)}`)
}

function courseText(course: Course): string {
  if (course.clock === 'lockstep') return `, ${plural(course.turns, 'turn')} and ${plural(course.calls, 'call')} of clients`
  return course.arrivals === 0 ? '' : `, ${plural(course.arrivals, 'arrival')}, behind the wall by ${fixed(course.mostMs, 1)} ms at most`
}

/** Opens the port of each service, and with lockstep the one for turns. */
async function openAll(transport: Transport, { file }: LoadedScenario, clock: Pace['clock'], { host, firstPort, opened }: { readonly host: string; readonly firstPort: number | null; readonly opened: Opened[] }): Promise<void> {
  const { SERVICE_NAMES } = await import('../unit/services.ts')
  const services = SERVICE_NAMES.filter((name) => file.services[name] !== undefined)
  for (const service of clock === 'lockstep' ? [...services, 'control' as const] : services) {
    const port = firstPort === null ? 0 : firstPort + opened.length
    try {
      opened.push(await transport.open(service, host, port))
    } catch (cause) {
      const { code = String(cause) } = cause as { code?: string }
      throw new InputError(`cannot listen at ${host}:${port} (${code})`, { hint: 'choose another --port or --host', cause })
    }
  }
}

interface ToldServing extends Serving {
  /** Opens the page of the session. */
  readonly liveToken: string
}

/** The page of the session on a service's port. What stands behind the # is in no call, and in no log of one. */
const liveUrl = (url: string, token: string): string => `${url}/#${token}`

/** Credentials of each seat by service and name, with the service's address and page, and the process that ends the session when it is told to. */
async function credentialsOf(opened: readonly Opened[], { seats, shiftUs, fromUs, toUs, liveToken }: ToldServing, identity: IdentityProvider): Promise<object> {
  // Wallets, not tokens, are how users of the outcome service sign in.
  const tokenOf = async (credentials: Serving['seats'][number]['credentials']) =>
    (credentials['user_id'] === undefined ? {} : { jwt: await identity.issue(credentials['user_id'], fromUs, toUs + TOKEN_LASTS_US) })
  const held = await Promise.all(seats.map(async ({ seat, credentials }) => ({ seat, credentials: { ...credentials, ...await tokenOf(credentials) } })))
  const services = Object.fromEntries(opened.map(({ service, url }) => [service, service === 'control' ? { url } : {
    url, live: liveUrl(url, liveToken), seats: Object.fromEntries(held.filter(({ seat }) => seat.service === service).map(({ seat: { name, role }, credentials }) => [name, { role, ...credentials }])),
  }]))
  return { pid: process.pid, shift_us: shiftUs, jwks: identity.keys, ...services }
}

function tell({ json }: ServeCommandOptions, opened: readonly Opened[], { seats, shiftUs, descriptions, liveToken }: ToldServing, credentials: string): void {
  const told = seats.map(({ seat: { service, role, name } }) => ({ service, role, name }))
  if (json === true) return printJson({ services: Object.fromEntries(opened.map(({ service, url }) => [service, url])), seats: told, credentials, shiftUs, pid: process.pid })
  print(opened.map(({ service, url }) => `${service}: ${url}${descriptions[service] === undefined ? '' : ` (calls and frames: ${url}/reference)`}`).join('\n'))
  print(pagesText(opened.filter(({ service }) => service !== 'control').map(({ url }) => liveUrl(url, liveToken)), process.stdout.isTTY))
  print(columnsText([['seat', 'role', 'service'], ...told.map(({ name, role, service }) => [name, role, service])]))
  print(`credentials: ${credentials}\nCtrl-C ends the session and leaves its run.`)
}

/** Where the session can be watched. Only a terminal is told the links: what else hears may be a log. */
const pagesText = (urls: readonly string[], isTerminal: boolean): string =>
  (isTerminal ? `watch it (for you alone): ${urls.join(' ')}` : 'watch it: the links stand as live in the credentials')

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

function paceOf({ clock, speed, patience }: ServeCommandOptions): Pace {
  if (clock === 'wall') {
    if (patience !== undefined) throw new InputError('--patience is for --clock lockstep: the wall\'s clock waits for nobody')
    return { clock, speed: speedOf(speed ?? '1') }
  }
  if (clock !== 'lockstep') throw new InputError(`expected --clock wall or lockstep, got ${clock}`)
  if (speed !== undefined) throw new InputError('--speed is for --clock wall: in lockstep time goes as fast as the clients take their turns')
  const seconds = Number(patience ?? PATIENCE_S)
  if (!(seconds > 0 && seconds <= PATIENCE_S_MAX)) throw new InputError(`expected a --patience above 0 s, up to ${PATIENCE_S_MAX}, got ${patience}`)
  return { clock, patienceMs: seconds * 1000 }
}

function speedOf(text: string): number {
  const speed = Number(text)
  if (!(speed > 0 && speed <= SPEED_MAX)) throw new InputError(`expected a --speed above 0, up to ${SPEED_MAX}, got ${text}`)
  return speed
}

function portOf(text: string): number {
  const port = wholeNumber(text, 'a --port')
  if (port > PORT_MAX) throw new InputError(`expected a --port up to ${PORT_MAX}, got ${text}`)
  return port
}
