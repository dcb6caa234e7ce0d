import type { Command } from 'commander'
import type { StoreContents } from '../actions/lookAtStore.ts'
import type { DescribedStore } from '../actions/stores.ts'
import { columnsText } from '../unit/columnsText.ts'
import { grouped, plural, thousands } from '../unit/numberText.ts'
import { common, type CommonOptions, print, printJson } from './common.ts'
import { addCoverage, addExport, addGroups, addSqlData, addVerifyData } from './dataLook.ts'
import { reportText } from './import.ts'
import type { Interruption } from './signals.ts'

interface DataOptions extends CommonOptions {
  readonly formats?: boolean
  readonly recorded?: boolean
}

export function addData(program: Command, interruption: () => Interruption): void {
  const command = program.command('data').argument('[store]', 'name or path of a store: the same as `parlor data show STORE`')
    .summary('list the price stores, look into one, and take its prices out')
    .description('List the price stores, say what is in one, picture what it covers, verify it, and export its prices. Without a command it lists the stores, or describes the one that is named.')
    .option('--formats', 'list the formats of `parlor import`')
    .option('--recorded', 'say which scenarios need recorded data, where it lies, and how one gets it')
  common(command, 'parlor data quickstart').action(async (name: string | undefined, options: DataOptions) => {
    if (options.formats === true) return showFormats(options)
    if (options.recorded === true) return showRecorded(options)
    await (name === undefined ? list(options) : show(name, options))
  })
  common(command.command('ls').summary('list the price stores').description('List the price stores with what each covers.'), 'parlor data ls')
    .action(async (_: CommonOptions, ls: Command) => { await list(ls.optsWithGlobals()) })
  common(command.command('show').argument('<store>', 'name or path of a store').summary('say what is in a store')
    .description('Say what is in a store: its markets by venue, category and result, the files that each import read, and what became of their rows.'), 'parlor data show quickstart')
    .action(async (name: string, _: CommonOptions, shown: Command) => { await show(name, shown.optsWithGlobals()) })
  addCoverage(command, interruption)
  addVerifyData(command, interruption)
  addExport(command, interruption)
  addSqlData(command, interruption)
  addGroups(command)
}

async function list(options: CommonOptions): Promise<void> {
  const { listStores } = await import('../actions/stores.ts')
  showStores(listStores(), options)
}

async function show(name: string, options: CommonOptions): Promise<void> {
  const [{ describeStore }, { storeContents }] = await Promise.all([import('../actions/stores.ts'), import('../actions/lookAtStore.ts')])
  const store = describeStore(name)
  // Of a store that an older version imported, there is only its description.
  const contents = store.parts === null ? null : await storeContents(name)
  if (options.json === true) return printJson({ ...store, ...(contents === null ? {} : { kinds: contents.kinds, imports: contents.imports, ...(contents.depth && { depth: contents.depth }) }) })
  print(`${store.name}: ${store.path}`)
  print(`${thousands(store.markets)} markets, ${thousands(store.ticks)} prices, ${spanText(store)}, ${megabytes(store.bytes)}, data ${store.dataHash.slice(0, 12)}`)
  if (contents !== null) {
    print(`\n${kindsText(contents)}`)
    if (contents.depth !== undefined) print(`\n${plural(contents.depth.levels, 'level')} of ${plural(contents.depth.books, 'book')}`)
    print(`\n${sourcesText(contents)}\n`)
  }
  print(reportText(store.report))
}

const kindsText = ({ kinds }: StoreContents): string => columnsText([
  ['venue', 'category', 'markets', 'prices', 'yes', 'no', 'void', 'scalar', 'unresolved'],
  ...kinds.map((kind) => [kind.venue, kind.category, ...[kind.markets, kind.ticks, kind.yes, kind.no, kind.void, kind.scalar, kind.unresolved].map(thousands)]),
], [2, 3, 4, 5, 6, 7, 8])

const sourcesText = ({ imports }: StoreContents): string => columnsText([
  ['import', 'format', 'rows', 'accepted', 'SHA-256', 'licence', 'file'],
  ...imports.flatMap(({ format, files }, number) => files.map(({ file, inputRows, acceptedRows, sha256, licence }) =>
    [String(number), format, thousands(inputRows), thousands(acceptedRows), sha256?.slice(0, 12) ?? '-', licence ?? 'not stated', file])),
], [0, 2, 3])

async function showFormats(options: DataOptions): Promise<void> {
  const { listFormats } = await import('../actions/stores.ts')
  const formats = await listFormats()
  if (options.json === true) printJson(formats)
  else print(`${columnsText(formats.map(({ format, about }) => [format, about]))}\nFiles of your own are csv, ndjson or parquet, with a mapping: docs/import.md.`)
}

async function showRecorded(options: DataOptions): Promise<void> {
  const { listRecorded } = await import('../actions/stores.ts')
  const all = listRecorded()
  if (options.json === true) return printJson(all)
  print('Recorded data belongs to others, and does not come with parlor. Scenarios of the repository look for it beside the checkout.')
  print('Fetch the files from their source, compressed or not, and put them into the folder. Or import them from anywhere:')
  print('parlor import FORMAT FILE… --into NAME, where NAME is the history.store of the scenario. docs/data.md describes each format.')
  for (const { format, folder, scenarios, source, files, terms } of all) {
    print(`\n${format}\n${columnsText([
      ['  used by', scenarios.length === 0 ? 'tests alone' : scenarios.map((name) => `scenarios/${name}`).join(', ')],
      ['  folder', folder], ['  source', source], ['  files', files], ['  terms', terms],
    ])}`)
  }
}

function showStores(stores: readonly DescribedStore[], options: DataOptions): void {
  if (options.json === true) return printJson(stores.map(({ path, name, bytes, markets, ticks, parts, firstUs, lastUs, dataHash }) =>
    ({ path, name, bytes, markets, ticks, parts, firstUs, lastUs, dataHash })))
  if (stores.length === 0) return print('there are no stores yet: `parlor import FORMAT FILE… --into NAME` makes one')
  const rows = stores.map((store) => [store.name, thousands(store.markets), thousands(store.ticks), store.parts === null ? '-' : thousands(store.parts), spanText(store), megabytes(store.bytes), store.path])
  print(columnsText([['store', 'markets', 'prices', 'parts', 'span (UTC)', 'size', 'path'], ...rows], [1, 2, 3, 5]))
}

const megabytes = (bytes: number): string => `${grouped(bytes / 1e6, 1)} MB`
const minuteText = (us: number): string => new Date(Math.floor(us / 1000)).toISOString().slice(0, 16).replace('T', ' ')

const spanText = ({ firstUs, lastUs }: DescribedStore): string =>
  firstUs === null || lastUs === null ? 'no prices' : `${minuteText(firstUs)} to ${minuteText(lastUs)}`
