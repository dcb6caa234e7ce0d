const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TOKEN = /yyyy|yy|MMM|MM|M|dd|d|HH|H|hh|h|mm|ss|S+|a|XXX|'[^']*'/g
const READS: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})', yy: '(?<shortYear>\\d{2})', MMM: '(?<name>[A-Za-z]{3})', MM: '(?<month>\\d{2})', M: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{2})', d: '(?<day>\\d{1,2})', HH: '(?<hour>\\d{2})', H: '(?<hour>\\d{1,2})', hh: '(?<hour12>\\d{2})', h: '(?<hour12>\\d{1,2})',
  mm: '(?<minute>\\d{2})', ss: '(?<second>\\d{2})', a: '(?<half>[AaPp][Mm])', XXX: '(?<zone>Z|[+-]\\d{2}:?\\d{2})',
}

/** A time as clocks show it. */
export interface TimeParts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** Digits after the point of the second. */
  readonly fraction: string
  readonly zone: string | undefined
}

/** What is wrong with a pattern, or undefined. */
export function patternFault(pattern: string): string | undefined {
  const tokens: readonly string[] = pattern.match(TOKEN) ?? []
  if (new Set(tokens.filter((token) => !token.startsWith("'"))).size !== tokens.filter((token) => !token.startsWith("'")).length) return 'names a part twice'
  const has = (...names: string[]) => names.some((name) => tokens.includes(name))
  if (!has('yyyy', 'yy') || !has('MMM', 'MM', 'M') || !has('dd', 'd')) return 'names no year, month and day'
  if (has('hh', 'h') !== has('a')) return 'has hours to 12 (hh) without a, or a without hours to 12'
  return /[A-Za-z]/.test(pattern.replace(TOKEN, '')) ? 'has letters that are no part of a time; quote them' : undefined
}

/** A way in which times are written, as `dd.MM.yyyy HH:mm:ss.SSS`. */
export class Pattern {
  private declare readonly reads: RegExp

  /** Precondition: the pattern has no fault. */
  constructor(pattern: string) {
    const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    let source = ''
    let at = 0
    for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
      source += escaped(pattern.slice(at, index))
      source += token.startsWith("'") ? escaped(token.slice(1, -1)) : READS[token] ?? `(?<fraction>\\d{1,9})`
      at = index + token.length
    }
    this.reads = new RegExp(`^${source}${escaped(pattern.slice(at))}$`)
  }

  /** The parts of a time, undefined for a text of another form. */
  parts(text: string): TimeParts | undefined {
    const found = this.reads.exec(text)?.groups
    if (found === undefined) return undefined
    const { year, shortYear, month, name, day, hour, hour12, half, minute, second, fraction = '', zone } = found as Partial<Record<string, string>>
    const named = name === undefined ? Number(month) : MONTHS.indexOf(name.toLowerCase()) + 1
    const hours = hour12 === undefined ? Number(hour ?? 0) : (Number(hour12) % 12) + (half!.toLowerCase() === 'pm' ? 12 : 0)
    if (hour12 !== undefined && !(Number(hour12) >= 1 && Number(hour12) <= 12)) return undefined
    return {
      year: year === undefined ? 2000 + Number(shortYear) : Number(year), month: named, day: Number(day), hour: hours, minute: Number(minute ?? 0),
      second: Number(second ?? 0), fraction, zone,
    }
  }
}
