import type { Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import type { ServedProcess } from '../session.ts'
import { CASH_OUTS } from './cashOuts.ts'
import { CHANNELS } from './channels.ts'
import { CONVENTIONS } from './conventions.ts'
import { FAULTS, WINDOWS } from './faults.ts'
import { KEYS_AND_SCOPES } from './keys.ts'
import { LIMITS } from './limits.ts'
import { MAKERS } from './makers.ts'
import { MARKETS } from './markets.ts'
import { MONEY } from './money.ts'
import { QUOTE_REQUESTS } from './quoteRequests.ts'
import { SETTLEMENT, WEBHOOK_URLS, WEBHOOKS } from './webhooks.ts'
import { World } from './world.ts'

export { PARLAY_SESSIONS } from './world.ts'
export const PARLAY_AREAS: readonly Area<World>[] = [
  MARKETS, QUOTE_REQUESTS, MAKERS, CASH_OUTS, MONEY, KEYS_AND_SCOPES, WEBHOOKS, CHANNELS, CONVENTIONS, LIMITS, WINDOWS, WEBHOOK_URLS, FAULTS, SETTLEMENT,
]
export const openParlay = (served: ServedProcess, noted: Seen[], place: number): World => new World(served, noted, place)
