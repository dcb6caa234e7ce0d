import { shortReason } from '../score/figureBasis.ts'
import type { MakerSummary } from '../score/makers.ts'
import type { RunSummary, Summary } from '../score/summary.ts'
import type { Interval } from '../stats/interval.ts'
import { columnsText } from '../unit/columnsText.ts'
import { grouped, percent, plural, signed, thousands, UNKNOWN, usd } from '../unit/numberText.ts'
import { isoOfTimeUs } from '../unit/time.ts'
import { shownWords } from '../unit/visibleText.ts'
import { alarmLines } from './alarms.ts'
import { seedText } from './seedText.ts'
import { wrapped } from './wrapped.ts'

const ALARMS_SHOWN = 5
const COHORTS_SHOWN = 4
/** From this share on, prices had decided most of what was uncertain before the closes. */
const MOSTLY = 0.5

/**
 * What a run says, in about ten lines: what was played, what each maker earned, with what confidence, and what looks wrong (docs/summary.md). All figures are in
 * `formatSummary`.
 */
export function formatAnswer(summary: RunSummary): string {
  if ('services' in summary) return Object.values(summary.services).map((one) => formatAnswer(one)).join('\n')
  const said = [verdictText(summary), bettorsText(summary)].flatMap((text) => (text === null ? [] : [paragraph(text)]))
  const blocks = [paragraph(playedText(summary)), ...(summary.makers.length === 0 ? [] : [makersTable(summary)]), [...said, alarmsText(summary)].join('\n')]
  return `${blocks.join('\n\n')}\n`
}

function playedText(summary: Summary): string {
  const { service, window, requests: { count, byEnd } } = summary
  const at = (us: number): string => isoOfTimeUs(us).slice(0, 16).replace('T', ' ')
  const when = window === null ? 'nothing happened' : `${at(window.startUs)} to ${at(window.endUs)} UTC`
  const filled = byEnd['committed'] ?? 0
  return `${service}, ${when}, seed ${seedText(summary)}: ${plural(count, service === 'outcome' ? 'RFQ' : 'request')}, ${thousands(filled)} filled${count === 0 ? '' : ` (${percent(filled / count, 1)})`}`
}

const byProfit = (makers: readonly MakerSummary[]): MakerSummary[] => makers.toSorted((a, b) => b.profitMicros - a.profitMicros)

/** A row for each maker, the one that earned most first. A column of intervals that nobody has is left out. */
function makersTable({ makers }: Summary): string {
  const [hasCash, hasClose] = [makers.some(({ profit }) => profit.low !== null), makers.some(({ luckAdjusted }) => luckAdjusted.low !== null)]
  const rows = byProfit(makers).map(({ name, profitMicros, profit, luckAdjustedMicros, luckAdjusted, hits, hold }) => [
    name, usd(profitMicros), ...(hasCash ? [rangeText(profit)] : []), usd(luckAdjustedMicros), ...(hasClose ? [rangeText(luckAdjusted)] : []), thousands(hits.fills), percentText(hits.ratio), percentText(hold),
  ])
  const head = ['maker', 'profit USDC', ...(hasCash ? ['95%'] : []), 'without luck', ...(hasClose ? ['95%'] : []), 'fills', 'hit ratio', 'hold']
  return columnsText([head, ...rows], head.map((_, i) => i).slice(1))
}

const percentText = ({ estimate }: Interval): string => percent(estimate, 1)
const rangeText = ({ low, high }: Interval): string => (low === null || high === null ? UNKNOWN : endsText(low, high).join(' … '))

/** The ends of an interval of USDC: with cents where both are small. */
function endsText(low: number, high: number): [string, string] {
  const decimals = Math.max(Math.abs(low), Math.abs(high)) < 99.95 ? 2 : 0
  return [grouped(low, decimals), grouped(high, decimals)]
}

/** Who earned most, and with what confidence. Null where nobody had a fill. */
export function verdictText(summary: Summary): string | null {
  const ranked = byProfit(summary.makers.filter(({ hits }) => hits.fills > 0))
  const [first] = ranked
  if (first === undefined) return summary.makers.length === 0 ? null : 'No maker had a fill.'
  const { name, profitMicros } = first
  if (ranked.every((maker) => maker.profitMicros === 0)) return 'No maker earned or lost anything.'
  const even = ranked.filter((maker) => maker.profitMicros === profitMicros)
  if (even.length > 1) return `${even.map((maker) => shownWords(maker.name)).join(' and ')} ${profitMicros < 0 ? 'lost least' : 'earned most'}: ${usd(Math.abs(profitMicros))} USDC each.`
  const did = profitMicros < 0 ? `lost${ranked.length > 1 ? ' least' : ''}` : `earned${ranked.length > 1 ? ' most' : ''}`
  return `${shownWords(name)} ${did}: ${usd(Math.abs(profitMicros))} USDC. ${[chanceText(first, summary), partsText(first), luckier(ranked)].filter((text) => text !== '').join(' ')}`
}

