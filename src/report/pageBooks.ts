import { SECOND_US } from '../unit/time.ts'
import { figure, figures } from './html/figure.ts'
import { brief, fixed, instant, plural, words as wordsOf } from './html/format.ts'
import { html, type Markup } from './html/markup.ts'
import { offersPlot } from './html/offersPlot.ts'
import { legend } from './html/palette.ts'
import { eachBatch, greatest, indicesOf, namesOf, numbersOf } from './pageRows.ts'
import type { PageSection, ServicePage } from './pageService.ts'

/** Requests shown where none are chosen: those with the most quotes. */
const SHOWN = 4
const HEIGHT_PX = 270

interface BookVersion {
  readonly request: number
  readonly version: number
  readonly createdUs: number
  readonly endedUs: number
  readonly state: string
  readonly legs: number
  readonly betMicros: number
}

interface BookQuote {
  readonly request: number
  readonly maker: number
  readonly submittedUs: number
  /** NaN when the quote had not ended at the end of the session. */
  readonly endedUs: number
  readonly state: string
  /** q = user_stake / total_payout. */
  readonly probability: number
  readonly reference: number
}

/** The quotes of requests over time. @param chosen numbers of requests. Without any, those with the most quotes are shown. */
export function booksSection(page: ServicePage, chosen: readonly number[]): PageSection | null {
  const { prefix, makers, words } = page
  const versions = readVersions(page, chosen)
  const quotes = readQuotes(page, new Set(versions.keys()))
  if (quotes.size === 0) return null
  const body = html`<p>${chosen.length === 0 ? `The ${words.requests} with the most quotes` : `The ${words.requests} asked for`}: each line is a quote while it lived, at the probability that it asks the bettor to pay for; lower is better for the bettor. The dashed line is the reference V at the submissions.</p>
${legend(makers)}
${figures([...versions].map(([request, own]) => book(page, own, quotes.get(request) ?? [])))}`
  return { id: `${prefix}books`, title: 'Books over time', body }
}

function readVersions({ tables }: ServicePage, chosen: readonly number[]): Map<number, BookVersion[]> {
  const counts = new Map<number, number>()
  const wanted = new Set(chosen)
  eachBatch(tables, 'requests', (batch) => {
    const [request, quotes, state] = [numbersOf(batch, 'request'), numbersOf(batch, 'quote_count'), namesOf(batch, 'state')]
    for (let row = 0; row < batch.rowCount; row++) {
      // Among books of equal length those with a taken quote come first.
      const taken = state[row] === 'committed' ? 0.5 : 0
      if (wanted.size === 0 ? quotes[row]! > 0 : wanted.has(request[row]!)) counts.set(request[row]!, (counts.get(request[row]!) ?? 0) + quotes[row]! + taken)
    }
  })
  const versions = new Map(greatest(counts, wanted.size === 0 ? SHOWN : wanted.size).map((request): [number, BookVersion[]] => [request, []]))
  eachBatch(tables, 'requests', (batch) => {
    const [request, version, created, ended] = [numbersOf(batch, 'request'), numbersOf(batch, 'version'), numbersOf(batch, 'created_at'), numbersOf(batch, 'ended_at')]
    const [legs, bet, state] = [numbersOf(batch, 'leg_count'), numbersOf(batch, 'bet_micros'), namesOf(batch, 'state')]
    for (let row = 0; row < batch.rowCount; row++) {
      versions.get(request[row]!)?.push({
        request: request[row]!, version: version[row]!, createdUs: created[row]!, endedUs: ended[row]!, state: state[row]!, legs: legs[row]!, betMicros: bet[row]!,
      })
    }
  })
  for (const own of versions.values()) own.sort((a, b) => a.version - b.version)
  return versions
}

