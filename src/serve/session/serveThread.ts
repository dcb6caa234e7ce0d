import { randomBytes } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'
import type { Manifest } from '../../record/manifest.ts'
import type { PreparedScenario } from '../../scenario/run.ts'
import { type Descriptions, descriptionsOf } from '../descriptions.ts'
import { handlersOf } from '../handlers.ts'
import { WebhookPost } from '../http/webhookPost.ts'
import type { ExternalSeat } from '../serviceHandler.ts'
import { lineOf, type ToHttp, type ToSession } from '../threadMessages.ts'
import { hearExchanges } from './exchangePort.ts'
import { playServedInto } from './playServed.ts'
import type { MakeHandlers } from './servedSession.ts'
import { wallMs } from './wallClock.ts'
import { type Arrival, type Lag, WallDriver } from './wallDriver.ts'

const SECOND_US = 1_000_000
const MS_US = 1000
const KEY_BYTES = 32

/** How a session is to be served, as the thread that plays it is told. */
export interface ServeData {
  readonly port: MessagePort
  readonly speed: number
  /** `now`: every date on the wire is moved by one constant, so that the session begins now. `none`: dates are those recorded. */
  readonly shift: 'now' | 'none'
  readonly allowsLocalWebhooks: boolean
}

/** What clients need before they come. */
export interface Serving {
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
  readonly inlet: { arrived: (arrival: Arrival) => void }
}

/** Throws InputError for a scenario that cannot be served. */
export function servable(prepared: PreparedScenario, path: string, { allowsLocalWebhooks }: ServeData): Servable {
  const inlet: Servable['inlet'] = { arrived: () => {} }
  const webhooks = new WebhookPost(allowsLocalWebhooks)
  const handlers = handlersOf(prepared, path, {
    sessionKey: randomBytes(KEY_BYTES).toString('hex'), allowsLocalWebhooks,
    postWebhook: (attempt, answered) => {
      void webhooks.post(attempt).then((status) => { inlet.arrived({ readMs: wallMs(), enter: () => { answered(status) } }) })
    },
  })
  return { handlers, inlet }
}

/** Plays a session on the wall's clock for the clients at the other end of the port, into a folder that is there. */
export async function playForClients(
  folder: string, prepared: PreparedScenario, { handlers, inlet }: Servable, { port, speed, shift, allowsLocalWebhooks }: ServeData,
  { signal, serving, ended }: { readonly signal: AbortSignal; readonly serving: (serving: Serving) => void; readonly ended: (lag: Lag) => void },
): Promise<Manifest> {
  // Whole seconds stay whole: terms that are signed have no others.
  const shiftUs = shift === 'none' ? 0 : Math.round((Date.now() * MS_US - prepared.resolved.history.fromUs) / SECOND_US) * SECOND_US
  return playServedInto(folder, prepared, {
    handlers, speed, shiftUs,
    drive: async (served) => {
      const { history: { fromUs, toUs } } = prepared.resolved
      serving({ seats: served.begin(), shiftUs, descriptions: descriptionsOf(prepared, allowsLocalWebhooks), fromUs: fromUs + shiftUs, toUs: toUs + shiftUs })
      const driver = new WallDriver(served, speed)
      inlet.arrived = (arrival) => { driver.arrived(arrival) }
      hearExchanges(served, lineOf<ToSession, ToHttp>(port), inlet.arrived)
      const stoppedUs = await driver.play(signal)
      ended(driver.lag)
      return stoppedUs
    },
  })
}
