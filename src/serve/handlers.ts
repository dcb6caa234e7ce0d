import { sourceOf } from '../market/tickSource.ts'
import { sourceBefore } from '../market/tickWindow.ts'
import { legSource } from '../scenario/legPrices.ts'
import { hasExternalSeats } from '../scenario/externalSeats.ts'
import { outcomeLimbs } from '../scenario/outcomeIds.ts'
import type { PreparedScenario } from '../scenario/run.ts'
import { InputError } from '../unit/inputError.ts'
import { SERVICE_NAMES } from '../unit/services.ts'
import { decimalOfLimbs } from '../venue/outcome/protocol/outcomeId.ts'
import type { SplitKey } from '../venue/wire/sessionDigests.ts'
import { outcomeHandler } from './outcome/handler.ts'
import { parlayHandler } from './parlay/handler.ts'
import type { PostWebhook } from './parlay/webhookSends.ts'
import type { MakeHandlers } from './session/servedSession.ts'

/** The page whose users may issue keys of the outcome service. Clients name it as their Origin. */
const PAGE = 'https://parlor.example'

export interface HandlerTerms {
  /** What every id, key and secret on the wire is derived from. */
  readonly sessionKey: string | SplitKey
  readonly allowsLocalWebhooks: boolean
  readonly postWebhook: PostWebhook
}

/** The handlers of a scenario's services. Throws InputError for what cannot be served. `path` is that of the scenario. */
export function handlersOf({ resolved, store, chain }: PreparedScenario, path: string, terms: HandlerTerms): MakeHandlers {
  const { services, history } = resolved
  const position = { file: path }
  for (const name of SERVICE_NAMES) {
    const { [name]: service } = services
    if (service !== undefined && service.gate === undefined) throw new InputError('clients call a service behind its gate, and the scenario has none', { position, hint: `write services: { ${name}: { …, gate: {} } }` })
  }
  if (chain.chains.length > 0) throw new InputError('a session that waits for a chain cannot follow the wall\'s clock', { position, hint: 'parlor serve … --set chain=none' })
  if (!hasExternalSeats(resolved)) throw new InputError('no seat is a client\'s', { position, hint: 'write external: true in the place of a strategy, as makers: [{ external: true, name: ours }]' })
  const ticks = legSource(sourceBefore(sourceOf(store.ticks), history.toUs), history.legs)
  const outcomeIds = (): string[] => store.catalogue.markets.map((market) => decimalOfLimbs(outcomeLimbs(market)))
  return {
    ...(services.parlay !== undefined && { parlay: parlayHandler({ ...terms, ticks }) }),
    ...(services.outcome !== undefined && { outcome: outcomeHandler({ ticks, outcomeIds: outcomeIds(), sessionKey: terms.sessionKey, pages: [PAGE] }) }),
  }
}
