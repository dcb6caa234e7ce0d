import { Decimal } from 'decimal.js'
import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import { SIZE_MAX } from '../bookSide.ts'
import { type Cells, isNothing, scaledText } from '../rows/cells.ts'
import type { AskedColumns } from './fields.ts'
import type { PriceField, PriceRule, PriceUnit } from './mapping.ts'
import { type NumberForm, plainNumber } from './numberText.ts'

/** Prices of the known formats whose prices are numbers from 0 to 1: to the nearest millionth, half to even. */
export const PROBABILITY: PriceRule = { unit: 'probability', isRounded: true, isDecimalComma: false, thousands: null }

/** Why a cell is no price or size. */
export type NumberTrouble = 'not a number' | 'price out of range' | 'more than 6 decimals' | 'bad odds' | 'bad size' | 'dollars in a column of cents'

const DOLLARS_HINT = ': cents are whole or have one decimal; where the column is in dollars, a mapping says `prices: dollars`'

/** What is told of a price beside the cell. */
export const hintOf = (trouble: NumberTrouble): string => (trouble === 'dollars in a column of cents' ? DOLLARS_HINT : '')

/** Cents are whole, or have steps of a tenth: what has more decimals below 1 is dollars. */
const CENT_E6 = 10_000
const CENT_STEP_E6 = 1000
const areDollars = (priceE6: number, text: string): boolean => priceE6 % CENT_STEP_E6 !== 0 || /\.\d\d/.test(text)

/** Decimals of a unit that make a millionth of a dollar, for units that are only moved by a point. */
const DIGITS: Readonly<Partial<Record<PriceUnit, number>>> = { dollars: 6, probability: 6, cents: 4, percent: 4 }
const MARKS: Readonly<Partial<Record<PriceUnit, RegExp>>> = { dollars: /^\$\s*/, cents: /\s*[¢c]$/, percent: /\s*%$/ }
const REMEMBERED = 1 << 16
const E6 = 6

/** Whether a cell is a text in which a point is no decimal's. */
const isCommaText = (cells: Cells, row: number, { isDecimalComma }: NumberForm): boolean => isDecimalComma && typeof cells.value(row) === 'string'

/** Digits enough to tell on which side of a half a quotient lies. */
const Quotient = Decimal.clone({ precision: 60 })

interface KnownPrice {
  readonly value: number | NumberTrouble
  readonly isRounded: boolean
  readonly isBelowCent?: boolean
}

/** Reads prices of one unit as millionths of a dollar. */
export class PriceReader {
  /** Whether the price that was read last was rounded. */
  isRounded = false
  /** Whether the price that was read last is less than a cent in a unit of cents: it may be in dollars. */
  isBelowCent = false
  private declare readonly rule: PriceRule
  private declare readonly digits: number | undefined
  /** Below this price dollars may stand where cents should. */
  private declare readonly doubtfulE6: number
  private readonly known = new Map<string, KnownPrice>()

  constructor(rule: PriceRule) {
    this.rule = rule
    this.digits = DIGITS[rule.unit]
    this.doubtfulE6 = rule.unit === 'cents' ? CENT_E6 : 0
  }

  /** Decimals of its unit that make a millionth of a dollar, where prices are only moved by a point. */
  get plainDigits(): number | undefined {
    return this.digits
  }

  /** What is less is none, or may be in another unit. */
  get leastE6(): number {
    return Math.max(1, this.doubtfulE6)
  }

  /** A price of 0 to 1 dollars, −1 for an empty cell. */
  read(cells: Cells, row: number): number | NumberTrouble {
    this.isRounded = this.isBelowCent = false
    if (this.digits !== undefined && !isCommaText(cells, row, this.rule)) {
      const scaled = cells.scaled(row, this.digits)
      if (scaled >= 0 && scaled <= PRICE_ONE_E6) return scaled >= this.doubtfulE6 || scaled === 0 ? scaled : this.doubtful(scaled, cells.text(row))
      if (scaled === scaled) return 'price out of range'
    }
    return cells.isEmpty(row) ? NO_PRICE : this.ofText(this.textOf(cells, row))
  }

