import type { RunSummary, Summary } from '../score/summary.ts'
import { percent, plural, thousands, usd } from '../unit/numberText.ts'
import { shownWords } from '../unit/visibleText.ts'
import { quietLines } from './quietMakers.ts'
import { unaskedLines, unlistedText } from './unaskedText.ts'

/** Shares from which on something is told of. */
const UNLISTED_MIN = 0.1
const VOID_MIN = 0.05
const LATE_MIN = 0.05
const DECLINED_MIN = 0.25
/** Of fewer fills a maker's ratios say nothing. */
const FILLS_MIN = 20

const sumOf = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

const partText = (part: number, all: number): string => `${thousands(part)} of ${thousands(all)} (${percent(part / all, 1)})`

/** What looks wrong in a run, the worst first: a line each, none where nothing does. Thresholds are those of docs/summary.md. */
export function alarmLines(summary: RunSummary): string[] {
  if ('services' in summary) return Object.values(summary.services).flatMap((one) => alarmLines(one).map((line) => `${one.service}: ${line}`))
  return [...moneyLines(summary), ...unaskedLines(summary), ...quietLines(summary), ...marketLines(summary), ...makerLines(summary), ...inferenceLines(summary)]
}

function moneyLines({ conservation: { differenceMicros, ledgerAgrees }, positions, operations, vaultTransactions }: Summary): string[] {
  const lines: string[] = []
  if (differenceMicros !== 0) lines.push(`money is not conserved: ${usd(differenceMicros)} USDC are too many or too few`)
  if (!ledgerAgrees) lines.push('the ledger and the tables differ')
  if (positions.open > 0) lines.push(`${plural(positions.open, 'position')} ${positions.open === 1 ? 'is' : 'are'} still open, and in no profit`)
  const failed = (operations?.failed ?? 0) + (vaultTransactions?.['failed'] ?? 0)
  if (failed > 0) lines.push(`${plural(failed, 'transaction')} failed on the chain`)
  return lines
}

function marketLines(summary: Summary): string[] {
  const { coverage: { universe, listed }, positions } = summary
  const lines: string[] = []
  const unlisted = unlistedText(summary)
  if (unlisted !== null && universe! - listed! >= UNLISTED_MIN * universe!) lines.push(`never offered: ${unlisted}`)
  const all = sumOf(positions)
  if (positions.void > 0 && positions.void >= VOID_MIN * all) lines.push(`${partText(positions.void, all)} positions were void: their stakes went back`)
  return lines
}

function makerLines({ makers, quiet = [] }: Summary): string[] {
  const told = new Set(quiet.map(({ name }) => name))
  return makers.filter(({ name }) => !told.has(name)).flatMap(({ name, hits: { fills, chainFailed = 0 }, lastLook: { selected, timed_out: late, declined } }) => {
    const lines: string[] = []
    if (late > 0 && late >= LATE_MIN * selected) lines.push(`let ${partText(late, selected)} selections time out`)
    if (declined > 0 && declined >= DECLINED_MIN * selected) lines.push(`declined ${partText(declined, selected)} selections`)
    if (fills < FILLS_MIN) lines.push(`has ${plural(fills, 'fill')}: too few for its ratios`)
    if (chainFailed > 0) lines.push(`lost ${plural(chainFailed, 'fill')} on the chain`)
    return lines.map((line) => `${shownWords(name)} ${line}`)
  })
}

function inferenceLines({ licence, clusters: { sharedPositions } }: Summary): string[] {
  const lines: string[] = []
  if (licence?.verdict === 'uncalibrated') lines.push(`profit without luck is not to be relied on: ${licence.text}`)
  if (sharedPositions !== null && sharedPositions > 0) lines.push(`${percent(sharedPositions, 1)} of positions rest on several settlement clusters: intervals are too narrow`)
  return lines
}
