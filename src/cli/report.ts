import { relative } from 'node:path'
import type { Command } from 'commander'
import { collect, common, type CommonOptions, print, printJson, remark, wholeNumber } from './common.ts'
import { type OpenOption, openPage, withOpen } from './openPage.ts'
import { PAGE_NAME } from '../unit/pageName.ts'

interface ReportOptions extends CommonOptions, OpenOption {
  readonly out?: string
  readonly request?: readonly string[]
}

export function addReport(program: Command): void {
  const command = program.command('report').argument('<folder>', 'folder of a run, a sweep, a league or a validation')
    .summary('write a page with pictures and tables about a result')
    .description(`Write one HTML page, ${PAGE_NAME} in the folder, about the result in it. The page needs no network and no other file. The same folder gives the same bytes.`)
    .option('--out <file>', 'path of the page, instead of the folder')
    .option('--request <number>', 'for a run: show the book of this request over time; may be repeated', collect)
  common(withOpen(command), 'parlor report runs/quickstart').action(async (dir: string, options: ReportOptions) => { await report(dir, options) })
}

async function report(dir: string, options: ReportOptions): Promise<void> {
  const actions = await import('../actions/report.ts')
  const requests = (options.request ?? []).map((number) => wholeNumber(number, 'the number of a request'))
  const { kind, path } = await actions.report(dir, { requests, onNote: remark, ...(options.out === undefined ? {} : { out: options.out }) })
  if (options.open === true) await openPage(path)
  if (options.json === true) return printJson({ folder: dir, kind, report: path })
  print(`${relative('.', path)}: ${kind} report`)
}
