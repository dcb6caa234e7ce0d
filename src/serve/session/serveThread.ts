import { randomBytes } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'
import type { Manifest } from '../../record/manifest.ts'
import type { PreparedScenario } from '../../scenario/run.ts'
import { type Descriptions, descriptionsOf } from '../descriptions.ts'
import { handlersOf } from '../handlers.ts'
import { WebhookPost } from '../http/webhookPost.ts'
import type { ExternalSeat } from '../serviceHandler.ts'
import { lineToHttp } from '../packedMessages.ts'
import { type Line, lineOf } from '../threadMessages.ts'
import type { LiveAsk, LiveTold, LiveTurns } from '../live/liveFrames.ts'
import { hearExchanges } from './exchangePort.ts'
import { LastReads } from './lastReads.ts'
import { LivePort } from './livePort.ts'
import { LockstepDriver, type SendPost } from './lockstep/lockstepDriver.ts'
import { playServedInto } from './playServed.ts'
import type { MakeHandlers, ServedSession } from './servedSession.ts'
import { beginMs, shiftToUs, wallMs } from './wallClock.ts'
import { type Arrival, type Lag, WallDriver } from './wallDriver.ts'

const KEY_BYTES = 32
/** How long an endpoint of webhooks is waited for with the wall's clock. */
const ANSWER_MS = 30_000

/** What virtual time follows: the wall's clock so many times as fast, or the turns of clients, each of which may take so long, ms of the wall. */
export type Pace = { readonly clock: 'wall'; readonly speed: number } | { readonly clock: 'lockstep'; readonly patienceMs: number }

/** How a session went, of whichever clock. */
export type Course = { readonly clock: 'wall' } & Lag | { readonly clock: 'lockstep'; readonly turns: number; readonly calls: number }

/** How a session is to be served, as the thread that plays it is told. */
export interface ServeData {
  readonly port: MessagePort
  /** Looks of whoever runs the session come through this one, and are no part of it. */
  readonly livePort: MessagePort
  readonly pace: Pace
  /** `now`: every date on the wire is moved by one constant, so that the session begins now. `none`: dates are those recorded. */
  readonly shift: 'now' | 'none'
  readonly allowsLocalWebhooks: boolean
}

/** What clients need before they come. */
export interface Serving {
  /** With lockstep each has a `control_token` besides. */
  readonly seats: readonly { readonly seat: ExternalSeat; readonly credentials: Readonly<Record<string, string>> }[]
  readonly shiftUs: number
  readonly descriptions: Descriptions
  /** Begin and end of the history, in the wire's instants, µs. */
  readonly fromUs: number
  readonly toUs: number
}

/** A scenario that is to be served, and the way into its session, once it is played. */
export interface Servable {
  readonly handlers: MakeHandlers
  /** What the ids of the session's clients are made under. The run keeps it. */
  readonly idKey: string
  /** Posts a webhook to an endpoint, and hears the status that it answers with. */
  readonly inlet: { post: (url: string, send: SendPost, answered: (status: number) => void) => void }
}

/** Throws InputError for a scenario that cannot be served. */
export function servable(prepared: PreparedScenario, path: string, { allowsLocalWebhooks }: Pick<ServeData, 'allowsLocalWebhooks'>): Servable {
  const inlet: Servable['inlet'] = { post: () => {} }
  const webhooks = new WebhookPost(allowsLocalWebhooks)
  const sessionKey = { ids: randomBytes(KEY_BYTES).toString('hex'), secrets: randomBytes(KEY_BYTES).toString('hex') }
  const handlers = handlersOf(prepared, path, {
    sessionKey, allowsLocalWebhooks,
    postWebhook: (attempt, answered) => { inlet.post(attempt.url, (signal) => webhooks.post(attempt, signal), answered) },
  })
  return { handlers, idKey: sessionKey.ids, inlet }
}

interface Ears {
  readonly signal: AbortSignal
  readonly serving: (serving: Serving) => void
  readonly say: (line: string) => void
  readonly ended: (course: Course) => void
}

