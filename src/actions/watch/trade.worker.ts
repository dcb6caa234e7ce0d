import { resolve } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { type Players, rejectionsTold } from '../../scenario/rejections.ts'
import { nameSources } from '../../scenario/sourcePlaces.ts'
import { importOf, isPath, type LoadedStrategy } from '../../scenario/strategies.ts'
import { checkValues, loadNamedStrategy, writtenValues } from '../../scenario/tradedStrategy.ts'
import { type Seat, seatOf } from '../../trade/credentials.ts'
import { trade, type TradeSummary } from '../../trade/trade.ts'
import type { StopOrder } from './watchedThread.ts'
import { tell, tellBegins, tellFailure, tellRejections, whileLoading } from './watchedWork.ts'

/** The thread in which `parlor trade` plays, so that a strategy that never returns, or ends its thread, can be named (tradeThread.ts). */

export interface TradeThreadData {
  /** A strategy file, or the name of a built-in one. */
  readonly use: string
  readonly isTrusted: boolean
  /** Values of parameters, as `name=value`. */
  readonly set: readonly string[]
  readonly credentials: string
  readonly seat: string | undefined
  readonly url: string | undefined
  readonly seed: string
  readonly ratePerHour: number
  readonly betsMax: number | undefined
}

/** A seat without its secrets. */
export type HeldSeat = Pick<Seat, 'name' | 'role' | 'service' | 'url' | 'controlUrl'>

/** What it tells beside what every watched thread tells. */
export type TradeNotice =
  /** It goes to the service now. */
  | { readonly kind: 'plays'; readonly seat: HeldSeat }
  | { readonly kind: 'traded'; readonly summary: TradeSummary }

nameSources()
const stop = new AbortController()
let players: Players = []
tellRejections(() => players)
parentPort!.on('message', (order: StopOrder) => { if (order === 'stop') stop.abort() })
play(workerData as TradeThreadData).catch(tellFailure)

async function play(data: TradeThreadData): Promise<void> {
  const { seed, ratePerHour, betsMax, credentials } = data
  const { loaded: { strategy, path }, values } = await loadedFor(data)
  const seat = seatOf(credentials, { role: strategy.role, name: data.seat, url: data.url })
  const { name, role, service, url, controlUrl } = seat
  players = [{ name, path }]
  tellBegins([name])
  checkValues(name, strategy, values)
  tell<TradeNotice>({ kind: 'plays', seat: { name, role, service, url, controlUrl } })
  const summary = await trade({ seat, strategy, values, seed, ratePerHour, ...(betsMax === undefined ? {} : { betsMax }), say: (line) => { tell({ kind: 'say', line }) } }, stop.signal)
  await rejectionsTold()
  tell<TradeNotice>({ kind: 'traded', summary })
}

/** Parameters of a file that runs in no room may be read by code of the file. */
function loadedFor({ use, isTrusted, set }: TradeThreadData): Promise<{ readonly loaded: LoadedStrategy; readonly values: Readonly<Record<string, number>> }> {
  const load = async () => {
    const loaded = await loadNamedStrategy(use, importOf(isTrusted))
    return { loaded, values: writtenValues(loaded.strategy.parameters, set) }
  }
  return isPath(use) ? whileLoading(resolve(use), isTrusted, load) : load()
}
