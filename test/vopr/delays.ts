import { Session } from '../../src/engine/session.ts'
import { buildSession } from '../../src/scenario/build.ts'
import type { PreparedScenario } from '../../src/scenario/run.ts'
import type { RunRows, TableRow } from './tables.ts'
import type { Tell } from './recomputation.ts'

/** What a maker was shown, and when. */
interface Sight {
  readonly maker: string
  readonly kind: 'request' | 'selection'
  readonly request: number
  readonly version: number
  readonly quote: number
  readonly atUs: number
}

/** Shares of a delay that lie closer together than this are taken for one draw. */
const SAME = 1e-5
/** Widths below this are too few µs for shares to tell draws apart. */
const WIDE_US = 20_000
/** So many pairs make a fault: by chance two shares are as close once in 50,000 pairs. */
const PAIRS = 3
/** A share of fewer expected ignored requests than this tells nothing: nothing below it comes by chance once in e¹⁶. */
const EXPECTED_BELOW = 16

/**
 * Whether delays that have nothing to do with each other are drawn alike. A witness sits in front of each maker's strategy and notes when what
 * reached the maker; the tables say when the service sent it, and when the answer came. Only sessions without a gate and without absences tell
 * delays apart from other waits.
 */
export function checkDelays({ resolved, strategies, store }: PreparedScenario, run: RunRows, tell: Tell): void {
  const makers = resolved.makers.filter(({ service, faults }) => resolved.services[service]!.gate === undefined && faults.disconnectEveryUs === 0)
  if (makers.length === 0) return
  const sights = witnessed({ resolved, strategies, store } as PreparedScenario)
  for (const { name, service, latency, faults } of makers) {
    const own = sights.filter(({ maker }) => maker === name)
    const looks = new Map(run.table('acceptances').filter((row) => row['service'] === service).map((row) => [row['quote'], row]))
    const versions = new Map(run.table('requests').filter((row) => row['service'] === service).map((row) => [`${row['request'] as number} ${row['version'] as number}`, row]))
    const heard = own.flatMap(({ kind, quote, atUs }) => {
      const look = looks.get(quote)
      return kind === 'selection' && look !== undefined ? [{ look, atUs, share: shareOf(atUs - num(look, 'selected_at'), latency.broadcast) }] : []
    })
    if (latency.broadcast.jitterUs > WIDE_US && latency.confirm.jitterUs > WIDE_US) {
      const pairs = heard.filter(({ look, atUs, share }) => look['outcome'] === 'confirmed' && Math.abs(share - shareOf(num(look, 'decided_at') - atUs, latency.confirm)) < SAME + 2 / WIDE_US)
      if (pairs.length >= PAIRS) tell(`${name} confirms with the draw by which it heard of the selection, ${pairs.length} times`)
    }
    if (latency.broadcast.jitterUs > WIDE_US && faults.ignore * own.filter(({ kind }) => kind === 'request').length > EXPECTED_BELOW) {
      const shares = own.flatMap(({ kind, request, version, atUs }) => {
        const row = versions.get(`${request} ${version}`)
        return kind === 'request' && row !== undefined ? [shareOf(atUs - num(row, 'created_at'), latency.broadcast)] : []
      })
      if (shares.length * faults.ignore > EXPECTED_BELOW && shares.every((share) => share >= faults.ignore - SAME)) tell(`${name} hears no request whose delay is among the shortest: it ignores by the draw of its delay`)
    }
  }
}

const num = (row: TableRow, name: string): number => row[name] as number
const shareOf = (delayUs: number, { baseUs, jitterUs }: { readonly baseUs: number; readonly jitterUs: number }): number => (delayUs - baseUs) / (jitterUs + 1)

function witnessed({ resolved, strategies, store }: PreparedScenario): Sight[] {
  const sights: Sight[] = []
  const { config } = buildSession(resolved, strategies, store)
  const watched = <S extends { readonly makers: readonly { readonly name: string; readonly strategy: { readonly create: (...args: never[]) => object } }[] }>(service: S | undefined): S | undefined =>
    service && { ...service, makers: service.makers.map((seat) => ({ ...seat, strategy: { ...seat.strategy, create: (...args: never[]) => witness(seat.name, seat.strategy.create(...args), sights) } })) }
  new Session({ ...config, ...(config.parlay && { parlay: watched(config.parlay)! }), ...(config.outcome && { outcome: watched(config.outcome)! }), sinks: [] }).runToEnd()
  return sights
}

/** The handlers of a strategy, with a note of what each is shown first. */
function witness(maker: string, handlers: object, sights: Sight[]): object {
  type Handler = (view: { request: number; version: number; quote: number; deliveredAtUs: number }, ...rest: unknown[]) => void
  const own = handlers as { onRequest?: Handler; onSelected?: Handler }
  const noted = (kind: Sight['kind'], handler: Handler | undefined): Handler | undefined => handler && ((view, ...rest) => {
    sights.push({ maker, kind, request: view.request, version: view.version, quote: kind === 'selection' ? view.quote : -1, atUs: view.deliveredAtUs })
    handler.call(handlers, view, ...rest)
  })
  const [onRequest, onSelected] = [noted('request', own.onRequest), noted('selection', own.onSelected)]
  return Object.assign(handlers, onRequest && { onRequest }, onSelected && { onSelected })
}