/** Plays a session for the clients at the other end of the port, into a folder that is there. */
export async function playForClients(folder: string, prepared: PreparedScenario, { handlers, idKey, inlet }: Servable, { port, livePort, pace, shift, allowsLocalWebhooks }: ServeData, ears: Ears): Promise<Manifest> {
  const { history: { fromUs, toUs } } = prepared.resolved
  const shiftUs = shift === 'none' ? 0 : shiftToUs(fromUs, Date.now())
  const line = new LastReads(lineToHttp(port))
  const live = lineOf<LiveAsk, LiveTold>(livePort)
  const told = { shiftUs, descriptions: descriptionsOf(prepared, allowsLocalWebhooks), fromUs: fromUs + shiftUs, toUs: toUs + shiftUs }
  if (pace.clock === 'lockstep') return playInLockstep(folder, prepared, { handlers, idKey }, { line, live, told, inlet, patienceMs: pace.patienceMs }, ears)
  const { speed } = pace
  return playServedInto(folder, prepared, {
    handlers, idKey, speed, shiftUs, after: (served) => line.after(served),
    drive: async (served) => {
      const looks = new LivePort(served, live, shiftUs)
      ears.serving({ seats: served.begin(), ...told })
      const readMs = wallMs()
      const driver = new WallDriver(served, speed, wallMs, shift === 'none' ? readMs : beginMs(fromUs + shiftUs, speed, { dateMs: Date.now(), readMs }))
      looks.follow(() => ({ atUs: driver.reachedUs, speed, turns: null }))
      const arrived = (arrival: Arrival): void => { driver.arrived(arrival) }
      inlet.post = (_, send, answered) => {
        void send(AbortSignal.timeout(ANSWER_MS)).then((status) => { arrived({ readMs: wallMs(), enter: () => { answered(status) } }) })
      }
      hearExchanges(served, line, arrived)
      const stoppedUs = await driver.play(ears.signal)
      ears.ended({ clock: 'wall', ...driver.lag })
      return stoppedUs
    },
  })
}

const turnsOf = ({ counts, parties }: LockstepDriver): LiveTurns => ({
  count: counts.turns, waitsFor: parties.filter(({ state, turn }) => state === 'coming' || turn !== null).map(({ name }) => name),
  away: parties.filter(({ state }) => state === 'away').map(({ name }) => name),
})

interface LockstepWays {
  readonly line: LastReads
  readonly live: Line<LiveAsk, LiveTold>
  readonly told: Omit<Serving, 'seats'>
  readonly inlet: Servable['inlet']
  readonly patienceMs: number
}

function playInLockstep(folder: string, prepared: PreparedScenario, { handlers, idKey }: Omit<Servable, 'inlet'>, { line, live, told, inlet, patienceMs }: LockstepWays, { signal, serving, say, ended }: Ears): Promise<Manifest> {
  const { shiftUs } = told
  const tokens = new Map<number, string>()
  const tokenOf = (account: number): string => {
    const token = tokens.get(account) ?? randomBytes(KEY_BYTES).toString('base64url')
    tokens.set(account, token)
    return token
  }
  let driver: LockstepDriver | null = null
  return playServedInto(folder, prepared, {
    handlers, idKey, speed: 0, shiftUs, told: (seat, why) => { driver!.told(seat, why) }, after: (served) => line.after(served),
    drive: async (served: ServedSession) => {
      const looks = new LivePort(served, live, shiftUs)
      const seats = served.begin().map(({ seat, credentials }) => ({ seat, credentials: { ...credentials, control_token: tokenOf(seat.account) } }))
      driver = new LockstepDriver(served, line, { patienceMs, shiftUs, tokenOf, say, waitsFor: (names) => { say(`time waits for ${names.join(', ')}`) } })
      inlet.post = (url, send, answered) => { driver!.post(url, send, answered) }
      looks.follow(() => ({ atUs: served.nowUs, speed: null, turns: turnsOf(driver!) }))
      serving({ seats, ...told })
      const stoppedUs = await driver.play(signal)
      ended({ clock: 'lockstep', ...driver.counts })
      return stoppedUs
    },
  })
}
