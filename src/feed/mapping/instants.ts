import { Decimal } from 'decimal.js'
import { isoOfTimeUs, MS_US } from '../../unit/time.ts'
import { type Cells, ValueCells } from '../rows/cells.ts'
import { IsoTime } from './isoTime.ts'
import type { AskedColumns } from './fields.ts'
import { ANY_UNIT, type ClockField, type FactTimeField, type RepeatedRule, TIME_UNITS, type TimeConstant, type TimeForm, type TimeUnit } from './mapping.ts'
import { Pattern, type TimeParts } from './timePattern.ts'
import { offsetOf, Zone } from './zone.ts'

/** Why a cell is no instant. */
export type TimeTrouble = 'no time' | 'bad timestamp' | 'absurd timestamp' | 'number without unit' | 'time without zone' | 'time that clocks skip or repeat'

/** Nobody recorded these markets before 2000, or will after 2100: such a stamp has another unit, or is damaged. */
const FIRST_US = Date.UTC(2000) * MS_US
const LAST_US = Date.UTC(2100) * MS_US

/** Decimals of a unit that make a microsecond. */
const DIGITS: Readonly<Record<Exclude<TimeUnit, 'ns'>, number>> = { s: 6, ms: 3, us: 0 }
const UNIT_US: Readonly<Record<TimeUnit, string>> = { s: '1e6', ms: '1e3', us: '1', ns: '1e-3' }
const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i

/** Rows in order of time may be so much out of it, µs. */
const DISORDER_US = 60_000_000

/** Reads the instants of a field: those of the first of its columns that has something. */
export class InstantReader {
  private declare readonly columns: readonly ColumnInstants[]
  private declare last: ColumnInstants

  constructor(field: FactTimeField, columns: Pick<AskedColumns, 'place' | 'any'>) {
    const placed = () => field.map((one) => {
      if ('constant' in one) return new ConstantInstant(one)
      const place = columns.place(one.column)
      return one.with === undefined ? new ColumnInstants(one, place) : new JoinedInstants(one, place, columns.place(one.with))
    })
    this.columns = field.length === 1 ? placed() : columns.any(placed)
    this.last = this.columns[0]!
  }

  read(cells: readonly Cells[], row: number): number | TimeTrouble {
    const { columns } = this
    const end = columns.length - 1
    let at = 0
    while (at < end && columns[at]!.isEmpty(cells, row)) at += 1
    this.last = columns[at]!
    return this.last.read(cells, row)
  }

  /** Whether its instants stand in one column, of which each is told by itself. */
  get isPlain(): boolean {
    return this.columns.length === 1 && this.last.isPlain
  }

  /** Instants of rows `from`…`to`−1, into the beginning of `into`, NaN where `read` says more. Precondition: `isPlain`. */
  plainRows(cells: readonly Cells[], from: number, to: number, into: Float64Array): void {
    this.last.plainRows(cells, from, to, into)
  }

  text(cells: readonly Cells[], row: number): string {
    return this.last.text(cells, row)
  }

  /** Whether the time that was read last is 0: the beginning of 1970, in any unit. */
  isZero(cells: readonly Cells[], row: number): boolean {
    return this.last.isZero(cells, row)
  }

  /** What a mapping can say so that the time which was read last is understood; '' for nothing. */
  get hint(): string {
    return this.last.hint
  }
}

/** Reads the instants of one column of one file, µs since the epoch. What lies between two microseconds is rounded up, so that nothing is seen before its time. */
class ColumnInstants {
  private declare readonly place: number
  private declare readonly unit: TimeForm['unit']
  /** The unit of the last number, where numbers may have any. */
  private lastUnit: TimeUnit = 'ms'
  private declare readonly zone: Zone | null
  private declare readonly pattern: Pattern | null
  private declare readonly repeated: RepeatedRule | null
  private readonly iso = new IsoTime()
  /** The instant that was read last of the times without a zone of their own. */
  private lastUs = -Infinity
  private isRepeated = false
  private isWithoutZone = false

  constructor({ unit, zone, pattern, repeated }: TimeForm, place: number) {
    this.place = place
    this.unit = unit
    this.zone = zone === null ? null : new Zone(zone)
    this.pattern = pattern === null ? null : new Pattern(pattern)
    this.repeated = repeated
  }