  /** The text of a cell. A number that is none of a text is written as texts write it. */
  private textOf(cells: Cells, row: number): string {
    const text = cells.text(row)
    return this.rule.isDecimalComma && typeof cells.value(row) !== 'string' ? text.replace('.', ',') : text
  }

  /** The same of a text. */
  ofText(text: string): number | NumberTrouble {
    this.isRounded = this.isBelowCent = false
    if (isNothing(text)) return NO_PRICE
    let known = this.known.get(text)
    if (known === undefined) {
      known = this.parsed(text)
      if (this.known.size < REMEMBERED) this.known.set(text, known)
    }
    this.isRounded = known.isRounded
    this.isBelowCent = known.isBelowCent === true
    return known.value
  }

  private doubtful(priceE6: number, text: string): number | NumberTrouble {
    if (areDollars(priceE6, text)) return 'dollars in a column of cents'
    this.isBelowCent = true
    return priceE6
  }

  private parsed(text: string): KnownPrice {
    const { unit, isRounded } = this.rule
    const trouble = (value: NumberTrouble): KnownPrice => ({ value, isRounded: false })
    const bare = MARKS[unit] === undefined ? text : text.replace(MARKS[unit], '')
    const plain = unit === 'american' && /^ev(en)?$/i.test(bare) ? '100' : plainNumber(bare, this.rule)
    if (plain === undefined) return trouble('not a number')
    const number = new Quotient(plain)
    const probability = probabilityOf(number, unit)
    if (probability === null) return trouble('bad odds')
    if (probability.lt(0) || probability.gt(1)) return trouble('price out of range')
    const exact = probability.times(PRICE_ONE_E6)
    // A text that names cents is in cents.
    if (exact.gt(0) && exact.lt(this.doubtfulE6) && bare === text) {
      return areDollars(exact.toNumber(), plain) ? trouble('dollars in a column of cents') : { value: exact.toNumber(), isRounded: false, isBelowCent: true }
    }
    if (exact.isInteger()) return { value: exact.toNumber() + 0, isRounded: false }
    if (!isRounded) return trouble('more than 6 decimals')
    return { value: exact.toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN).toNumber() + 0, isRounded: true }
  }
}

function probabilityOf(number: Decimal, unit: PriceUnit): Decimal | null {
  if (unit === 'decimal') return number.gt(1) ? new Quotient(1).div(number) : null
  if (unit !== 'american') return number.times(unit === 'cents' || unit === 'percent' ? '0.01' : 1)
  if (number.abs().lt(100)) return null
  return number.gt(0) ? new Quotient(100).div(number.plus(100)) : number.abs().div(number.abs().plus(100))
}

interface PricePlace {
  readonly place: number
  readonly reader: PriceReader
  readonly type: PriceField[number]['type']
  readonly isZeroNone: boolean
}

/** Reads the prices of a field: those of the first of its columns that has something. */
export class PriceColumn {
  private declare readonly places: readonly PricePlace[]
  private declare last: PricePlace

  constructor(field: PriceField, rule: PriceRule, columns: Pick<AskedColumns, 'place' | 'any'>) {
    const placed = () => field.map(({ column, unit, type, isZeroNone }) => ({ place: columns.place(column), reader: new PriceReader(unit === null ? rule : { ...rule, unit }), type, isZeroNone }))
    this.places = field.length === 1 ? placed() : columns.any(placed)
    this.last = this.places.at(-1)!
  }

  /** A price of 0 to 1 dollars, −1 where no column has something. */
  read(cells: readonly Cells[], row: number): number | NumberTrouble {
    this.last = this.placeOf(cells, row)
    const { place, reader, type, isZeroNone } = this.last
    if (type !== null && !isOfType(cells[place]!, row, type)) return cells[place]!.isEmpty(row) ? NO_PRICE : 'not a number'
    const price = reader.read(cells[place]!, row)
    return price === 0 && isZeroNone ? NO_PRICE : price
  }

  /** Whether plain numbers in its only column are prices. */
  get isPlain(): boolean {
    const { reader, type } = this.last
    return this.places.length === 1 && type === null && reader.plainDigits !== undefined
  }

