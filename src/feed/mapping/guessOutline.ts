import { basename } from 'node:path'
import { isNumeric, marksGuess, numberOf, priceGuess, type Sample, timeGuess } from './columnGuess.ts'
import { COLUMNS_SHOWN, delimiterLines, type Line, lineText, type Looked, markLines, quoted, timeLine } from './guessLines.ts'

/** Numbers of a column that may be prices are no larger. */
const PRICE_MAX = 100
/** A cell may have a mebibyte. */
const SAMPLE_LENGTH = 40

/**
 * What can be said of a file whose columns are not called as anybody's: what stands between its fields, its times and its numbers by their look, and
 * comments that a person fills in. Undefined where no column has times.
 */
export function outlineOf(looked: Looked): string | undefined {
  const { columns, sample, file } = looked
  const times = columns.filter((column) => isTime(sample(column)))
  const [time] = times
  if (time === undefined) return undefined
  const numbers = columns.filter((column) => !times.includes(column) && isNumeric(sample(column)))
  const texts = columns.filter((column) => !times.includes(column) && !numbers.includes(column) && sample(column).texts.length > 0)
  const samples = numbers.map(sample)
  const marks = marksGuess(samples)
  const prices = samples.filter((one) => one.texts.every((text) => numberOf(text, marks) <= PRICE_MAX))
  const kind = prices.length > 1 ? 'quotes' : 'trades'
  const { unit } = priceGuess(prices)
  const lines: Line[] = [
    ...delimiterLines(looked),
    ...(texts.length === 1 ? [{ key: 'market', value: quoted(texts[0]!), doubt: 'it is the only column of texts' }] : []),
    { ...timeLine('time', time, looked), ...(times.length > 1 ? { doubt: `${times.slice(1).map(quoted).join(', ')} ${times.length > 2 ? 'have' : 'has'} times, too: one of them may be received` } : {}) },
    ...markLines(samples),
    ...(prices.length > 0 && unit !== 'dollars' ? [{ key: 'prices', value: unit, doubt: 'cents, percent, or decimal odds (then: decimal)' }] : []),
  ]
  const seen = (column: string): string => `${quoted(column)} (as ${JSON.stringify((sample(column).texts[0] ?? '').slice(0, SAMPLE_LENGTH))})`
  const open = [...(texts.length === 1 ? [] : ['market']), ...(kind === 'quotes' ? ['bid', 'ask', 'bid_size', 'ask_size', 'last'] : ['price'])]
  const left = columns.filter((column) => column !== time && (texts.length !== 1 || column !== texts[0]))
  return [
    `  # ${basename(file.name)}: its columns have names that are not known. Fill in what follows #, or leave it out.`,
    `  - kind: ${kind} # unsure: quotes, candles, trades, depth, markets or results (docs/import.md)`,
    ...lines.map(lineText), `    # columns to name: ${left.slice(0, COLUMNS_SHOWN).map(seen).join(', ') || 'none'}${left.length > COLUMNS_SHOWN ? ', …' : ''}`, ...open.map((key) => `    # ${key}:`),
  ].join('\n')
}

function isTime(sample: Sample): boolean {
  const { isKnown, unit } = timeGuess(sample)
  // A number may be anything else: times are those of this century.
  return isKnown && (unit === undefined || sample.texts.every((text) => isNumeric(sample) && Number(text) >= 9e8))
}
