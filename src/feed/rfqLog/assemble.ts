import type { LogRow, RowOf } from './row.ts'
import type { LoggedAcceptance, LoggedQuote, LoggedRequest } from './rfqLog.ts'

/** A row and its line. */
export interface Lined<R = LogRow> {
  readonly line: number
  readonly row: R
}

/** Sets a row aside: a short name of the kind of fault, and what is wrong with this one. */
export type SetAside = (line: number, kind: string, about: string) => void

/** The versions of a request in order; each takes what is recorded from its begin until the next one's. */
type Versions = { readonly firstLine: number; readonly versions: LoggedRequest[] }

/**
 * Requests with all that rows say of them. Rows may stand in any order: what belongs together is found by the request's id, and then by time. A row
 * that belongs to nothing is set aside.
 */
export function assembleRequests(rows: readonly Lined[], setAside: SetAside): LoggedRequest[] {
  const byId = new Map<string, Versions>()
  const ofKind = <K extends LogRow['kind']>(...kinds: K[]): Lined<RowOf<K>>[] =>
    (rows.filter(({ row }) => (kinds as string[]).includes(row.kind)) as Lined<RowOf<K>>[]).toSorted((a, b) => (atOf(a.row) - atOf(b.row)) || a.line - b.line)
  for (const { line, row } of rows) if (row.kind === 'request') begin(byId, line, row, setAside)
  for (const one of ofKind('update', 'cancel')) change(byId, one, setAside)
  for (const one of ofKind('quote')) addQuote(byId, one, setAside)
  for (const one of ofKind('withdrawal')) withdraw(byId, one, setAside)
  for (const one of ofKind('acceptance', 'commit')) accept(byId, one, setAside)
  for (const one of rows.filter(({ row }) => row.kind === 'last_look') as Lined<RowOf<'last_look'>>[]) answer(byId, one, setAside)
  for (const one of rows.filter(({ row }) => row.kind === 'result') as Lined<RowOf<'result'>>[]) end(byId, one, setAside)
  return [...byId.values()].flatMap(({ firstLine, versions }) => versions.map((request) => ({ request, firstLine })))
    .toSorted((a, b) => a.request.atUs - b.request.atUs || a.firstLine - b.firstLine).map(({ request }) => request)
}

const atOf = (row: LogRow): number => ('atUs' in row && row.atUs !== null ? row.atUs : 0)

function begin(byId: Map<string, Versions>, line: number, row: RowOf<'request'>, setAside: SetAside): void {
  if (byId.has(row.id)) return setAside(line, 'request twice', `a request ${row.id} stands above`)
  const { id, service, bettor, atUs, legs, betMicros, decideUs, floor } = row
  byId.set(id, {
    firstLine: line,
    versions: [{
      id, version: 1, service, bettor, atUs, legs, betMicros, endUs: row.lifetimeUs === null ? null : atUs + row.lifetimeUs, decideUs, floor, quotes: [], acceptances: [], result: null,
    }],
  })
}

function change(byId: Map<string, Versions>, { line, row }: Lined<RowOf<'update' | 'cancel'>>, setAside: SetAside): void {
  const versions = byId.get(row.request)?.versions
  const last = versions?.at(-1)
  if (versions === undefined || last === undefined) return setAside(line, 'unknown request', `no request ${row.request}`)
  if (row.atUs < last.atUs) return setAside(line, 'before its request', `request ${row.request} begins later`)
  if (last.endUs !== null && row.atUs >= last.endUs) return setAside(line, 'after its request', `request ${row.request} is over by then`)
  const lifetimeUs = row.kind === 'update' ? row.lifetimeUs : null
  const livedUs = last.endUs === null ? null : last.endUs - last.atUs
  last.endUs = row.atUs
  if (row.kind === 'cancel') return
  // A life that the row does not give is as long as before, as an update of the service begins it anew.
  const lifeUs = lifetimeUs ?? livedUs
  versions.push({
    ...last, version: last.version + 1, atUs: row.atUs, legs: row.legs ?? last.legs, betMicros: row.betMicros ?? last.betMicros, endUs: lifeUs === null ? null : row.atUs + lifeUs,
    decideUs: row.decideUs ?? last.decideUs, floor: row.floor ?? last.floor, quotes: [], acceptances: [],
  })
}

