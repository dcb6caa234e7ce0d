import { type Command, Option } from 'commander'
import type { CoverageDay, CoverageGap, StoreCoverage } from '../actions/lookAtStore.ts'
import { columnsText } from '../unit/columnsText.ts'
import { fixed, percent, plural, thousands } from '../unit/numberText.ts'
import { collect, common, type CommonOptions, print, printJson, remark, withExamples } from './common.ts'
import { ExitCode } from './failure.ts'
import { progressBar } from './progressBar.ts'
import type { Interruption } from './signals.ts'
import { printAnswer } from './sql.ts'

const STORE = ['<store>', 'name or path of a store'] as const

/** Options of the commands that read a store through. */
interface ReadingOptions extends CommonOptions {
  readonly quiet?: boolean
}

/** Calls an action that reads a store through, and shows how far it is. */
async function watched<T>({ quiet, json }: ReadingOptions, interruption: () => Interruption, read: (options: {
  readonly signal: AbortSignal; readonly onProgress: (progress: { readonly share: number; readonly ticks: number }) => void
}) => Promise<T>): Promise<T> {
  const bar = await progressBar('prices', quiet === true || json === true)
  return read({ signal: interruption().signal, onProgress: ({ share, ticks }) => { bar.step({ share, done: ticks }) } }).finally(() => { bar.stop() })
}

interface CoverageOptions extends ReadingOptions {
  readonly gap?: string
  readonly out?: string
}

export function addCoverage(data: Command, interruption: () => Interruption): void {
  const command = data.command('coverage').argument(...STORE).summary('tell and picture what a store covers')
    .description('Read a store through, and tell by day its prices, the markets that have some, gaps while markets traded, and how long books were crossed or empty. Markets that can never be asked for are counted by reason. With --out, one HTML page has the same with pictures. The page needs no network and no other file.')
    .option('--gap <span>', 'a gap is longer than this (default: 1h)')
    .option('--out <file>', 'write the page to this path')
    .option('--quiet', 'print no progress')
  common(command, 'parlor data coverage quickstart', 'parlor data coverage quickstart --gap 10m --out coverage.html').action(async (store: string, _: CoverageOptions, self: Command) => {
    const options: CoverageOptions = self.optsWithGlobals()
    const { coverage } = await import('../actions/lookAtStore.ts')
    const { gap, out } = options
    const found = await watched(options, interruption, (reading) => coverage(store, { ...reading, ...(gap === undefined ? {} : { gap }), ...(out === undefined ? {} : { page: out }) }))
    if (options.json === true) return printJson(found)
    print(coverageText(found))
    if (out !== undefined) print(`\n${out}: the same with pictures`)
  })
}

function coverageText({ markets, ticks, gapUs, days, gaps, longestGaps, silences, longestSilences, unaskable }: StoreCoverage): string {
  const lines = [`${plural(markets, 'market')}, ${plural(ticks, 'price')}, ${plural(days.length, 'day')}. A gap is longer than ${lengthText(gapUs)}.`, '']
  lines.push(columnsText([
    ['day', 'prices', 'markets', 'priced', 'gaps', 'longest', 'market hours', 'both sides', 'locked', 'crossed', 'one side', 'last alone', 'empty'], ...days.map(dayRow),
  ], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]))
  lines.push('', ...gapLines('of all markets', silences, longestSilences), ...gapLines('of a market', gaps, longestGaps))
  if (unaskable.length === 0) lines.push('every market can be asked for')
  for (const { reason, markets: count, first } of unaskable) lines.push(`never asked for, ${reason}: ${thousands(count)}, such as ${first.join(', ')}`)
  return lines.join('\n')
}

function dayRow({ date, ticks, markets, priced, gaps, longestGapUs, states }: CoverageDay): string[] {
  const { whole, locked, crossed, oneSided, lastOnly, empty } = states
  const all = whole + locked + crossed + oneSided + lastOnly + empty
  const share = (us: number): string => percent(all === 0 ? null : us / all, 1)
  return [date, thousands(ticks), thousands(markets), thousands(priced), thousands(gaps), gaps === 0 ? '-' : lengthText(longestGapUs), fixed(all / HOUR_US, 1), ...[whole, locked, crossed, oneSided, lastOnly, empty].map(share)]
}

