/** A thing that a text cites by its number, and where. Each one of a list or a range is a citation. */
export interface Citation {
  readonly index: number
  readonly id: string
}

/** A gap between two words of a sentence, which may go on in the next line of a comment. */
const GAP = '(?:\\s+(?:(?:\\*|//|#)\\s+)?)'
const RANGE = `${GAP}?[…–]${GAP}?`
const AND = `(?:,${GAP}|${GAP}and${GAP}|${GAP}or${GAP})`

/** Ids from the first number to the last, with as many digits as the first. A range that does not rise stays as it is written, which is no id. */
function spread(prefix: string, first: string, last: string | undefined): string[] {
  if (last === undefined) return [`${prefix}${first}`]
  if (last.length < first.length || Number(last) <= Number(first)) return [`${prefix}${first}…${last}`]
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => `${prefix}${String(Number(first) + i).padStart(first.length, '0')}`)
}

/** "decision 12", "decisions 10 and 12", "decisions 3…5": numbers of the design, of at most two digits. */
export function citedDecisions(text: string): Citation[] {
  const number = `\\d{1,2}(?!\\d)(?:${RANGE}\\d{1,2}(?!\\d))?`
  const list = new RegExp(`\\bdecisions?${GAP}(${number}(?:${AND}${number})*)`, 'g')
  return [...text.matchAll(list)].flatMap((match) => [...match[1]!.matchAll(new RegExp(`(\\d+)(?:${RANGE}(\\d+))?`, 'g'))]
    .flatMap(([, first, last]) => spread('', first!, last).map((id) => ({ index: match.index, id }))))
}

/**
 * "PQ-042", "PQ-041…044", "INV-01–INV-05", "A26…A34", "B01 … B04": ids of one prefix and as many digits.
 *
 * @param prefix - What stands before the digits, as a pattern.
 * @param digits - How many an id has.
 */
export function citedIds(text: string, prefix: string, digits: number): Citation[] {
  const range = new RegExp(`\\b(${prefix})(\\d{${digits}})(?!\\d)(?:${RANGE}(?:\\1)?(\\d+))?`, 'g')
  return [...text.matchAll(range)].flatMap((match) => spread(match[1]!, match[2]!, match[3]).map((id) => ({ index: match.index, id })))
}

/** "readings A12", "readings A26…A34", "readings A12, B01 … B04 and B07": ids of readings where the word stands before them. */
export function citedReadings(text: string): Citation[] {
  const id = `[AB]\\d\\d(?:${RANGE}[AB]?\\d\\d)?`
  return [...text.matchAll(new RegExp(`\\breadings?${GAP}(${id}(?:${AND}${id})*)`, 'g'))]
    .flatMap((match) => citedIds(match[1]!, '[AB]', 2).map((one) => ({ index: match.index, id: one.id })))
}
