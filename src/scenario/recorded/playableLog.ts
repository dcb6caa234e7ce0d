import type { ScriptedLeg } from '../../agent/bettors/scripted.ts'
import type { ServiceName } from '../../engine/config.ts'
import type { LoggedRequest, RfqLog } from '../../feed/rfqLog/rfqLog.ts'
import type { CatalogueIndex } from '../../market/catalogue.ts'
import type { Market } from '../../market/market.ts'
import { Side } from '../../market/sides.ts'
import { assert } from '../../unit/assert.ts'
import type { LeftOutCount } from '../resolved.ts'
import { type BetLimits, betLimitsOf, type ServiceSettings } from '../betLimits.ts'

/** Why a request of a log is not made in a session, in the order in which that is asked. */
export const LEFT_OUT = [
  'another service', 'outside of the session', 'unknown market', 'market not traded', 'legs the service does not take', 'legs that exclude each other',
  'stake the service does not take',
] as const
export type LeftOut = (typeof LEFT_OUT)[number]

/** A request of a log and what a session makes of it: its legs by number, or why it is left out and what shows that. */
export type PlayedRequest = { readonly request: LoggedRequest } & (
  { readonly legs: readonly ScriptedLeg[]; readonly leftOut: null } | { readonly legs: null; readonly leftOut: LeftOut; readonly because: string })

export type MadeRequest = PlayedRequest & { readonly leftOut: null }

/** What decides which requests of a log a session can have. */
export interface LogSession {
  readonly service: ServiceName
  readonly index: CatalogueIndex
  /** Whether a market is traded in the session at all. */
  readonly isTraded: (market: Market) => boolean
  readonly fromUs: number
  /** First instant at which nobody arrives. */
  readonly untilUs: number
  readonly limits: BetLimits
}

/** What a session makes of logs, worked out once for each log and service. */
export class PlayedLogs {
  private readonly known = new Map<string, readonly PlayedRequest[]>()
  private declare readonly logs: ReadonlyMap<string, RfqLog>
  private declare readonly session: Omit<LogSession, 'service' | 'limits'>
  private declare readonly settings: ServiceSettings

  /** @param logs by the file that the scenario gives. */
  constructor(logs: ReadonlyMap<string, RfqLog>, session: Omit<LogSession, 'service' | 'limits'>, settings: ServiceSettings) {
    this.logs = logs
    this.session = session
    this.settings = settings
  }

  log(file: string): RfqLog {
    const log = this.logs.get(file)
    assert(log !== undefined, `the log ${file} has been read`)
    return log
  }

  /** All requests of a log in their order. Nothing of it falls away unsaid. */
  requests(file: string, service: ServiceName): readonly PlayedRequest[] {
    const key = `${service} ${file}`
    let played = this.known.get(key)
    if (played === undefined) {
      const session = { ...this.session, service, limits: betLimitsOf(this.settings, service) }
      played = this.log(file).requests.map((request) => playedRequest(request, session))
      this.known.set(key, played)
    }
    return played
  }

  /** Those that the session has. */
  made(file: string, service: ServiceName): MadeRequest[] {
    return madeOf(this.requests(file, service))
  }
}

const madeOf = (played: readonly PlayedRequest[]): MadeRequest[] => played.filter((one): one is MadeRequest => one.leftOut === null)

function playedRequest(request: LoggedRequest, { service, index, isTraded, fromUs, untilUs, limits }: LogSession): PlayedRequest {
  const without = (leftOut: LeftOut, because: string): PlayedRequest => ({ request, legs: null, leftOut, because })
  const { legs, betMicros, atUs } = request
  if (request.service !== null && request.service !== service) return without('another service', request.service)
  if (atUs < fromUs || atUs >= untilUs) return without('outside of the session', request.id)
  const markets: Market[] = []
  for (const { ticker } of legs) {
    const market = index.ofTicker(ticker)
    if (market === undefined) return without('unknown market', ticker)
    if (!isTraded(market)) return without('market not traded', ticker)
    markets.push(market)
  }
  if (legs.length < limits.legsMin || legs.length > limits.legsMax) return without('legs the service does not take', `${legs.length} in ${request.id}`)
  for (const [i, market] of markets.entries()) {
    // The outcome service has no exclusion keys.
    const other = markets.slice(0, i).find((one) => one === market || (service === 'parlay' && one.exclusionKeys.some((key) => market.exclusionKeys.includes(key))))
    if (other !== undefined) return without('legs that exclude each other', `${other.ticker} and ${market.ticker}`)
  }
  if (betMicros < limits.betMinMicros || betMicros > limits.betMaxMicros) return without('stake the service does not take', `${betMicros / 1e6} USDC in ${request.id}`)
  return { request, legs: legs.map(({ side }, i) => ({ market: markets[i]!.number, side: Side[side] })), leftOut: null }
}

/** How many requests are left out by each cause and what shows the first, in the order of causes; causes that left none out are absent. */
export function countLeftOut(played: readonly PlayedRequest[]): Record<string, LeftOutCount> {
  const counts: Record<string, LeftOutCount> = {}
  for (const cause of LEFT_OUT) {
    const [first, ...others] = played.flatMap((one) => (one.leftOut === cause ? [one.because] : []))
    if (first !== undefined) counts[cause] = { count: 1 + others.length, first }
  }
  return counts
}

/** Who asks: bettors that the log names, each with an account, and one for each request without a name, up to so many. */
const UNNAMED_MAX = 10_000

/** The bettor of each request, from 0, and how many there are. */
export function bettorsOf(made: readonly MadeRequest[]): { readonly bettorOf: readonly number[]; readonly count: number } {
  const numbers = new Map<string, number>()
  let unnamed = 0
  const bettorOf = made.map(({ request: { bettor } }) => {
    const key = bettor === null ? `unnamed ${unnamed++ % UNNAMED_MAX}` : `named ${bettor}`
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  })
  return { bettorOf, count: Math.max(1, numbers.size) }
}

/** What the bettor that stakes most stakes in all, microUSDC. */
export function mostStaked(made: readonly MadeRequest[]): number {
  const staked = new Map<number, number>()
  const { bettorOf } = bettorsOf(made)
  for (const [i, { request }] of made.entries()) staked.set(bettorOf[i]!, (staked.get(bettorOf[i]!) ?? 0) + request.betMicros)
  return [...staked.values()].reduce((most, micros) => Math.max(most, micros), 1)
}