const SHOWN_GAPS = 3

const gapLines = (of: string, count: number, longest: readonly CoverageGap[]): string[] => [
  `gaps ${of}: ${thousands(count)}`,
  ...longest.slice(0, SHOWN_GAPS).map(({ market, fromUs, toUs }) => `  ${lengthText(toUs - fromUs)} from ${secondText(fromUs)}${market === null ? '' : ` of ${market}`}`),
]

/** A length of time in hours and minutes, or seconds. */
function lengthText(us: number): string {
  const seconds = Math.round(us / 1e6)
  if (seconds < 60) return `${fixed(us / 1e6, 1)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${thousands(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

export function addVerifyData(data: Command, interruption: () => Interruption): void {
  const command = data.command('verify').argument(...STORE).summary('look for all that may be wrong with a store')
    .description('Compare all files of a store with their hashes, and read all its prices: their ranges, their order and their markets, and the sums that the store keeps. The exit code is 2 where something is wrong, which is named with file and row.')
    .option('--quiet', 'print no progress')
  common(command, 'parlor data verify quickstart').action(async (store: string, _: ReadingOptions, self: Command) => {
    const options: ReadingOptions = self.optsWithGlobals()
    const { verifyStore } = await import('../actions/lookAtStore.ts')
    const found = await watched(options, interruption, (reading) => verifyStore(store, reading))
    if (found.faults.length > 0) process.exitCode = ExitCode.wrongInput
    if (options.json === true) return printJson(found)
    for (const { file, row, message } of found.faults) remark(`${file}${row === undefined ? '' : `:${row}`}: ${message}`)
    if (found.faults.length > 0) return remark(plural(found.faults.length, 'fault'))
    print(`${found.path}: nothing is wrong with ${plural(found.files, 'file')}, ${plural(found.parts, 'part')} and ${plural(found.ticks, 'price')}`)
  })
}

interface ExportOptions extends ReadingOptions {
  readonly csv?: boolean
  readonly parquet?: boolean
  readonly out?: string
  readonly from?: string
  readonly to?: string
  readonly market?: readonly string[]
  readonly depth?: boolean
}

export function addExport(data: Command, interruption: () => Interruption): void {
  const command = data.command('export').argument(...STORE).summary('write prices of a store for other programs')
    .description('Write prices of a store as CSV or Parquet, in order of time. The columns are those of the store: prices are millionths of a dollar, and an empty cell is an empty side or an unknown size. Memory does not grow with the store.')
    .addOption(new Option('--csv', 'comma-separated values, to standard output unless --out names a file').conflicts('parquet'))
    .option('--parquet', 'Parquet, to the file of --out')
    .option('--out <file>', 'path of the file')
    .option('--from <instant>', 'first instant, as 2025-06-19 or 2025-06-19T19:00:00Z')
    .option('--to <instant>', 'first instant that is left out')
    .option('--market <ticker>', 'only this market; may be repeated', collect)
    .option('--depth', 'the levels of books that the store keeps, in place of prices')
    .option('--quiet', 'print no progress')
  common(command, 'parlor data export quickstart --csv --from 2025-06-19 --to 2025-06-20', 'parlor data export quickstart --parquet --out prices.parquet')
    .action(async (store: string, _: ExportOptions, self: Command) => { await exportPrices(store, self.optsWithGlobals(), self, interruption) })
}

async function exportPrices(store: string, options: ExportOptions, self: Command, interruption: () => Interruption): Promise<void> {
  const { csv, parquet, out, from, to, market, depth, json } = options
  if (csv !== true && parquet !== true) self.error('error: expected --csv or --parquet')
  if (out === undefined && (parquet === true || json === true)) self.error(`error: ${parquet === true ? '--parquet' : '--json'} needs --out, the path of the file`)
  const { exportTicks } = await import('../actions/lookAtStore.ts')
  const { rows } = await watched(options, interruption, (reading) => exportTicks(store, {
    ...reading, format: parquet === true ? 'parquet' : 'csv', out: out ?? toOutput, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), ...(market === undefined ? {} : { markets: market }), depth: depth === true,
  }))
  if (json === true) printJson({ file: out, rows })
  else if (out !== undefined) print(`${out}: ${plural(rows, depth === true ? 'book' : 'price')}`)
}

/** Waits until whoever reads the output has taken most of it. */
const toOutput = (text: string): void | Promise<void> => (process.stdout.write(text) ? undefined : new Promise((resolve) => { process.stdout.once('drain', resolve) }))

interface GroupsOptions extends CommonOptions {
  readonly groups?: string
}

export function addGroups(data: Command): void {
  const command = data.command('groups').argument(...STORE).summary('count which markets exclude each other')
    .description('Count which markets exclude each other, by the exclusion keys of imports, and by rules that a scenario or an import would use. A pair counts for each rule that excludes it, and as alone where nothing else does.')
    .option('--groups <file>', 'file of rules')
  common(command, 'parlor data groups quickstart').action(async (store: string, _: GroupsOptions, self: Command) => {
    const options: GroupsOptions = self.optsWithGlobals()
    const { groups } = await import('../actions/lookAtStore.ts')
    const found = await groups(store, options.groups === undefined ? {} : { groups: options.groups })
    if (options.json === true) return printJson(found)
    const count = (pairs: number | null): string => (pairs === null ? 'too many' : thousands(pairs))
    print(columnsText([
      ['made by', 'rule', 'markets', 'groups', 'pairs', 'alone', 'largest', 'of'],
      ...found.rules.map(({ name, isImported, markets, groups: keys, pairs, pairsAlone, largest }) =>
        [isImported ? 'import' : 'rules', name, thousands(markets), thousands(keys), count(pairs), count(pairsAlone), largest === null ? '-' : thousands(largest.markets), largest?.key ?? '-']),
    ], [2, 3, 4, 5, 6]))
    print(`${plural(found.markets, 'market')}, ${count(found.pairs)} pairs that exclude each other, ${plural(found.single, 'market')} that ${found.single === 1 ? 'excludes' : 'exclude'} no other`)
  })
}

interface SqlOptions extends ReadingOptions {
  readonly csv?: boolean
  readonly from?: string
  readonly to?: string
}

export function addSqlData(data: Command, interruption: () => Interruption): void {
  const command = data.command('sql').argument(...STORE).argument('<query>', 'one SELECT, in DuckDB\'s SQL')
    .summary('answer a question about the prices of a store')
    .description('Answer one SELECT about a store. Its views are `ticks`, with the columns of an export, and `markets`. The prices that the query may see are made ready first, so that --from and --to make it as fast as their days are few; a condition on `seen_at` alone does not. The store is only read. It needs DuckDB, which parlor comes without: where it is missing, the command that adds it is said.')
    .option('--from <instant>', 'first instant of the view ticks, as 2025-06-19 or 2025-06-19T19:00:00Z')
    .option('--to <instant>', 'first instant that is left out')
    .addOption(new Option('--csv', 'print comma-separated values; an empty cell is null').conflicts('json'))
    .option('--json', 'print a JSON object for each row, one a line')
    .option('--quiet', 'print no progress')
  withExamples(command, 'parlor data sql quickstart "select market, count(*) as prices from ticks group by market order by prices desc limit 5"')
    .action(async (store: string, query: string, _: SqlOptions, self: Command) => {
      const options: SqlOptions = self.optsWithGlobals()
      const { csv, json, from, to } = options
      const { sqlStore } = await import('../actions/lookAtStore.ts')
      const answer = await watched(options, interruption, (reading) => sqlStore(store, query, { ...reading, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }))
      printAnswer(answer, json === true ? 'json' : csv === true ? 'csv' : 'table')
    })
}

/** Times of unit/time.ts come with the engine, without which the command line begins. */
const HOUR_US = 3_600_000_000
const secondText = (us: number): string => `${new Date(Math.floor(us / 1000)).toISOString().slice(0, 19)}Z`