  isEmpty(cells: readonly Cells[], row: number): boolean {
    return cells[this.place]!.isEmpty(row)
  }

  read(cells: readonly Cells[], row: number): number | TimeTrouble {
    const column = cells[this.place]!
    this.isRepeated = this.isWithoutZone = false
    const typed = column.instantUs(row)
    if (typed === typed) return column.isNaive ? this.atZone(typed) : within(typed)
    if (this.unit === null) return this.slow(column, row)
    if (this.unit === ANY_UNIT) return this.ofAnyUnit(column, row)
    const us = inUnit(column, row, this.unit)
    return us === us ? within(us) : this.slow(column, row)
  }

  get isPlain(): boolean {
    return this.repeated !== 'order' && !this.isPatterned
  }

  protected get isPatterned(): boolean {
    return this.pattern !== null
  }

  plainRows(cells: readonly Cells[], from: number, to: number, into: Float64Array): void {
    const column = cells[this.place]!
    const count = to - from
    if (column.hasInstants) {
      column.instantRows(from, to, into)
      if (column.isNaive) for (let i = 0; i < count; i += 1) into[i] = this.knownAtZone(into[i]!)
    } else {
      const unit = this.unit === ANY_UNIT ? this.lastUnit : this.unit
      if (unit === null) into.fill(NaN, 0, count)
      else if (unit === 'ns') column.nanosRows(from, to, into)
      else column.scaledRows(from, to, DIGITS[unit], into)
      for (let i = 0; i < count; i += 1) if (into[i] !== into[i]) into[i] = this.isoUs(column.plainText(from + i))
    }
    for (let i = 0; i < count; i += 1) if (!isWithin(into[i]!)) into[i] = NaN
  }

  private isoUs(text: string | undefined): number {
    const us = text === undefined ? NaN : this.iso.read(text)
    return us === us && this.iso.isNaive ? this.knownAtZone(us) : us
  }

  /** The instant at which the zone's clocks show a time, NaN where that is not told by the time alone. */
  private knownAtZone(wallUs: number): number {
    const us = wallUs === wallUs ? this.atZone(wallUs) : wallUs
    return typeof us === 'number' ? us : NaN
  }

  /** A number lies between 2000 and 2100 in one unit at most: the bounds of two units are a factor of ten apart and more. */
  private ofAnyUnit(column: Cells, row: number): number | TimeTrouble {
    const us = inUnit(column, row, this.lastUnit)
    if (isWithin(us)) return us
    for (const unit of TIME_UNITS) {
      const other = inUnit(column, row, unit)
      if (!isWithin(other)) continue
      this.lastUnit = unit
      return other
    }
    return this.slow(column, row)
  }

  isZero(cells: readonly Cells[], row: number): boolean {
    const column = cells[this.place]!
    const typed = column.instantUs(row)
    return typed === typed ? typed === 0 : column.scaled(row, 0) === 0 || this.iso.read(column.text(row)) === 0
  }

  text(cells: readonly Cells[], row: number): string {
    const column = cells[this.place]!
    const us = column.instantUs(row)
    return us === us ? `${us} µs` : column.text(row)
  }

  /** What a mapping can say so that the time which was read last is understood; '' for nothing. */
  get hint(): string {
    if (this.isRepeated) return ' comes twice on these clocks: `repeated: first`, `second` or `order` says which is meant'
    return this.isWithoutZone ? ' names no zone: `zone: UTC` or another one says what it means' : ''
  }

  private slow(column: Cells, row: number): number | TimeTrouble {
    if (column.isEmpty(row)) return 'no time'
    const text = column.text(row)
    if (this.pattern === null) {
      const fast = this.iso.read(text)
      if (fast === fast) return this.iso.isNaive ? this.atZone(fast) : within(fast)
    }
    if (this.pattern !== null) return this.ofParts(this.pattern.parts(text))
    if (NUMBER.test(text)) {
      if (this.unit === null) return 'number without unit'
      const inUs = (unit: TimeUnit): number => new Decimal(text).times(UNIT_US[unit]).ceil().toNumber()
      if (this.unit !== ANY_UNIT) return within(inUs(this.unit))
      return TIME_UNITS.map(inUs).find(isWithin) ?? 'absurd timestamp'
    }
    const iso = ISO.exec(text)
    if (iso === null) return 'bad timestamp'
    const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = iso
    return this.ofParts({ year: +year!, month: +month!, day: +day!, hour: +hour, minute: +minute, second: +second, fraction, zone })
  }