  /** The least price that is told by its number alone. */
  get leastE6(): number {
    return this.last.reader.leastE6
  }

  /** Millionths of rows `from`…`to`−1, into the beginning of `into`, NaN where `read` says more. Precondition: `isPlain`. */
  plainRows(cells: readonly Cells[], from: number, to: number, into: Float64Array): void {
    cells[this.last.place]!.scaledRows(from, to, this.last.reader.plainDigits!, into)
  }

  /** Whether the price that was read last was rounded. */
  get isRounded(): boolean {
    return this.last.reader.isRounded
  }

  /** Whether the price that was read last is less than a cent in a column of cents. */
  get isBelowCent(): boolean {
    return this.last.reader.isBelowCent
  }

  /** What stands in the cell that was read last. */
  text(cells: readonly Cells[], row: number): string {
    return cells[this.last.place]!.text(row)
  }

  /** The column that was read last. */
  get place(): number {
    return this.last.place
  }

  /** A list of levels, and the reader of their prices. */
  list(cells: readonly Cells[], row: number): { readonly value: unknown; readonly reader: PriceReader; readonly place: number } {
    const { place, reader } = this.last = this.placeOf(cells, row)
    return { value: cells[place]!.value(row), reader, place }
  }

  private placeOf(cells: readonly Cells[], row: number): PricePlace {
    const { places } = this
    const end = places.length - 1
    for (let i = 0; i < end; i += 1) {
      const one = places[i]!
      if (!cells[one.place]!.isEmpty(row) && (one.type === null || isOfType(cells[one.place]!, row, one.type))) return one
    }
    return places[end]!
  }
}

const isOfType = (cells: Cells, row: number, type: NonNullable<PriceField[number]['type']>): boolean => {
  const kind = typeof cells.value(row)
  return type === 'text' ? kind === 'string' : kind === 'number' || kind === 'bigint'
}

/** A size that is more than ticks have room for. */
export const LARGE = 'large size'
export const largeText = (text: string): string => `'${text}' is read as ${SIZE_MAX}, the most contracts that a price has room for`
export const isLarge = (sizeE6: number): boolean => sizeE6 > SIZE_MAX * PRICE_ONE_E6 + PRICE_ONE_E6 - 1

/** The price of the other outcome. */
export const mirrored = (priceE6: number): number => (priceE6 === NO_PRICE ? NO_PRICE : PRICE_ONE_E6 - priceE6)

/** A size in millionths of a contract, of either sign. NaN for what is none. */
export function sizeE6(cells: Cells, row: number, form: NumberForm): number {
  if (isCommaText(cells, row, form)) return sizeOfText(cells.text(row), form)
  const scaled = cells.scaled(row, E6)
  if (scaled === scaled) return scaled
  return sizeOfText(cells.text(row), typeof cells.value(row) === 'string' ? form : PLAIN)
}

const PLAIN: NumberForm = { isDecimalComma: false, thousands: null }
export const isPlainForm = ({ isDecimalComma, thousands }: NumberForm): boolean => !isDecimalComma && thousands === null

export function sizeOfText(text: string, form: NumberForm): number {
  const plain = plainNumber(text, form)
  if (plain === undefined) return NaN
  const scaled = scaledText(plain, E6)
  if (scaled === scaled) return scaled
  const millionths = new Decimal(plain).times(PRICE_ONE_E6).toDecimalPlaces(0, Decimal.ROUND_FLOOR).toNumber()
  // What is far more than ticks have room for need not be exact.
  return Number.isSafeInteger(millionths) || isLarge(millionths) ? millionths + 0 : NaN
}

/** Whole contracts, rounded down, of which ticks have room for `SIZE_MAX`. −1 for an empty cell. */
export function wholeSize(cells: Cells, row: number, form: NumberForm): number | NumberTrouble {
  const whole = Math.floor(sizeE6(cells, row, form) / PRICE_ONE_E6)
  if (whole >= 0) return whole
  return whole !== whole && cells.isEmpty(row) ? NO_PRICE : 'bad size'
}
