import { NONE } from '../../../src/unit/none.ts'
import { RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import type { ModelCommand } from './command.ts'
import type { Intent } from './intents.ts'
import { isCollateralised } from './selection.ts'
import { bestQuoteOf, freeOf, isFenced, lastQuoteOf, type Market, type Quote, type Request, type State } from './state.ts'

/** Four rich accounts, a poor one, one that only bids and never has a vault, one with a number far off that has none at first. */
export const ACCOUNTS = [0, 1, 2, 3, 4, 6, 1_100] as const
export const BIDS_ONLY = 6
export const NEVER_NUMBER = 1_000_000
export const OPERATOR = 0

/** Where an intent becomes a command: the model's state at the instant, after its deadlines. */
export interface Scene {
  readonly state: State
  readonly nowUs: number
  readonly profile: ParlayProfile
}

export type Fields = readonly [op: number, account: number, fields: Partial<ModelCommand>]

/** The flaw that the intent has from `threshold` on, if any. */
export const flawOf = (intent: Intent, threshold: number, flaws: readonly Partial<ModelCommand>[]): Partial<ModelCommand> =>
  intent.flaw < threshold ? {} : flaws[(intent.flaw + intent.pick) % flaws.length]!

export const liveMarkets = ({ state, nowUs }: Scene): Market[] =>
  [...state.markets.values()].filter((one) => one.listed && one.result === NONE && nowUs < one.closeUs && !one.halted)

/** Requests whose best quote a commit would select. */
export const commitable = (scene: Scene): Request[] => {
  const { state } = scene
  const live = new Set(liveMarkets(scene).map((market) => market.number))
  return [...state.requests.values()].filter((request) => {
    const best = bestQuoteOf(state, request.number)
    return isOpen(request) && best !== null && request.legs.every((leg) => live.has(leg.market)) && !isFenced(state, request.owner) &&
      freeOf(state, request.owner) >= request.betMicros && isCollateralised(scene, request, best)
  })
}

/** Each maker's last quote on each request. */
export const lastQuotes = (state: State): Quote[] =>
  [...state.quotes.values()].filter((quote) => lastQuoteOf(state, quote.request, quote.maker) === quote)

export const isOpen = (request: Request): boolean => request.state === RequestState.active && request.selection === null

/** A request that is fit, when none is any; now and then one that has ended. */
export function requestFor(intent: Intent, scene: Scene, isFit: (request: Request) => boolean): Request | undefined {
  const all = [...scene.state.requests.values()]
  const fit = all.filter(isFit)
  if (intent.flaw % 8 === 7) return endedFor(intent, scene) ?? pickOf(all, intent.pick)
  return pickOf(fit.length > 0 ? fit : all, intent.pick)
}

/** A known request that has ended, most often not by expiry, if there is such a one. */
export function endedFor(intent: Intent, { state }: Scene): Request | undefined {
  const { committed, cancelled, expired } = RequestState
  const ended = [committed, committed, cancelled, cancelled, expired]
    .map((end) => [...state.requests.values()].filter((request) => request.state === end))
    .filter((some) => some.length > 0)
  return pickOf(pickOf(ended, intent.amount) ?? [], intent.pick)
}

/** The rich accounts act more often. */
const ACTORS = [0, 1, 2, 3, 0, 1, 2, 4, 3, 1_100] as const

export const accountOf = (intent: Intent): number => ACTORS[intent.who % ACTORS.length]!

/** Now and then somebody else than who should act. */
export const ownerOr = (intent: Intent, owner: number | undefined): number =>
  owner === undefined || intent.flaw % 25 === 24 ? accountOf(intent) : owner

export const pickOf = <T>(items: readonly T[], pick: number): T | undefined =>
  items.length === 0 ? undefined : items[pick % items.length]
