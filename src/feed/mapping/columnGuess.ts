import type { Cells } from '../rows/cells.ts'
import { isNothing } from '../rows/cells.ts'
import type { PriceUnit, TimeUnit } from './mapping.ts'
import { Pattern } from './timePattern.ts'

/** What columns are called in recordings, in English and then in German, from the surest name to the least sure, without `_` and in lower case. */
const NAMES = {
  market: ['marketticker', 'ticker', 'marketslug', 'slug', 'symbol', 'instrument', 'contract', 'market', 'marketid', 'conditionid', 'assetid', 'tokenid', 'asset', 'id', 'markt', 'kontrakt'],
  outcome: ['assetid', 'tokenid', 'asset', 'token'],
  received: ['recvns', 'receivedns', 'recvms', 'receivedms', 'recvus', 'recvts', 'recvtime', 'receivedat', 'received', 'receivetime', 'localtimestamp', 'localts', 'capturedat', 'capturetime', 'ingestts', 'tsrecv', 'empfangen'],
  time: ['exchangetimestamp', 'exchangems', 'exchangets', 'exchangetime', 'eventms', 'eventtime', 'endperiodts', 'endts', 'tsms', 'timestampms', 'timestamp', 'datetime', 'createdtime', 'createdat', 'tsevent', 'ts', 'time', 'date', 't', 'zeitstempel', 'zeitpunkt', 'uhrzeit', 'zeit', 'datum'],
  bid: ['bestyesbid', 'yesbiddollars', 'yesbidclose', 'yesbid', 'bestbid', 'bidprice', 'bidclose', 'closebid', 'bidpx', 'bid', 'geldkurs', 'geld'],
  ask: ['bestyesask', 'yesaskdollars', 'impliedyesask', 'yesaskclose', 'yesask', 'bestask', 'askprice', 'askclose', 'closeask', 'askpx', 'offer', 'ask', 'briefkurs', 'brief'],
  noBid: ['bestnobid', 'nobiddollars', 'nobid'],
  noAsk: ['bestnoask', 'noaskdollars', 'impliednoask', 'noask'],
  bidSize: ['yesbidsize', 'bestbidsize', 'bidsize', 'bidqty', 'bidquantity', 'bidvolume', 'bidsz', 'geldmenge', 'geldvolumen'],
  askSize: ['yesasksize', 'bestasksize', 'asksize', 'askqty', 'askquantity', 'askvolume', 'asksz', 'briefmenge', 'briefvolumen'],
  last: ['lastprice', 'lastpricedollars', 'pricecloseddollars', 'priceclose', 'last', 'letzterkurs'],
  price: ['yespricedollars', 'yesprice', 'pricedollars', 'price', 'px', 'p', 'probability', 'odds', 'kurs', 'preis'],
  noPrice: ['nopricedollars', 'noprice'],
  size: ['sizefp', 'deltafp', 'size', 'quantity', 'qty', 'amount', 'volume', 'menge', 'volumen'],
  side: ['side', 'bookside', 'takerbookside', 'seite'],
  tradeOutcome: ['takeroutcomeside', 'outcomeside'],
  trade: ['tradeid', 'transactionhash', 'takerside'],
  type: ['eventtype', 'msgtype', 'messagetype', 'type', 'action'],
  sequence: ['seq', 'sequence', 'sequencenumber'],
  group: ['hash'],
  bids: ['bids', 'yesdollarsfp', 'yesdollars', 'yesbids'],
  asks: ['asks', 'nodollarsfp', 'nodollars', 'nobids'],
  result: ['result', 'binaryresult', 'resolution', 'resolvedoutcome', 'settlementresult', 'winner', 'won', 'outcome', 'ergebnis'],
  value: ['settlementvaluedollars', 'settlementvalue', 'settleprice'],
  settled: ['settlementts', 'settledts', 'settledat', 'settledtime', 'settlementtime', 'settlementtsutc', 'resolvedat', 'closedtime', 'abgerechnet'],
  title: ['title', 'question', 'marketname', 'name', 'titel', 'frage'],
  event: ['eventticker', 'eventslug', 'eventid', 'event', 'matchup', 'ereignis'],
  series: ['seriesticker', 'series'],
  category: ['category', 'sport', 'topic', 'kategorie', 'sportart'],
  game: ['gameid', 'game', 'spiel'],
  open: ['opentime', 'startdate', 'opents', 'openedat', 'listedat', 'listed', 'open', 'beginn'],
  close: ['closetime', 'enddate', 'expectedexpirationtime', 'closets', 'expirationtime', 'closesat', 'endsat', 'ends', 'expires', 'expiry', 'schluss', 'ende'],
} as const
export type Role = keyof typeof NAMES

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The column that is called as a role's columns are: by its whole name first, then by what stands behind its last dot. */
export function columnFor(role: Role, columns: readonly string[]): string | undefined {
  for (const nameOf of [plain, (column: string) => plain(column.slice(column.lastIndexOf('.') + 1))]) {
    for (const name of NAMES[role]) {
      const found = columns.find((column) => nameOf(column) === name)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** The different texts of a column's first cells that are not empty. */
export interface Sample {
  readonly texts: readonly string[]
  readonly isInstant: boolean
  readonly isNaive: boolean
}

const TEXTS_MAX = 200

export function sampleOf(cells: Cells, count: number): Sample {
  const texts = new Set<string>()
  let isInstant = false
  for (let row = 0; row < count && texts.size < TEXTS_MAX; row += 1) {
    if (!Number.isNaN(cells.instantUs(row))) isInstant = true
    const text = cells.text(row)
    if (!isNothing(text)) texts.add(text)
  }
  return { texts: [...texts], isInstant, isNaive: cells.isNaive }
}

const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** How times are written besides ISO 8601, the more usual first. Where day and month could change places, the samples tell, or nobody does. */
const PATTERNS = [
  'MM/dd/yyyy HH:mm:ss', 'MM/dd/yyyy HH:mm', 'M/d/yyyy H:mm', 'M/d/yyyy h:mm a', 'M/d/yyyy h:mm:ss a', 'dd/MM/yyyy HH:mm:ss', 'dd/MM/yyyy HH:mm', 'dd.MM.yyyy HH:mm:ss.SSS', 'dd.MM.yyyy HH:mm:ss', 'dd.MM.yyyy HH:mm', 'dd.MM.yyyy, HH:mm:ss', 'd.M.yyyy H:mm:ss', 'd.M.yyyy H:mm', 'dd-MM-yyyy HH:mm:ss', 'dd-MM-yyyy HH:mm',
  'yyyy/MM/dd HH:mm:ss', 'yyyy/MM/dd HH:mm', 'MM/dd/yyyy', 'dd.MM.yyyy', 'd MMM yyyy HH:mm:ss',
]

/** The first pattern that fits every sample and gives months and days that there are. */
function patternGuess(texts: readonly string[]): string | undefined {
  return PATTERNS.find((pattern) => {
    const reads = new Pattern(pattern)
    return texts.every((text) => {
      const parts = reads.parts(text)
      return parts !== undefined && parts.month >= 1 && parts.month <= 12 && parts.day >= 1 && parts.day <= 31
    })
  })
}

/** What a time column seems to hold: a number's unit by its size, a pattern, a missing zone, or none of them. */
export function timeGuess({ texts, isInstant, isNaive }: Sample): { readonly unit?: TimeUnit; readonly pattern?: string; readonly isZoneless: boolean; readonly isKnown: boolean } {
  if (isInstant) return { isZoneless: isNaive, isKnown: true }
  const [first] = texts
  if (first === undefined) return { isZoneless: false, isKnown: false }
  if (NUMBER.test(first)) {
    const size = Math.abs(Number(first))
    const unit = size < 1e11 ? 's' : size < 1e14 ? 'ms' : size < 1e17 ? 'us' : 'ns'
    return { unit, isZoneless: false, isKnown: size > 1e8 }
  }
  const isIso = /^\d{4}-\d\d-\d\d/.test(first)
  const pattern = isIso ? undefined : patternGuess(texts)
  if (pattern !== undefined) return { pattern, isZoneless: true, isKnown: true }
  return { isZoneless: !/(Z|UTC|[+-]\d\d(:?\d\d)?)$/i.test(first.slice(10)), isKnown: isIso }
}

const COMMA = /^[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+$/
const GROUPED = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/

/** What seems to stand between the digits of numbers, where it is no point, and between groups of them. */
export function marksGuess(samples: readonly Sample[]): { readonly decimal?: ','; readonly thousands?: '.' | ',' } {
  const texts = samples.flatMap((sample) => sample.texts)
  // `1,000` alone may be a thousand or a one.
  if (texts.some((text) => COMMA.test(text) && !GROUPED.test(text)) && !texts.some((text) => /^[+-]?\d*\.\d+$/.test(text) && !/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text))) {
    return texts.some((text) => /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/.test(text)) ? { decimal: ',', thousands: '.' } : { decimal: ',' }
  }
  return texts.some((text) => GROUPED.test(text)) ? { thousands: ',' } : {}
}

/** Whether a column seems to hold numbers, whatever stands between their digits. */
export const isNumeric = ({ texts }: Sample): boolean => texts.length > 0 && texts.every((text) => NUMBER.test(text) || COMMA.test(text) || GROUPED.test(text))

/** A number as it is written with the marks of `marksGuess`, NaN for what is none. */
export function numberOf(text: string, { decimal, thousands }: ReturnType<typeof marksGuess>): number {
  const plainText = thousands === undefined ? text : text.replaceAll(thousands, '')
  return Number((decimal === undefined ? plainText : plainText.replace(decimal, '.')).replace(/^\$/, ''))
}

/** The unit that prices seem to have, and whether another one fits as well. */
export function priceGuess(samples: readonly Sample[]): { readonly unit: PriceUnit; readonly doubt?: string } {
  const texts = samples.flatMap((sample) => sample.texts)
  if (texts.some((text) => text.endsWith('%'))) return { unit: 'percent' }
  const marks = marksGuess(samples)
  const numbers = texts.map((text) => numberOf(text, marks)).filter((number) => Number.isFinite(number))
  if (numbers.length === 0) return { unit: 'dollars', doubt: 'the first rows have no prices' }
  if (numbers.every((number) => number >= 0 && number <= 1)) {
    return numbers.every((number) => number === 0 || number === 1) ? { unit: 'dollars', doubt: 'all prices are 0 or 1: cents would be 1 and 0 too' } : { unit: 'dollars' }
  }
  if (numbers.every((number) => Math.abs(number) >= 100)) return { unit: 'american', doubt: 'all are beyond 100, as American odds are' }
  if (numbers.every((number) => number >= 0 && number <= 100)) {
    return numbers.every((number) => Number.isInteger(number)) ? { unit: 'cents' } : { unit: 'cents', doubt: 'they have decimals and reach beyond 1: cents, percent, or decimal odds (then: decimal)' }
  }
  return { unit: 'decimal', doubt: 'they reach beyond 100' }
}
