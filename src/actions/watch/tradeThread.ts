import type { TradeSummary } from '../../trade/trade.ts'
import type { HeldSeat, TradeNotice, TradeThreadData } from './trade.worker.ts'
import { type PresentCall, WatchedThread, type WatchOptions } from './watchedThread.ts'

const WORKER_URL = new URL('./trade.worker.ts', import.meta.url)

export interface TradeThreadOptions extends WatchOptions {
  readonly data: TradeThreadData
  /** Told before the client goes to the service. */
  readonly onPlays: (seat: HeldSeat) => void
}

/** What a client did, and in which seat. */
export interface Traded {
  readonly seat: HeldSeat
  readonly summary: TradeSummary
}

/**
 * Plays a strategy as a client in a thread of its own, until the session is over or the signal is aborted. Throws a RunFailure or an InputError for what happened
 * in the thread, Interrupted where it does not leave by itself after the signal.
 */
export async function tradeInThread({ data, onPlays, ...watching }: TradeThreadOptions): Promise<Traded> {
  const traded = Promise.withResolvers<Traded>()
  let seat: HeldSeat | null = null
  const thread = new WatchedThread<TradeNotice>({
    ...watching, url: WORKER_URL, worker: { workerData: data }, isTrusted: data.isTrusted, plays: 'client', fail: traded.reject, last: ['traded'],
    hear: (notice) => {
      if (notice.kind === 'traded') return traded.resolve({ seat: seat!, summary: notice.summary })
      const held = notice.seat
      seat = held
      thread.call(() => { onPlays(held) })
    },
    unstopped: (called) => (seat === null ? undefined : unstoppedText(seat, called)),
  })
  return traded.promise.finally(() => thread.close())
}

/** Of a client that was ended, nobody knows what it has open. */
const unstoppedText = ({ name }: HeldSeat, called: PresentCall): string =>
  `interrupted: ${called === null ? `the client of ${name} did not leave` : `strategy of ${name} did not return from ${called.handler}`}, and what it has open was left as it stands`
