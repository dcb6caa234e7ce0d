import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import type { ImportDataOptions, ImportedStore } from '../actions/importData.ts'
import type { ImportPreview } from '../actions/mapping.ts'
import { columnsText } from '../unit/columnsText.ts'
import { InputError } from '../unit/inputError.ts'
import { thousands } from '../unit/numberText.ts'
import { atLeastOne, common, type CommonOptions, print, printJson, remark, rowPlace, wholeNumber } from './common.ts'
import { progressBar } from './progressBar.ts'
import type { Interruption } from './signals.ts'

interface ImportOptions extends CommonOptions {
  readonly into?: string
  readonly append?: boolean
  readonly force?: boolean
  readonly maxQuarantine?: string
  readonly overlap?: 'first' | 'last'
  readonly map?: string
  readonly preview?: boolean
  readonly write?: string
  readonly groups?: string
  readonly workers?: string
  readonly depth?: string
}

/** Instead of a format: guess a mapping. */
const AUTO = 'auto'

export function addImport(program: Command, interruption: () => Interruption): void {
  const command = program.command('import').argument('<format>', 'format of the files').argument('<file...>', 'files, or folders of files')
    .summary('turn files of market data into a price store')
    .description('Read market data and write it as a price store. Rows with faults are set aside, and every kind of fault is reported.')
    .option('--into <store>', 'name (under store/) or path of the store')
    .addOption(new Option('--append', 'add to a store that is there').conflicts('force'))
    .option('--force', 'replace a store that is there')
    .option('--max-quarantine <percent>', 'refuse an import of which more rows are set aside (default: 50)')
    .addOption(new Option('--overlap <which>', 'which prices hold where the store, or an earlier file, has others of the same market and instant').choices(['first', 'last']))
    .option('--depth <levels>', 'keep so many levels of both sides of books; a mapping says it itself')
    .option('--groups <file>', 'rules that say which markets exclude each other')
    .option('--workers <n>', 'threads that read and write; default: one for each core')
    .option('--map <file>', 'mapping of the columns, for csv, ndjson and parquet')
    .option('--preview', 'show what the first rows become, and write nothing')
    .option('--write <file>', 'where auto writes the mapping that it guesses; default standard output')
    .addHelpText('after', `
Formats: see \`parlor data --formats\`. Files of your own are csv, ndjson or parquet, plain or compressed (gzip, zstd), also in
folders and tar archives, or - for standard input; a mapping says what their columns mean (docs/import.md):
  parlor import auto quotes.csv --write mapping.yaml
  parlor import csv quotes.csv --map mapping.yaml --preview
  parlor import csv quotes.csv --map mapping.yaml --into mine`)
  common(command, 'parlor import polymarket-mlb-book ../shared/data/polymarket-mlb-book --into mlb')
    .action(async (format: string, files: readonly string[], options: ImportOptions) => {
      const { signal } = interruption()
      if (format === AUTO) return guess(files, options, signal)
      if (options.write !== undefined) throw new InputError('--write is for auto', { hint: 'parlor import auto FILE… --write mapping.yaml' })
      if (options.preview === true) return preview(format, files, options, signal)
      const { into, map } = options
      if (into === undefined) throw new InputError('--into is missing', { hint: 'expected the name of the store, as --into mine' })
      const { importData } = await import('../actions/importData.ts')
      const { append, force, maxQuarantine, overlap, groups, depth, workers } = options
      const asked = {
        into, signal, onNote: remark, append: append === true, force: force === true, ...(map === undefined ? {} : { map }),
        ...(maxQuarantine === undefined ? {} : { maxQuarantine: shareOf(maxQuarantine) }), ...(overlap === undefined ? {} : { overlap }), ...(groups === undefined ? {} : { groups }),
        ...(depth === undefined ? {} : { depth: wholeNumber(depth, '--depth') }), ...(workers === undefined ? {} : { workers: atLeastOne(workers, '--workers') }),
      }
      const bar = await progressBar('prices written', options.json === true)
      const onProgress: ImportDataOptions['onProgress'] = ({ read, share }) => {
        if (share > 0) return bar.step({ share, done: Math.round(share * read) })
        bar.remark(`${thousands(read)} prices read`)
        bar.restart()
      }
      const { path, dataHash, markets, ticks, added, report } = await importData(format, files, { ...asked, onProgress }).finally(() => { bar.stop() })
      if (options.json === true) return printJson({ store: path, dataHash, added, report })
      if (process.stdout.isTTY) remark('')
      print(report === null ? 'nothing is added: the store has the content of these files already' : reportText(report))
      if (append === true && report !== null) print(`${thousands(added)} prices added`)
      print(`${path}: ${thousands(markets)} markets, ${thousands(ticks)} prices, data ${dataHash.slice(0, 12)}`)
    })
}

