import { join, relative } from 'node:path'
import type { Command } from 'commander'
import type { ServedClock, ServedCourse, ServedSession } from '../actions/servedSession.ts'
import { columnsText } from '../unit/columnsText.ts'
import { InputError } from '../unit/inputError.ts'
import { fixed, plural } from '../unit/numberText.ts'
import { collect, common, type CommonOptions, overridesOf, print, printJson, remark, type ScenarioOptions, type TrustOptions, wholeNumber, withTrust } from './common.ts'
import { RUNS_FOLDER } from './run.ts'
import type { Interruption } from './signals.ts'

interface ServeCommandOptions extends CommonOptions, ScenarioOptions, TrustOptions {
  readonly port?: string
  readonly host: string
  readonly clock: string
  readonly speed?: string
  readonly patience?: string
  readonly shift?: string
  readonly credentials?: string
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
  const port = options.port === undefined ? undefined : portOf(options.port)
  const shift = options.shift ?? (pace.clock === 'wall' ? 'now' : 'none')
  if (shift !== 'now' && shift !== 'none') throw new InputError(`expected --shift now or none, got ${shift}`)
  const [{ loadScenario }, actions] = await Promise.all([import('../actions/loadScenario.ts'), import('../actions/serve.ts')])
  const scenario = loadScenario(path, overridesOf(options))
  if (!isLoopback(host)) remark(`listening at ${host}: every machine that reaches this one can call the services, over plain HTTP, and whoever reads a credential on its way can use it`)
  const { path: dir, digest, counts, manifest: { served }, course } = await actions.serve(scenario, {
    out: options.out ?? join(RUNS_FOLDER, scenario.name), taken: options.force === true ? 'replace' : options.out === undefined ? 'number' : 'refuse',
    report: options.report, trusted: options.trusted === true, signal: interruption().signal, onNote: remark, pace, shift, host,
    allowLocalWebhooks: options.allowLocalWebhooks === true, ...(port === undefined ? {} : { port }), ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    onServing: (serving) => { tell(options, serving) },
  })
  if (options.json === true) return printJson({ run: dir, digest, counts, served, ...(course?.clock === 'lockstep' ? { turns: course.turns, calls: course.calls } : { lagMs: course?.mostMs ?? 0 }) })
  print(`${relative('.', dir)}: digest ${digest.slice(0, 12)}${served?.stoppedUs === null ? '' : ', stopped before its end'}${course === null ? '' : courseText(course)}`)
}

function courseText(course: ServedCourse): string {
  if (course.clock === 'lockstep') return `, ${plural(course.turns, 'turn')} and ${plural(course.calls, 'call')} of clients`
  return course.arrivals === 0 ? '' : `, ${plural(course.arrivals, 'arrival')}, behind the wall by ${fixed(course.mostMs, 1)} ms at most`
}

function tell({ json }: ServeCommandOptions, { services, seats, credentials, shiftUs, pages }: ServedSession): void {
  if (json === true) return printJson({ services: Object.fromEntries(services.map(({ service, url }) => [service, url])), seats, credentials, shiftUs, pid: process.pid })
  print(services.map(({ service, url, hasReference }) => `${service}: ${url}${hasReference ? ` (calls and frames: ${url}/reference)` : ''}`).join('\n'))
  print(pagesText(pages, process.stdout.isTTY))
  print(columnsText([['seat', 'role', 'service'], ...seats.map(({ name, role, service }) => [name, role, service])]))
  print(`credentials: ${credentials}\nCtrl-C ends the session and leaves its run.`)
}

/** Where the session can be watched. Only a terminal is told the links: what else hears may be a log. */
const pagesText = (urls: readonly string[], isTerminal: boolean): string =>
  (isTerminal ? `watch it (for you alone): ${urls.join(' ')}` : 'watch it: the links stand as live in the credentials')

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

function paceOf({ clock, speed, patience }: ServeCommandOptions): ServedClock {
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
