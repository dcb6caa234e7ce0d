/** A date that stands in a text. */
export interface WrittenDate {
  /** Where it ends. */
  readonly end: number
  /** Null where the text leaves the year out. */
  readonly year: number | null
  readonly month: number
  readonly day: number
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const NAME = `(${MONTHS.join('|')}|${MONTHS.map((name) => name.slice(0, 3)).join('|')})`

/** Forms of dates in lower case, those with more of the text first. */
const FORMS: readonly { readonly form: RegExp; readonly order: 'ymd' | 'mdy' | 'dmy' }[] = [
  { form: new RegExp(`${NAME}[- ](\\d{1,2})(?:,? |-)(\\d{4})(?!\\d)`, 'y'), order: 'mdy' },
  { form: new RegExp(`(\\d{1,2})[- ]${NAME}[- ](\\d{4})(?!\\d)`, 'y'), order: 'dmy' },
  { form: /(\d{4})-(\d{2})-(\d{2})/y, order: 'ymd' },
  { form: /(\d{4})(\d{2})(\d{2})/y, order: 'ymd' },
  { form: new RegExp(`(\\d{2})${NAME}(\\d{2})`, 'y'), order: 'ymd' },
  { form: new RegExp(`${NAME}[- ](\\d{1,2})(?!\\d)()`, 'y'), order: 'mdy' },
]
const CENTURY = 2000

const monthOf = (text: string): number => (/^\d/.test(text) ? Number(text) : MONTHS.findIndex((name) => name.startsWith(text)) + 1)

/** The dates that begin at a place of a text in lower case, as `2025-06-19`, `20250619`, `25jun19`, `june-19-2025`, `19 june 2025` or `jun 19`, longest first. */
export function datesAt(text: string, from: number): WrittenDate[] {
  return FORMS.flatMap(({ form, order }) => {
    form.lastIndex = from
    const match = form.exec(text)
    if (match === null) return []
    const [first, second, third] = match.slice(1) as [string, string, string]
    const [y, m, d] = order === 'ymd' ? [first, second, third] : order === 'mdy' ? [third, first, second] : [third, second, first]
    const [month, day] = [monthOf(m), Number(d)]
    if (!(month >= 1 && month <= MONTHS.length && day >= 1 && day <= MONTH_DAYS[month - 1]!)) return []
    return [{ end: from + match[0].length, year: y === '' ? null : y.length === 2 ? CENTURY + Number(y) : Number(y), month, day }]
  }).sort((a, b) => b.end - a.end)
}