async function guess(files: readonly string[], { into, map, preview: isPreview, write }: ImportOptions, signal: AbortSignal): Promise<void> {
  if (into !== undefined || map !== undefined || isPreview === true) {
    throw new InputError('auto writes a mapping, and imports nothing', { hint: 'read the mapping, then `parlor import csv FILE… --map mapping.yaml --into NAME`' })
  }
  const { guessMapping } = await import('../actions/mapping.ts')
  const text = await guessMapping(files, { signal, ...(write !== undefined && { write }) })
  // As it is: somebody saves it.
  if (write === undefined) process.stdout.write(text)
  else print(`${write}: read each line, above all those that say unsure`)
}

async function preview(format: string, files: readonly string[], { map, into, json }: ImportOptions, signal: AbortSignal): Promise<void> {
  const { previewImport } = await import('../actions/mapping.ts')
  if (into !== undefined) throw new InputError('--preview writes nothing', { hint: 'leave out --into, or --preview' })
  const { rows, markets, troubles } = await previewImport(format, files, { signal, ...(map !== undefined && { map }) })
  if (json === true) return printJson({ rows, markets, troubles })
  const cell = (value: number | null) => (value === null ? '' : String(value))
  const priced = rows.filter(({ kind }) => kind !== 'markets' && kind !== 'results').map((row) => {
    const place = placeOf(row)
    if (row.setAside !== null) return [place, 'set aside', '', '', '', '', '', row.setAside]
    if (row.seenUs === null) return [place, 'no new top of the book']
    return [place, new Date(Math.floor(row.seenUs / 1000)).toISOString(), cell(row.bid), cell(row.ask), cell(row.bidSize), cell(row.askSize), cell(row.last), row.market ?? '']
  })
  if (priced.length > 0) print(columnsText([['row', 'seen (UTC)', 'bid', 'ask', 'bid size', 'ask size', 'last', 'market'], ...priced], [2, 3, 4, 5, 6]))
  const facts = rows.filter(({ kind, setAside }) => (kind === 'markets' || kind === 'results') && setAside !== null)
  if (facts.length > 0) print(columnsText(facts.map((row) => [placeOf(row), 'set aside', row.setAside!])))
  const day = (us: number | null) => (us === null ? '' : new Date(Math.floor(us / 1000)).toISOString().slice(0, 16).replace('T', ' '))
  const shown = markets.slice(0, MARKETS_SHOWN)
  print(columnsText([['market', 'event', 'open', 'close', 'result', 'title'], ...shown.map(({ ticker, event, openUs, scheduledCloseUs, outcome, settlementE6, title }) =>
    [ticker, event, day(openUs), day(scheduledCloseUs), settlementE6 === null ? outcome ?? '' : String(settlementE6 / 1e6), title])]))
  if (troubles.length > 0) print(troublesText(troubles))
}

const MARKETS_SHOWN = 20

const placeOf = ({ file, row, place }: ImportPreview['rows'][number]): string => rowPlace(basename(file), row, place)

/** What an import read and what became of it. */
export function reportText(report: NonNullable<ImportedStore['report']>): string {
  const lines = [`${thousands(report.inputRows)} rows read: ${thousands(report.acceptedRows)} accepted, ${thousands(report.quarantinedRows)} set aside`]
  lines.push(`coverage: ${Object.entries(report.coverage).map(([name, value]) => `${name} ${thousands(value)}`).join(', ')}`)
  if (report.troubles.length > 0) lines.push(troublesText(report.troubles))
  return lines.join('\n')
}

function troublesText(troubles: NonNullable<ImportedStore['report']>['troubles']): string {
  const rows = troubles.map((one) => [one.kind, one.handling, thousands(one.rows), rowPlace(one.file, one.firstRow, one.place), one.about])
  return columnsText([['trouble', 'handling', 'rows', 'first at', 'about'], ...rows], [2])
}

/** A share of a number of per cent, with or without its sign. */
function shareOf(text: string): number {
  const percent = wholeNumber(text.replace(/ ?%$/, ''), '--max-quarantine')
  if (percent > 100) throw new InputError(`--max-quarantine ${text} is more than 100`, { hint: 'it is a number of per cent' })
  return percent / 100
}