  private ofParts(parts: TimeParts | undefined): number | TimeTrouble {
    if (parts === undefined) return 'bad timestamp'
    const { year, month, day, hour, minute, second, fraction, zone } = parts
    const ms = Date.UTC(year, month - 1, day, hour, minute, second)
    const date = new Date(ms)
    // A day that the month does not have, or an hour that the day does not have, is moved on by Date.
    if (!(date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour && minute < 60 && second < 60)) return 'bad timestamp'
    const us = ms * MS_US + Number(fraction.slice(0, 6).padEnd(6, '0')) + (/[1-9]/.test(fraction.slice(6)) ? 1 : 0)
    if (zone === undefined) return this.atZone(us)
    return within(us - offsetUs(zone))
  }

  private atZone(wallUs: number): number | TimeTrouble {
    if (this.zone === null) {
      this.isWithoutZone = true
      return 'time without zone'
    }
    const instants = this.zone.instantsUs(wallUs)
    const us = instants.length > 1 ? this.ofRepeated(instants[0]!, instants[1]!) : instants[0] ?? null
    if (us === null) return 'time that clocks skip or repeat'
    this.lastUs = us
    return within(us)
  }

  /** Of the two instants of a time that clocks repeat the one that is meant, null where nobody says. */
  private ofRepeated(first: number, second: number): number | null {
    if (this.repeated === null) {
      this.isRepeated = true
      return null
    }
    if (this.repeated !== 'order') return this.repeated === 'first' ? first : second
    // A file that goes back further than the clocks did begins anew, as with the next market.
    const isBack = first < this.lastUs - DISORDER_US && second >= this.lastUs - (second - first)
    return isBack ? second : first
  }
}

/** An instant that all rows have. */
class ConstantInstant extends ColumnInstants {
  private declare readonly cells: readonly Cells[]

  constructor(form: TimeConstant) {
    super(form, 0)
    this.cells = [new ValueCells([form.constant])]
  }

  override isEmpty(): boolean {
    return false
  }

  override read(): number | TimeTrouble {
    return super.read(this.cells, 0)
  }

  override text(): string {
    return super.text(this.cells, 0)
  }
}

/** Reads the instants of two columns, of which one has the date and the other the time of day. */
class JoinedInstants extends ColumnInstants {
  private declare readonly places: readonly [date: number, timeOfDay: number]

  constructor(form: TimeForm, date: number, timeOfDay: number) {
    super(form, 0)
    this.places = [date, timeOfDay]
  }

  override get isPlain(): boolean {
    return false
  }

  /** A date without a time of day is no time: it would be seen before it was. */
  override isEmpty(cells: readonly Cells[], row: number): boolean {
    return this.places.some((place) => cells[place]!.isEmpty(row))
  }

  override read(cells: readonly Cells[], row: number): number | TimeTrouble {
    return this.isEmpty(cells, row) ? 'no time' : super.read(this.joined(cells, row), 0)
  }

  override text(cells: readonly Cells[], row: number): string {
    return super.text(this.joined(cells, row), 0)
  }

  override isZero(cells: readonly Cells[], row: number): boolean {
    return super.isZero(this.joined(cells, row), 0)
  }

  /** A day whose column says that it is one, or that is written as the instant at which it begins, is written as ISO 8601 does. */
  private dateText(column: Cells, row: number): string {
    const us = column.instantUs(row)
    return us === us ? isoOfTimeUs(us).slice(0, 10) : column.text(row).replace(/(?<=^\d{4}-\d\d-\d\d)[ T]00:00:00(\.0+)?$/, '')
  }

  private timeText(column: Cells, row: number): string {
    const text = column.text(row)
    return this.isPatterned ? text : text.replace(/^(?=\d:)/, '0')
  }

