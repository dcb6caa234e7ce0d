import type { Command } from 'commander'
import type { DescribedStore } from '../actions/stores.ts'
import { grouped, thousands } from '../unit/numberText.ts'
import { columnsText, common, type CommonOptions, print, printJson } from './common.ts'
import { reportText } from './import.ts'

interface DataOptions extends CommonOptions {
  readonly formats?: boolean
  readonly recorded?: boolean
}

export function addData(program: Command): void {
  const command = program.command('data').argument('[store]', 'name or path of a store')
    .summary('list the price stores, or describe one')
    .description('List the price stores, or say what is in one and what its import reported.')
    .option('--formats', 'list the formats of `parlor import`')
    .option('--recorded', 'say which scenarios need recorded data, where it lies, and how one gets it')
  common(command, 'parlor data', 'parlor data quickstart').action(async (name: string | undefined, options: DataOptions) => {
    if (options.formats === true) return showFormats(options)
    if (options.recorded === true) return showRecorded(options)
    const { describeStore, listStores } = await import('../actions/stores.ts')
    if (name === undefined) return showStores(listStores(), options)
    const store = describeStore(name)
    if (options.json === true) return printJson(store)
    print(`${store.name}: ${store.path}`)
    print(`${thousands(store.markets)} markets, ${thousands(store.ticks)} prices, ${spanText(store)}, ${megabytes(store.bytes)}, data ${store.dataHash.slice(0, 12)}`)
    print(reportText(store.report))
  })
}

async function showFormats(options: DataOptions): Promise<void> {
  const { listFormats } = await import('../actions/stores.ts')
  const formats = await listFormats()
  if (options.json === true) printJson(formats)
  else print(columnsText(formats.map(({ format, about }) => [format, about])))
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
  if (options.json === true) return printJson(stores.map(({ path, name, bytes, markets, ticks, firstUs, lastUs, dataHash }) =>
    ({ path, name, bytes, markets, ticks, firstUs, lastUs, dataHash })))
  if (stores.length === 0) return print('there are no stores yet: `parlor import FORMAT FILE… --into NAME` makes one')
  const rows = stores.map((store) => [store.name, thousands(store.markets), thousands(store.ticks), spanText(store), megabytes(store.bytes), store.path])
  print(columnsText([['store', 'markets', 'prices', 'span (UTC)', 'size', 'path'], ...rows], [1, 2, 4]))
}

const megabytes = (bytes: number): string => `${grouped(bytes / 1e6, 1)} MB`
const minuteText = (us: number): string => new Date(Math.floor(us / 1000)).toISOString().slice(0, 16).replace('T', ' ')

const spanText = ({ firstUs, lastUs }: DescribedStore): string =>
  firstUs === null || lastUs === null ? 'no prices' : `${minuteText(firstUs)} to ${minuteText(lastUs)}`
