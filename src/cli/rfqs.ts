import type { Command } from 'commander'
import { columnsText } from '../unit/columnsText.ts'
import { thousands } from '../unit/numberText.ts'
import { common, type CommonOptions, print, printJson } from './common.ts'

interface RfqsOptions extends CommonOptions {
  readonly into: string
  readonly force?: boolean
}

export function addRfqs(program: Command): void {
  const command = program.command('rfqs').argument('<format>', 'format of the files: kalshi-rfq').argument('<file...>', 'files')
    .summary('turn recorded requests for quotes into a log that a scenario replays')
    .description('Read recorded requests, quotes, acceptances and last looks of another format, and write them as a log of requests for quotes (docs/rfq-logs.md). What a log has no place for is set aside, and every kind of it is reported.')
    .requiredOption('--into <log>', 'the log to write, as night.ndjson').option('--force', 'replace a file that is there already')
  common(command, 'parlor rfqs kalshi-rfq ../shared/data/kalshi-rfq/ws_rfq_frames_sample5.jsonl --into night.ndjson')
    .action(async (format: string, files: readonly string[], options: RfqsOptions) => {
      const { convertRfqs } = await import('../actions/convertRfqs.ts')
      const { path, rows, report } = await convertRfqs(format, files, options)
      if (options.json === true) return printJson({ log: path, rows, report })
      print(`${thousands(report.inputRows)} rows read: ${thousands(report.acceptedRows)} accepted, ${thousands(report.quarantinedRows)} set aside`)
      const troubles = report.troubles.map(({ kind, handling, rows: count, file, firstRow, about }) => [kind, handling, thousands(count), `${file}:${firstRow}`, about])
      if (troubles.length > 0) print(columnsText([['trouble', 'handling', 'rows', 'first at', 'about'], ...troubles], [2]))
      print(`${path}: ${thousands(rows)} rows`)
    })
}