  private joined(cells: readonly Cells[], row: number): readonly Cells[] {
    const [date, timeOfDay] = this.places
    return [new ValueCells([`${this.dateText(cells[date]!, row)} ${this.timeText(cells[timeOfDay]!, row)}`])]
  }
}

/** What is wrong with a time that a mapping gives, or undefined. */
export function constantFault(form: TimeConstant): string | undefined {
  const read = new ConstantInstant(form).read()
  return typeof read === 'number' ? undefined : read
}

const inUnit = (column: Cells, row: number, unit: TimeUnit): number => (unit === 'ns' ? column.nanosUs(row) : column.scaled(row, DIGITS[unit]))
const isWithin = (us: number): boolean => us >= FIRST_US && us <= LAST_US
const within = (us: number): number | TimeTrouble => (isWithin(us) ? us : Number.isNaN(us) ? 'bad timestamp' : 'absurd timestamp')

/** NaN for an offset that no clock has. */
function offsetUs(zone: string): number {
  const offset = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)
  return offset === null ? 0 : offsetOf(offset[1] === '-', Number(offset[2]), Number(offset[3] ?? 0))
}

/** Says when a row is seen, and how far its clocks disagree. */
export class Clock {
  /** By how much the last row's event is stamped after its receipt, µs, 0 if it is not. */
  aheadUs = 0
  /** Whether the last row has its receipt alone, although others have the event's time. */
  isWithoutTime = false
  private declare readonly time: InstantReader | null
  private declare readonly received: InstantReader | null
  private declare readonly seenAt: ClockField['seenAt']
  private declare readonly shiftUs: number

  constructor({ time, received, seenAt, shiftUs }: ClockField, columns: Pick<AskedColumns, 'place' | 'any'>) {
    this.time = time === null ? null : new InstantReader(time, columns)
    this.received = received === null ? null : new InstantReader(received, columns)
    this.seenAt = seenAt
    this.shiftUs = shiftUs
  }

  read(cells: readonly Cells[], row: number): number | TimeTrouble {
    this.aheadUs = 0
    const time = this.time === null ? null : this.time.read(cells, row)
    const received = this.received === null ? null : this.received.read(cells, row)
    // Recorders write 0 where the exchange sent no time.
    const isNone = time === 'no time' || (time === 'absurd timestamp' && this.time!.isZero(cells, row))
    this.isWithoutTime = isNone && typeof received === 'number'
    if (this.isWithoutTime) return received!
    if (typeof time === 'string') return time
    if (typeof received === 'string') return received
    if (time === null) return received!
    const eventUs = time + this.shiftUs
    if (received === null) return eventUs
    if (eventUs > received) this.aheadUs = eventUs - received
    return this.seenAt === 'time' ? eventUs : this.seenAt === 'received' ? received : Math.max(eventUs, received)
  }

  /** Whether rows are seen at instants that stand in a column, or in the later one of two. */
  get isPlain(): boolean {
    return this.time?.isPlain !== false && this.received?.isPlain !== false
  }

  /** When rows `from`…`to`−1 are seen, into the beginning of `into`, NaN where `read` says more. Precondition: `isPlain`. `spare` is as long as `into`. */
  plainRows(cells: readonly Cells[], from: number, to: number, into: Float64Array, spare: Float64Array): void {
    const { time, received, shiftUs, seenAt } = this
    if (time === null) return received!.plainRows(cells, from, to, into)
    time.plainRows(cells, from, to, into)
    received?.plainRows(cells, from, to, spare)
    for (let i = 0; i < to - from; i += 1) {
      into[i]! += shiftUs
      if (received === null) continue
      // An event that is stamped after its receipt is told of.
      if (!(into[i]! <= spare[i]!)) into[i] = NaN
      else if (seenAt !== 'time') into[i] = spare[i]!
    }
  }

  /** What stands in the cells, for reports. */
  text(cells: readonly Cells[], row: number): string {
    return [this.time, this.received].flatMap((reader) => (reader === null ? [] : [`'${reader.text(cells, row)}'${reader.hint}`])).join(', received ')
  }
}
