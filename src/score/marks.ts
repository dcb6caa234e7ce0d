import type { ClusteredSums } from './clusteredSums.ts'
import { MarkColumn, markColumn } from './columns.ts'
import type { RequestVersions } from './requests.ts'
import { codesIn, type Names, orNaN, type RunTables } from './runTables.ts'

const KINDS = ['filled', 'traded_away'] as const
const [WON, LOST] = [0, 1] as const

/** How many marks of won quotes a mark-out rests on (`won` − `unknown`), and how many of won and of lost quotes a winner's curse. */
export interface MarkCounts {
  won: number
  /** Marks among them that were valued at the end of the session, because it came before the horizon. */
  censored: number
  /** Marks among them without a reference (unknown or void), which count in no mean. */
  unknown: number
  /** Won and lost quotes with a reference and with a fair value of their maker: the two sides of the winner's curse. */
  wonWithFair: number
  lostWithFair: number
}

/** Horizons of the `marks` table, µs, ascending: those that were asked for, or in an older run those that the table has. */
export function horizonsOf(tables: RunTables): number[] {
  const asked = tables.open('marks').metadata['horizons_us']
  if (asked !== undefined) return asked === '' ? [] : asked.split(' ').map(Number)
  const horizons = new Set<number>()
  for (const batch of tables.batches('marks')) for (const horizon of batch.numbers('horizon_us', 'int64')) horizons.add(horizon)
  return [...horizons].sort((a, b) => a - b)
}

/** One pass over the marks, for mark-outs of won quotes and for V − F of won and lost quotes. Returns counts by maker and horizon. */
export function readMarks(
  tables: RunTables, makers: Names, versions: RequestVersions, horizonsUs: readonly number[], sums: ClusteredSums,
): MarkCounts[][] {
  const counts = makers.list.map(() => horizonsUs.map((): MarkCounts => ({ won: 0, censored: 0, unknown: 0, wonWithFair: 0, lostWithFair: 0 })))
  for (const batch of tables.batches('marks')) {
    const request = batch.numbers('request', 'int64')
    const horizon = batch.numbers('horizon_us', 'int64')
    const censored = batch.numbers('censored', 'bool')
    const probability = batch.numbers('quoted_probability', 'float64')
    const payout = batch.numbers('payout_micros', 'micros')
    const fair = orNaN(batch, 'fair')
    const reference = orNaN(batch, 'reference')
    const maker = makers.of(batch, 'maker')
    const kind = codesIn(KINDS, batch, 'kind')
    for (let row = 0; row < batch.rowCount; row++) {
      if (kind[row] !== WON && kind[row] !== LOST) continue
      const won = kind[row] === WON
      const m = maker[row]!
      const h = horizonsUs.indexOf(horizon[row]!)
      const value = reference[row]!
      const version = versions.findFilled(request[row]!)
      // A fill that failed on the chain was no trade, for who won it or lost it.
      if (version < 0) continue
      if (won) tally(counts[m]![h]!, censored[row] === 1, Number.isNaN(value))
      if (Number.isNaN(value)) continue
      const cluster = versions.clusterOf(version)
      const paid = payout[row]!
      if (won) {
        sums.add(m, cluster, markColumn(h, MarkColumn.payout), paid)
        sums.add(m, cluster, markColumn(h, MarkColumn.markOut), Math.round(paid * (probability[row]! - value)))
      }
      if (Number.isNaN(fair[row]!)) continue
      counts[m]![h]![won ? 'wonWithFair' : 'lostWithFair']++
      sums.add(m, cluster, markColumn(h, won ? MarkColumn.wonPayout : MarkColumn.lostPayout), paid)
      sums.add(m, cluster, markColumn(h, won ? MarkColumn.wonGap : MarkColumn.lostGap), Math.round(paid * (value - fair[row]!)))
    }
  }
  return counts
}

function tally(counts: MarkCounts, censored: boolean, unknown: boolean): void {
  counts.won++
  if (censored) counts.censored++
  if (unknown) counts.unknown++
}
