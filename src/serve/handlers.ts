import { ticksBetween } from '../market/tickWindow.ts'
import { legTicks } from '../scenario/legPrices.ts'
import { hasExternalSeats } from '../scenario/externalSeats.ts'
import type { PreparedScenario } from '../scenario/run.ts'
import { InputError } from '../unit/inputError.ts'
import { parlayHandler } from './parlay/handler.ts'
import type { PostWebhook } from './parlay/webhookSends.ts'
import type { MakeHandlers } from './session/servedSession.ts'

export interface HandlerTerms {
  /** What every id, key and secret on the wire is derived from. */
  readonly sessionKey: string
  readonly allowsLocalWebhooks: boolean
  readonly postWebhook: PostWebhook
}

/** The handlers of a scenario's services. Throws InputError for what cannot be served. `path` is that of the scenario. */
export function handlersOf({ resolved, store, chain }: PreparedScenario, path: string, terms: HandlerTerms): MakeHandlers {
  const { services: { parlay, outcome }, history } = resolved
  const position = { file: path }
  if (outcome !== undefined) throw new InputError('the outcome service has no handler of calls yet', { position, hint: 'serve a scenario with the parlay service alone' })
  if (parlay?.gate === undefined) throw new InputError('clients call a service behind its gate, and the scenario has none', { position, hint: 'write services: { parlay: { …, gate: {} } }' })
  if (chain.chains.length > 0) throw new InputError('a session that waits for a chain cannot follow the wall\'s clock', { position, hint: 'parlor serve … --set chain=none' })
  if (!hasExternalSeats(resolved)) throw new InputError('no seat is a client\'s', { position, hint: 'write external: true in the place of a strategy, as makers: [{ external: true, name: ours }]' })
  const ticks = legTicks(ticksBetween(store.ticks, -Infinity, history.toUs), history.legs)
  return { parlay: parlayHandler({ ...terms, ticks }) }
}
