import type { RequestView, SelectionView } from '../../src/agent/views.ts'
import type { PreparedScenario } from '../../src/scenario/run.ts'
import type { RunRows, TableRow } from './tables.ts'
import type { Tell } from './recomputation.ts'
import type { Watch } from './witness.ts'

/** What a maker was shown first, and when. */
export interface Sight {
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

/** Notes what reaches makers, and when. */
export const noteSights = (sights: Sight[]): Watch => (maker, handler, view) => {
  if (handler !== 'onRequest' && handler !== 'onSelected') return
  const { request, version, deliveredAtUs: atUs } = view as RequestView | SelectionView
  sights.push({ maker, kind: handler === 'onRequest' ? 'request' : 'selection', request, version, quote: handler === 'onRequest' ? -1 : (view as SelectionView).quote, atUs })
}

/**
 * Whether delays that have nothing to do with each other are drawn alike: witnesses say when what reached a maker, the tables when the service
 * sent it, and when the answer came. Only sessions without a gate and without absences tell delays apart from other waits.
 */
export function checkDelays({ resolved }: PreparedScenario, sights: readonly Sight[], run: RunRows, tell: Tell): void {
  const makers = resolved.makers.filter(({ service, faults }) => resolved.services[service]!.gate === undefined && faults.disconnectEveryUs === 0)
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