function readQuotes({ tables, names }: ServicePage, requests: ReadonlySet<number>): Map<number, BookQuote[]> {
  const quotes = new Map<number, BookQuote[]>()
  eachBatch(tables, 'quotes', (batch) => {
    const request = numbersOf(batch, 'request')
    if (!request.some((number) => requests.has(number))) return
    const [submitted, ended, stake, risk] = ['submitted_at', 'ended_at', 'net_stake_micros', 'risk_micros'].map((name) => numbersOf(batch, name))
    const [reference, maker, state] = [numbersOf(batch, 'reference'), indicesOf(batch, 'maker', names), namesOf(batch, 'state')]
    for (let row = 0; row < batch.rowCount; row++) {
      if (!requests.has(request[row]!)) continue
      const list = quotes.get(request[row]!) ?? []
      quotes.set(request[row]!, list)
      list.push({
        request: request[row]!, maker: maker[row]!, submittedUs: submitted![row]!, endedUs: ended![row]!, state: state[row]!,
        probability: stake![row]! / (stake![row]! + risk![row]!), reference: reference[row]!,
      })
    }
  })
  for (const list of quotes.values()) list.sort((a, b) => a.submittedUs - b.submittedUs || a.maker - b.maker)
  return quotes
}

function book(page: ServicePage, versions: readonly BookVersion[], quotes: readonly BookQuote[]): Markup {
  const { prefix, makers, words } = page
  const [first, last] = [versions[0]!, versions.at(-1)!]
  const filled = quotes.find(({ state }) => state === 'filled')
  const name = (maker: number): string => makers[maker]?.name ?? 'another maker'
  const endUs = Number.isNaN(last.endedUs) ? Math.max(last.createdUs, ...quotes.map(({ submittedUs }) => submittedUs)) : last.endedUs
  const seconds = (us: number): number => ((Number.isNaN(us) ? endUs : us) - first.createdUs) / SECOND_US
  const end = filled === undefined ? wordsOf(last.state) : `filled by ${name(filled.maker)} at ${fixed(100 * filled.probability, 2)}%`
  const title = `${words.request} ${first.request}`
  const about = `${plural(first.legs, 'leg')}, ${fixed(first.betMicros / 1e6, 2)} USDC, ${instant(first.createdUs)}; ${plural(quotes.length, 'quote')}, ${end}.`
  return figure({
    id: `${prefix}book-${first.request}`, title, note: about, picture: picture(page, `Book of ${title}: ${about}`, versions, quotes, seconds),
    table: {
      caption: `Quotes of ${title}`, head: ['maker', 'from, s', 'to, s', 'q, %', 'V, %', 'end'], text: [5],
      rows: quotes.map(({ maker, submittedUs, endedUs, probability, reference, state }) => [
        name(maker), fixed(seconds(submittedUs), 3), Number.isNaN(endedUs) ? '' : fixed(seconds(endedUs), 3), fixed(100 * probability, 3), brief(Number.isNaN(reference) ? null : 100 * reference), wordsOf(state),
      ]),
    },
  })
}

function picture(
  { makers }: ServicePage, label: string, versions: readonly BookVersion[], quotes: readonly BookQuote[], seconds: (us: number) => number,
): Markup {
  const references = quotes.filter(({ reference }) => !Number.isNaN(reference)).map(({ submittedUs, reference }) => ({ x: seconds(submittedUs), y: 100 * reference }))
  const end = seconds(versions.at(-1)!.endedUs)
  if (references.length > 0) references.push({ ...references.at(-1)!, x: Math.max(end, references.at(-1)!.x) })
  return offersPlot({
    label, timeLabel: 's after the request', end: Math.max(end, ...quotes.map(({ submittedUs }) => seconds(submittedUs))), heightPx: HEIGHT_PX,
    price: { label: null, tickFormat: (value) => `${brief(value)}%` }, looks: makers.map(({ look }) => look), references, takenWord: 'filled',
    offers: quotes.map(({ maker, submittedUs, endedUs, probability, state }) => ({
      maker, from: seconds(submittedUs), to: seconds(endedUs), y: 100 * probability, taken: state === 'filled',
      tip: `${makers[maker]?.name ?? 'another maker'}: ${fixed(100 * probability, 2)}%, ${fixed(seconds(submittedUs), 3)} to ${fixed(seconds(endedUs), 3)} s, ${wordsOf(state)}`,
    })),
    marks: versions.slice(1).map(({ createdUs, version }) => ({ x: seconds(createdUs), name: `v${version}` })),
  })
}
