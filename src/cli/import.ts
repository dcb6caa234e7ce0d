import type { Command } from 'commander'
import type { ImportedStore } from '../actions/importData.ts'
import { thousands } from '../unit/numberText.ts'
import { columnsText, common, type CommonOptions, print, printJson, remark } from './common.ts'

interface ImportOptions extends CommonOptions {
  readonly into: string
}

export function addImport(program: Command): void {
  const command = program.command('import').argument('<format>', 'format of the files').argument('<file...>', 'files, or folders of files')
    .summary('turn files of market data into a price store')
    .description('Read market data and write it as a price store. Rows with faults are set aside, and every kind of fault is reported.')
    .requiredOption('--into <store>', 'name (under store/) or path of the store')
    .addHelpText('after', '\nFormats: see `parlor data --formats`.')
  common(command, 'parlor import polymarket-mlb-book ../shared/data/polymarket-mlb-book --into mlb')
    .action(async (format: string, files: readonly string[], options: ImportOptions) => {
      const { importData } = await import('../actions/importData.ts')
      const { path, dataHash, markets, ticks, report } = await importData(format, files, { into: options.into, onNote: remark })
      if (options.json === true) return printJson({ store: path, dataHash, report })
      if (process.stdout.isTTY) remark('')
      print(reportText(report))
      print(`${path}: ${thousands(markets)} markets, ${thousands(ticks)} prices, data ${dataHash.slice(0, 12)}`)
    })
}

/** What an import read and what became of it. */
export function reportText(report: ImportedStore['report']): string {
  const lines = [`${thousands(report.inputRows)} rows read: ${thousands(report.acceptedRows)} accepted, ${thousands(report.quarantinedRows)} set aside`]
  lines.push(`coverage: ${Object.entries(report.coverage).map(([name, value]) => `${name} ${thousands(value)}`).join(', ')}`)
  if (report.troubles.length > 0) {
    const rows = report.troubles.map(({ kind, handling, rows: count, file, firstRow, about }) =>
      [kind, handling, thousands(count), `${file}:${firstRow}`, about])
    lines.push(columnsText([['trouble', 'handling', 'rows', 'first at', 'about'], ...rows], [2]))
  }
  return lines.join('\n')
}