/** What the profit is made of, in time: up to the decisions, until the closes, and after them. Empty where V was never known. */
function partsText({ profitMicros, luckAdjustedMicros, decidedByClose, settled, attribution: { micros: { drift }, withoutReference } }: MakerSummary): string {
  if (withoutReference >= settled) return ''
  // A summary that an older version left has no such share.
  const decided = (decidedByClose ?? 0) < MOSTLY ? '' : ` Prices had decided ${percent(decidedByClose, 0)} of what was uncertain before the closes: what chance did by then is in the drift.`
  return `By the prices at its decisions it had earned ${usd(luckAdjustedMicros - drift)} after fees. Drift, what prices did from then to the closes, ${didText(drift)}, and luck, what results did after the closes, ${didText(profitMicros - luckAdjustedMicros)}.${decided}`
}

const didText = (micros: number): string => `${micros < 0 ? 'took' : 'gave'} ${usd(Math.abs(micros))}`

/** Names who has most without luck, where that is another than the first. */
function luckier(ranked: readonly MakerSummary[]): string {
  const best = ranked.reduce((a, b) => (b.luckAdjustedMicros > a.luckAdjustedMicros ? b : a))
  return best === ranked[0] ? '' : `Without luck ${shownWords(best.name)} has most, ${usd(best.luckAdjustedMicros)}.`
}

/** Between what the profit of the first is, and its lead, and whether that may be chance. */
function chanceText({ profit, luckAdjusted }: MakerSummary, { lead, requests: { clusters }, clusters: { sharedPositions } }: Summary): string {
  const [what, of] = profit.low === null ? ['profit without luck', luckAdjusted] : ['profit', profit]
  if (of.low === null) {
    if (clusters === 1) return 'It rests on one settlement cluster, so nothing says how much of it is chance: play more days, or a league.'
    return `Nothing says how much of it is chance: ${shortReason([luckAdjusted]) ?? 'there is no interval'}.`
  }
  // Positions on several clusters join them, which the interval does not know.
  const isNarrow = (sharedPositions ?? 0) > 0
  const verdict = (interval: Interval): string => (mayBeZero(interval) ? 'so it may be chance' : isNarrow ? 'which leaves out 0' : 'which leaves little to chance')
  return [
    `With 95% confidence its ${what} is between ${betweenText(of)}, over ${plural(of.count, 'settlement cluster')}, ${verdict(of)}.`,
    ...(lead === undefined || lead.profit.low === null ? [] : [`Its lead over ${shownWords(lead.second)}, ${grouped(lead.profit.estimate, 2)}, is between ${betweenText(lead.profit)}, ${verdict(lead.profit)}.`]),
    ...(isNarrow ? [`The confidence is less than that, since ${sharedText(sharedPositions!)} of positions rest on several clusters.`] : []),
  ].join(' ')
}

/** The ends of an interval that there is. */
const betweenText = ({ low, high }: Interval): string => endsText(low!, high!).join(' and ')
const mayBeZero = ({ low, high }: Interval): boolean => low! <= 0 && high! >= 0
/** A share that is not 0, which no rounding makes 0. */
const sharedText = (share: number): string => (share < 0.0005 ? 'below 0.1%' : percent(share, 1))

/** What bettors won and lost. Null without a bettor. */
export function bettorsText({ service, bettors, house: { revenueMicros } }: Summary): string | null {
  if (bettors.length === 0) return null
  const [own, layOffs] = [bettors.filter(({ layOffOf }) => layOffOf === undefined), bettors.filter(({ layOffOf }) => layOffOf !== undefined)]
  const shown = own.length > COHORTS_SHOWN ? [['all', own.reduce((sum, { profitMicros }) => sum + profitMicros, 0)] as const] : own.map(({ name, profitMicros }) => [shownWords(name), profitMicros] as const)
  const textOf = (list: readonly (readonly [string, number])[]): string => list.map(([name, micros]) => `${name} ${signed(usd(micros))}`).join(', ')
  const laidOff = layOffs.map(({ layOffOf, profitMicros }) => [shownWords(layOffOf!), profitMicros] as const)
  return [
    ...(shown.length === 0 ? [] : [`${service === 'outcome' ? 'Takers' : 'Bettors'}: ${textOf(shown)} USDC.`]), ...(laidOff.length === 0 ? [] : [`Lay-offs of makers: ${textOf(laidOff)} USDC.`]), `The house kept fees of ${usd(revenueMicros)} USDC.`,
  ].join(' ')
}

function alarmsText(summary: Summary): string {
  const lines = alarmLines(summary)
  if (lines.length === 0) return 'Nothing looks wrong: money is conserved, and every maker took part.'
  const more = lines.length > ALARMS_SHOWN ? [`and ${thousands(lines.length - ALARMS_SHOWN)} more, with --full`] : []
  return ['Looks wrong:', ...[...lines.slice(0, ALARMS_SHOWN), ...more].map((line) => paragraph(line, '- '))].join('\n')
}

/** A text in lines; a bullet stands before the first. */
const paragraph = (text: string, bullet = ''): string => wrapped(bullet, bullet.length, ' ', text.split(' ')).join('\n')