/** The version of a request at an instant, its end included, unless the next one begins then. Undefined where the row is set aside. */
function versionAt(byId: Map<string, Versions>, line: number, request: string, atUs: number, setAside: SetAside): LoggedRequest | undefined {
  const versions = byId.get(request)?.versions
  if (versions === undefined) return void setAside(line, 'unknown request', `no request ${request}`)
  const version = versions.findLast((one) => one.atUs <= atUs)
  if (version === undefined) return void setAside(line, 'before its request', `request ${request} begins later`)
  if (version.endUs !== null && atUs > version.endUs) return void setAside(line, 'after its request', `request ${request} is over by then`)
  return version
}

function addQuote(byId: Map<string, Versions>, { line, row }: Lined<RowOf<'quote'>>, setAside: SetAside): void {
  const { request, id, maker, atUs, price, validUntilUs, withdrawnUs } = row
  if (validUntilUs !== null && validUntilUs <= atUs) return setAside(line, 'over before it began', 'the quote is over when it is made')
  if (withdrawnUs !== null && withdrawnUs < atUs) return setAside(line, 'over before it began', 'the quote is withdrawn before it is made')
  const version = versionAt(byId, line, request, atUs, setAside)
  if (version === undefined) return
  if (id !== null && byId.get(request)!.versions.some(({ quotes }) => quotes.some((other) => other.id === id))) return setAside(line, 'quote twice', `a quote ${id} of the request stands above`)
  version.quotes.push({ id, maker, atUs, price, validUntilUs, withdrawnUs })
}

/** The quote that a row means: of that id, or the last one of the maker by then. */
function quoteOf({ quotes }: LoggedRequest, { quote, maker }: { readonly quote: string | null; readonly maker: string | null }, atUs: number): LoggedQuote | undefined {
  return quotes.findLast((one) => one.atUs <= atUs && (quote === null ? one.maker === maker : one.id === quote))
}

function withdraw(byId: Map<string, Versions>, { line, row }: Lined<RowOf<'withdrawal'>>, setAside: SetAside): void {
  const version = versionAt(byId, line, row.request, row.atUs, setAside)
  if (version === undefined) return
  const quote = quoteOf(version, row, row.atUs)
  if (quote === undefined) return setAside(line, 'unknown quote', `request ${row.request} has no such quote by then`)
  quote.withdrawnUs = Math.min(quote.withdrawnUs ?? Infinity, row.atUs)
}

function accept(byId: Map<string, Versions>, { line, row }: Lined<RowOf<'acceptance' | 'commit'>>, setAside: SetAside): void {
  const version = versionAt(byId, line, row.request, row.atUs, setAside)
  if (version === undefined) return
  const quote = quoteOf(version, row, row.atUs)
  const maker = quote?.maker ?? row.maker
  if (maker === null || (row.quote !== null && quote === undefined)) return setAside(line, 'unknown quote', `request ${row.request} has no quote ${row.quote!} by then`)
  if (row.maker !== null && row.maker !== maker) return setAside(line, 'unknown quote', `quote ${row.quote!} is not of ${row.maker}`)
  version.acceptances.push({ atUs: row.atUs, maker, price: row.price ?? quote?.price ?? null, quotedUs: quote?.atUs ?? null, answer: null, answerDelayUs: null })
}

/** A last look is about the first acceptance of its request, and of its maker where it names one, that has no answer yet. */
function answer(byId: Map<string, Versions>, { line, row }: Lined<RowOf<'last_look'>>, setAside: SetAside): void {
  const versions = byId.get(row.request)?.versions
  if (versions === undefined) return setAside(line, 'unknown request', `no request ${row.request}`)
  const maker = row.quote === null ? row.maker : versions.flatMap(({ quotes }) => quotes).find(({ id }) => id === row.quote)?.maker ?? row.maker
  const about = versions.flatMap(({ acceptances }) => acceptances).find((one) => one.answer === null && (maker === null || one.maker === maker))
  if (about === undefined) return setAside(line, 'unknown acceptance', `request ${row.request} has no acceptance without an answer`)
  const delayUs = row.delayUs ?? (row.atUs === null ? null : row.atUs - about.atUs)
  if (delayUs !== null && delayUs < 0) return setAside(line, 'before its acceptance', 'the answer comes before the acceptance')
  answered(about, row.answer, delayUs)
}

function answered(about: LoggedAcceptance, said: NonNullable<LoggedAcceptance['answer']>, delayUs: number | null): void {
  about.answer = said
  about.answerDelayUs = delayUs
}

function end(byId: Map<string, Versions>, { line, row }: Lined<RowOf<'result'>>, setAside: SetAside): void {
  const last = byId.get(row.request)?.versions.at(-1)
  if (last === undefined) return setAside(line, 'unknown request', `no request ${row.request}`)
  if (last.result !== null) return setAside(line, 'result twice', `a result of request ${row.request} stands above`)
  last.result = row.result
}
