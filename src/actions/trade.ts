import { randomBytes } from 'node:crypto'
import { writtenLimits } from '../scenario/strategyLimits.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, calling, sayOf, signalOf, type TrustOption } from './options.ts'
import { tradeInThread } from './watch/tradeThread.ts'

const SEED_BYTES = 8
const RATE_PER_HOUR = 60

export interface TradeOptions extends ActionOptions, TrustOption {
  /** The file of credentials that `serve` writes. */
  readonly credentials: string
  /** Address of the service. The default is the one in the credentials. */
  readonly url?: string
  /** Name of the seat. The default is the only one of the strategy's role. */
  readonly seat?: string
  /** What the strategy draws inside is drawn from it. The default is one that is drawn, and named in the result. */
  readonly seed?: string
  /** Values of parameters, as `margin=3%`. */
  readonly set?: readonly string[]
  /** With a bettor: how many bets come in an hour of the session. The default is 60. */
  readonly ratePerHour?: number
  /** With a bettor: how many come at most. */
  readonly betsMax?: number
  /** A call of the strategy, or the loading of its file, that takes longer ends it, as `1m`, which is the default. */
  readonly callLimit?: string
  /** Memory of the thread in which the strategy plays, as `512 MiB`; more ends it. */
  readonly memoryLimit?: string
  /** The client goes to the service now. */
  readonly onPlays?: (seat: TradedSeat, seed: string) => void
}

/** A seat of a served session, without its secrets. */
export interface TradedSeat {
  readonly name: string
  readonly role: string
  readonly service: string
  readonly url: string
  /** Where turns are taken, null by the wall's clock. */
  readonly controlUrl: string | null
}

/** What a client did, by names for people. Money is microUSDC under names that end so. */
export interface TradedSession {
  readonly calls: number
  /** By the code of the service. */
  readonly refusals: Readonly<Record<string, number>>
  readonly figures: Readonly<Record<string, number>>
  readonly seat: TradedSeat
  readonly seed: string
}

/**
 * Plays a strategy as a client of a served session, until that is over or the signal is aborted, which withdraws quotes and ends what is open. The
 * strategy plays in a thread of its own, which is watched.
 *
 * @param strategy the path of a strategy file, or the name of a built-in strategy
 * @returns what the client did
 * @throws InputError for a strategy, credentials or values that cannot be
 * @throws RunFailure where the strategy fails
 * @throws Interrupted where it does not leave by itself after the signal
 * @example
 * const { calls, figures } = await trade('fixed-margin', { credentials: 'runs/live.credentials.json', set: ['margin=3%'] })
 */
export const trade = (strategy: string, options: TradeOptions): Promise<TradedSession> => acting(async () => {
  throwIfAborted(options.signal)
  const { credentials, url, seat: wanted, set = [], ratePerHour = RATE_PER_HOUR, betsMax, trusted = false, seed = randomBytes(SEED_BYTES).toString('hex'), onPlays } = options
  const { seat, summary } = await tradeInThread({
    data: { use: strategy, isTrusted: trusted, set, credentials, seat: wanted, url, seed, ratePerHour, betsMax },
    signal: signalOf(options), limits: writtenLimits({ callLimit: options.callLimit, memoryLimit: options.memoryLimit }), say: sayOf(options),
    onPlays: (held) => { calling(onPlays)(held, seed) },
  })
  return { seat, seed, ...summary }
})
