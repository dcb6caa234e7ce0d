import { join } from 'node:path'
import { isFromSystem } from '../result/failures.ts'
import type { RunSummary } from '../score/summary.ts'
import { PAGE_NAME } from '../unit/pageName.ts'

/** Writes the page of a run that is not committed yet beside its files. A page that fails spoils no run. Throws what the system refuses. */
export const leaveRunPage = (folder: string, summary: RunSummary, say: (line: string) => void): Promise<void> => leaving(say, async () => {
  const { writeRunReport } = await import('../report/runReport.ts')
  await writeRunReport(folder, join(folder, PAGE_NAME), { summary })
})

/** Writes the page of another result that is not committed yet beside its files. Throws what the system refuses. */
export const leavePage = (folder: string, say: (line: string) => void): Promise<void> => leaving(say, async () => {
  const { writePageBeside } = await import('../report/folderReport.ts')
  await writePageBeside(folder)
})

async function leaving(say: (line: string) => void, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    // A full disk is no fault of the page, and would cost the result other files as well.
    if (isFromSystem(error)) throw error
    say(`no ${PAGE_NAME}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
