import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { isFromSystem } from '../result/failures.ts'
import { collect, common, type CommonOptions, print, printJson, remark, wholeNumber } from './common.ts'

interface ReportOptions extends CommonOptions {
  readonly out?: string
  readonly request?: readonly string[]
}

export const REPORT_NAME = 'report.html'

export function addReport(program: Command): void {
  const command = program.command('report').argument('<folder>', 'folder of a run, a sweep, a league or a validation')
    .summary('write a page with pictures and tables about a result')
    .description(`Write one HTML page, ${REPORT_NAME} in the folder, about the result in it. The page needs no network and no other file. The same folder gives the same bytes.`)
    .option('--out <file>', 'path of the page, instead of the folder')
    .option('--request <number>', 'for a run: show the book of this request over time; may be repeated', collect)
  common(command, 'parlor report runs/quickstart').action(async (dir: string, options: ReportOptions) => { await report(dir, options) })
}

/** Writes the page of a result that is not committed yet beside its files. A page that fails spoils no result. Throws what the system refuses. */
export async function leavePage(dir: string): Promise<void> {
  try {
    const { writePageBeside } = await import('../report/folderReport.ts')
    await writePageBeside(dir)
  } catch (error) {
    // A full disk is no fault of the page, and would cost the result other files as well.
    if (isFromSystem(error)) throw error
    remark(`no ${REPORT_NAME}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function report(dir: string, options: ReportOptions): Promise<void> {
  const { writeReport } = await import('../report/folderReport.ts')
  const requests = (options.request ?? []).map((number) => wholeNumber(number, 'the number of a request'))
  const kind = await writeReport(dir, { requests, say: remark, ...(options.out === undefined ? {} : { out: options.out }) })
  const path = options.out ?? join(dir, REPORT_NAME)
  if (options.json === true) return printJson({ folder: dir, kind, report: path })
  print(`${relative('.', path)}: ${kind} report`)
}
