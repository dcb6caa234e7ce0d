import { InputError } from '../../unit/inputError.ts'
import { ImportTally } from '../importTally.ts'
import { assembleRequests, type Lined } from './assemble.ts'
import { readWritten } from './logRows.ts'
import type { RfqLog } from './rfqLog.ts'
import { readRow } from './row.ts'

/** What a row that cannot be read is called, by what begins its fault. */
const WRONG_FIELD = 'wrong field'

/**
 * Reads a recorded log of requests for quotes (docs/rfq-logs.md). A row with a fault is set aside, with its kind and first line; accepted and
 * quarantined rows are the input. Throws InputError for a file that cannot be read, and for one without any request, at its first fault.
 */
export async function readRfqLog(file: string): Promise<RfqLog> {
  const tally = new ImportTally()
  const own = tally.file(file)
  let first: { readonly line: number; readonly about: string } | undefined
  own.onQuarantine = (_, line, about) => {
    if (first === undefined || line < first.line) first = { line, about }
  }
  const { sha256, rows: written } = await readWritten(file, own)
  const setAside = new Set<number>()
  const quarantine = (line: number, kind: string, about: string): void => {
    setAside.add(line)
    own.quarantine(kind, line, about)
  }
  const rows: Lined[] = []
  for (const { line, row, fault } of written) {
    own.read()
    const read = fault === undefined ? readRow(row) : { fault }
    if (!('fault' in read)) rows.push({ line, row: read })
    else quarantine(line, fault === undefined ? WRONG_FIELD : 'unreadable row', read.fault)
  }
  const requests = assembleRequests(rows, quarantine)
  for (const { line, row } of rows) {
    if (setAside.has(line)) continue
    own.accept()
    if (row.isRounded) own.note('price rounded', line, 'more digits than a price has; rounded against the bettor')
  }
  if (requests.length === 0) {
    throw new InputError(first === undefined ? 'holds no rows' : `holds no request that can be read: ${first.about}`, {
      position: { file, ...(first !== undefined && { line: first.line }) }, hint: 'expected a line such as {"kind":"request","id":"r1","at":"2025-06-19T22:41:07Z","legs":["TICKER yes"],"stake":"25 USDC"}',
    })
  }
  const { inputRows, acceptedRows, quarantinedRows, troubles } = tally.close()
  const makers = new Set(requests.flatMap(({ quotes, acceptances }) => [...quotes, ...acceptances].map(({ maker }) => maker)))
  return { file, sha256, requests, makers: [...makers].toSorted((a, b) => (a < b ? -1 : 1)), report: { inputRows, acceptedRows, quarantinedRows, troubles } }
}
