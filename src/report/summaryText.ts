import type { Interval } from '../stats/interval.ts'
import { brief, fixed, plural, thousands, UNKNOWN, usd } from '../unit/numberText.ts'
import { isoOfTimeUs, MINUTE_US, SECOND_US } from '../unit/time.ts'
import type { RunSummary, Summary } from '../score/summary.ts'
import { TERMS } from '../score/attribution.ts'
import { ENOUGH, ifEnough } from '../score/enough.ts'
import type { Causes } from '../score/recorded.ts'
import type { CashOutSummary } from '../score/cashOuts.ts'
import type { CurveBin } from '../score/winCurve.ts'
import type { MakerSummary } from '../score/makers.ts'
import { swapText } from '../score/swap.ts'
import { NOT_EXCEEDED } from '../score/worstLoss.ts'
import { alarmLines } from './alarms.ts'
import { aligned, alignedLines, type Line } from './alignedRows.ts'
import { passLines, quietLines } from './quietMakers.ts'
import { seedText } from './seedText.ts'
import { shortOfRun } from './shortIntervals.ts'
import { arrivalsEndText, unaskedLines, unlistedText } from './unaskedText.ts'
import { WIDTH, wrapped as wrappedBehind } from './wrapped.ts'

const DIGEST_SHOWN = 12
const HORIZONS_SHOWN = 3
const REJECTIONS_SHOWN = 4
const INDENT = 12
/** Head of the column of fills that the chain did not carry out. */
const CHAIN_FAILED = 'failed'

/** What the services call the same things. */
const PARLAY_WORDS = {
  requests: 'requests', version: 'version', selected: 'selected', committed: 'committed', auction: 'auction', bid: 'bid', takers: 'bettors',
  grossBet: 'gross bet', taken: 'committed', settlement: 'settlement',
}
const OUTCOME_WORDS: typeof PARLAY_WORDS = {
  requests: 'RFQs', version: 'generation', selected: 'accepted', committed: 'filled', auction: 'cash-out RFQ', bid: 'quote', takers: 'takers',
  grossBet: 'stakes', taken: 'filled', settlement: 'claim',
}
const wordsOf = ({ service }: Summary): typeof PARLAY_WORDS => (service === 'outcome' ? OUTCOME_WORDS : PARLAY_WORDS)

/**
 * A summary as aligned text; figures and their definitions are those of docs/metrics.md. A run with several services has one summary after the
 * other, each under its name.
 *
 * @param columns of the terminal: names are cut where a table is wider, to 14 letters at least
 */
export function formatSummary(summary: RunSummary, columns: number = WIDTH): string {
  if (!('services' in summary)) return serviceText(summary, columns)
  return Object.values(summary.services).map((one) => serviceText(one, columns)).join('\n')
}

function serviceText(summary: Summary, columns: number): string {
  const show = summary.requests.clusters === 1 ? estimateOf : between
  const { makers } = summary
  const blocks: Line[][] = [head(summary), cohorts(summary, show)]
  if (makers.length > 0) {
    blocks.push(
      quoting(makers, show), lastLooks(makers, show), results(makers, show), [...capital(makers), ...heldLines(makers)], books(makers, show),
      attributions(makers),
    )
    if (makers[0]!.marks.length > 0) blocks.push(markOuts(makers, show))
    if (summary.cashOut !== undefined) blocks.push(cashOuts(summary.cashOut, wordsOf(summary), show))
    blocks.push(winCurves(makers))
    blocks.push([...passLines(summary), ...quietLines(summary)].flatMap((line) => wrapped('quiet', ' ', line.split(' '))))
  }
  blocks.push(legend(summary))
  // Blank lines around the makers only, because a summary should fit on a screen.
  const [first, second, ...others] = blocks
  const last = others.pop()!
  return [first!, [''], second!, [''], ...others, [''], last].flat().flatMap((line) => (typeof line === 'string' ? [line] : alignedLines(line, columns))).join('\n') + '\n'
}

function head(summary: Summary): string[] {
  const { coverage, requests, acceptances, positions, house, conservation: c } = summary
  const words = wordsOf(summary)
  const unlisted = unlistedText(summary)
  const seen = (count: number | null): string => (count === null ? '?' : thousands(count))
  const total = (counts: Readonly<Record<string, number>>): string =>
    thousands(Object.values(counts).reduce((sum, count) => sum + count, 0))
  return [
    ...wrapped(`${summary.label} ${summary.service}`, '  ', [
      '', `seed ${seedText(summary)}`, `digest ${summary.digest.slice(0, DIGEST_SHOWN)}`, windowText(summary),
    ]),
    ...(summary.swap === undefined ? [] : wrapped('swap', ' ', swapText(summary.swap).split(' '))),
    ...wrapped('coverage', ', ', [
      `universe ${seen(coverage.universe)}`, `listed ${seen(coverage.listed)}`, `no prices ${seen(coverage.withoutPrices)}`,
      `closed ${seen(coverage.closed)}`, `excluded ${seen(coverage.excluded)}`, `unresolved ${seen(coverage.unresolved)}`,
      `drawn ${seen(coverage.drawn)}`, `void ${seen(coverage.voided)}`, `scalar ${seen(coverage.scalar)}`,
      `halted ${seen(coverage.halted)}`, `no settlement time ${seen(coverage.missingSettlementTime)}`,
    ]),
    ...(unlisted === null ? [] : wrapped('not offered', ' ', unlisted.split(' '))),
    ...(summary.licence === undefined ? [] : wrapped('licence', ' ', summary.licence.text.split(' '))),
    ...(summary.arrivalsEnd === undefined ? [] : wrapped('arrivals', ' ', arrivalsEndText(summary.arrivalsEnd).split(' '))),
    ...wrapped(words.requests, ', ', [
      `${thousands(requests.count)} in ${plural(requests.clusters, 'settlement cluster')}`, plural(requests.versions, words.version),
      ...tally(named(requests.byEnd, words.committed)),
    ]),
    ...unaskedLines(summary).flatMap((line) => wrapped('not asked', ' ', line.split(' '))),
    ...wrapped('quotes', ', ', [thousands(summary.quotes), `${words.selected} ${total(acceptances)}`, ...tally(acceptances)]),
    ...wrapped('positions', ', ', [total(positions), ...tally(positions)]),
    wrapped('rejections', ', ', rejectionsText(summary))[0]!.replace(/,$/, ''),
    ...wrapped('money', ' ', [
      `deposits ${usd(c.depositsMicros)}`, `- withdrawals ${usd(c.withdrawalsMicros)}`, `= free ${usd(c.freeMicros)}`,
      `+ reserved ${usd(c.reservedMicros)}`, `+ pots ${usd(c.potMicros)}`, ...(summary.service === 'outcome' ? [] : [`+ escrow ${usd(c.escrowMicros)}`]),
      ...houseText(house, words.settlement),
      conserved(c),
    ]),
    ...lateLines(summary),
    ...recordedLines(summary),
    ...wrongLines(summary),
  ]
}

/** All that looks wrong, but for what has lines of its own. */
function wrongLines(summary: Summary): string[] {
  const own = new Set([...unaskedLines(summary), ...quietLines(summary)])
  const lines = alarmLines(summary).filter((line) => !own.has(line))
  return lines.length === 0 ? [] : wrapped('looks wrong', ' ', lines.join('; ').split(' '))
}

/** What became of recorded logs, and what that means: recorded participants respond to nobody. */
function recordedLines({ recorded = [] }: Summary): string[] {
  const causes = (of: Causes): string => Object.entries(of).map(([cause, count]) => `${thousands(count)} ${cause}`).join(', ')
  return recorded.flatMap(({ cohort, log, takes, requests, reproduced, other, leftOut, makers }) => {
    const [others, out] = [causes(other), causes(leftOut)]
    const parts = [
      `${cohort} of ${log}: ${plural(requests, 'request')}`, `${thousands(reproduced)} as recorded`, ...(others === '' ? [] : [`other: ${others}`]), ...(out === '' ? [] : [`left out: ${out}`]),
      ...makers.map(({ maker, taken, reproduced: again, other: ways }) => `${maker} ${thousands(again)} of ${thousands(taken)} chosen${again === taken ? '' : ` (${causes(ways)})`}`),
      `takes ${takes ?? 'not known'}`, 'what was recorded responds to nobody',
    ]
    return wrapped('recorded', ' ', parts.map((part, i) => (i + 1 < parts.length ? `${part};` : part)).join(' ').split(' '))
  })
}

function houseText({ revenueMicros, takerFeeMicros, profitFeeMicros, profitFees }: Summary['house'], settlement: string): string[] {
  const fees = `+ house ${usd(revenueMicros)} (taker fees ${usd(takerFeeMicros)}, profit fees ${usd(profitFeeMicros)}`
  if (profitFees === undefined) return [`${fees}):`]
  const { atSettlementMicros, atCashOutMicros, onMakersMicros } = profitFees
  return [`${fees}:`, `at ${settlement} ${usd(atSettlementMicros)},`, `at cash-out ${usd(atCashOutMicros)},`, `on makers ${usd(onMakersMicros)}):`]
}

/** Counts by name, without zeros. */
const tally = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${thousands(count)} ${name.replace('_', ' ')}`]))

/** Ends by name, `committed` under the service's own word. */
const named = ({ committed, ...others }: Readonly<Record<string, number>>, word: string): Readonly<Record<string, number>> =>
  ({ ...('updated' in others ? { updated: others['updated']! } : {}), [word]: committed!, ...others })

/** What the chain held up, and webhook deliveries, where there were any. */
function lateLines({ vaultTransactions, operations, deliveries }: Summary): string[] {
  const lines: string[] = []
  if (operations !== undefined) {
    const { count, putOff, done, failed, pending, ...byKind } = operations
    lines.push(...wrapped('operations', ', ', [thousands(count), ...tally(byKind), ...tally({ done, failed, pending }), ...tally({ 'put off': putOff })]))
  }
  if (vaultTransactions !== undefined) {
    const { count, ...byStatus } = vaultTransactions
    lines.push(...wrapped('chain', ', ', [`${plural(count, 'vault transaction')} held up`, ...tally(byStatus)]))
  }
  if (deliveries !== undefined) {
    const { count, attempts, redeliveries, ...byStatus } = deliveries
    lines.push(...wrapped('deliveries', ', ', [thousands(count), ...tally(byStatus), plural(attempts, 'attempt'), ...tally({ redelivered: redeliveries })]))
  }
  return lines
}

/** Auctions by how they ended, and the bids of each maker with their edge. */
function cashOuts(cashOut: CashOutSummary, words: typeof PARLAY_WORDS, show: Show): Line[] {
  const { auctions, byEnd, byRoute, bids, winShare, pricesMicros, feesMicros, makers } = cashOut
  const { committed, ...uncommitted } = byEnd
  const { expired, ...others } = { expired: 0, ...uncommitted }
  const routes = `(${thousands(byRoute.bought_back)} bought back by backers, ${thousands(byRoute.transferred)} transferred)`
  return [
    ...wrapped('cash-outs', ', ', [
      plural(auctions, words.auction), `${thousands(committed)} ${words.committed} ${routes}`, ...tally({ lapsed: expired, ...others }), plural(bids, words.bid),
      `taken ${winShare === null ? UNKNOWN : `${narrow(100 * winShare)}%`}`, `prices ${usd(pricesMicros)}`, `profit fees ${usd(feesMicros)}`,
    ]),
    ...aligned([
      ['cash-out', 'bids', 'won %', 'closed', 'took over', 'paid', 'edge won', 'of', 'edge lost', 'of'],
      ...makers.map((maker) => [
        maker.name, thousands(maker.bids), estimateOf(maker.winShare, 100), thousands(maker.boughtBack), thousands(maker.transferred), usd(maker.paidMicros),
        ...[maker.won, maker.lost].flatMap(({ perBid, valued }) => [show(ifEnough(perBid, { bids: valued })), thousands(valued)]),
      ]),
    ]),
  ]
}

/** What makers paid for the positions that they held, on average. None without a maker that took a position over. */
function heldLines(makers: readonly MakerSummary[]): string[] {
  const parts = makers.flatMap(({ name, collateral: { held } }) => (held === undefined ? [] : [`${name} ${usd(held.averageMicros)}`]))
  return parts.length === 0 ? [] : wrapped('avg held', ', ', parts)
}

/** A label and parts behind it, broken at the width of a summary. */
const wrapped = (label: string, separator: string, parts: readonly string[]): string[] => wrappedBehind(label.padEnd(INDENT), INDENT, separator, parts)

function conserved(c: Summary['conservation']): string {
  if (c.differenceMicros !== 0) return `BROKEN by ${c.differenceMicros} micro-USDC`
  return c.ledgerAgrees ? 'exact' : 'BROKEN: the ledger and the tables differ'
}

function windowText({ window }: Summary): string {
  if (window === null) return 'nothing happened'
  const at = (us: number): string => isoOfTimeUs(us).slice(0, 19) + 'Z'
  return `${at(window.startUs)} to ${at(window.endUs)}`
}

function rejectionsText({ rejections }: Summary): string[] {
  const total = rejections.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return ['none']
  const shown = rejections.slice(0, REJECTIONS_SHOWN).map(({ name, count }) => `${name} ${thousands(count)}`)
  return [thousands(total), ...shown]
}

function cohorts(summary: Summary, show: Show): Line[] {
  const { takers, requests, taken, grossBet } = wordsOf(summary)
  const haveFailed = summary.bettors.some(({ chainFailed }) => chainFailed !== undefined)
  return aligned([
    [takers, requests, taken, ...(haveFailed ? [CHAIN_FAILED] : []), grossBet, 'profit', `net loss / ${grossBet} %`],
    ...summary.bettors.map((cohort) => [
      cohort.name, thousands(cohort.requests), thousands(cohort.committed), ...(haveFailed ? [thousands(cohort.chainFailed ?? 0)] : []), usd(cohort.grossBetMicros), usd(cohort.profitMicros),
      show(cohort.loss, 100),
    ]),
  ])
}

function quoting(makers: readonly MakerSummary[], show: Show): Line[] {
  const haveFailed = makers.some(({ hits }) => hits.chainFailed !== undefined)
  return aligned([
    ['quoting', 'quotes', 'requotes', 'quote rate', 'fills', ...(haveFailed ? [CHAIN_FAILED] : []), 'hit ratio %', 'committed', 'fills of them %'],
    ...makers.map(({ name, quotes, quoteRate, hits }) => [
      name, thousands(quotes), thousands(quoteRate.requotes), fixed(quoteRate.ratio, 3),
      thousands(hits.fills), ...(haveFailed ? [thousands(hits.chainFailed ?? 0)] : []), show(hits.ratio, 100),
      thousands(hits.committedVersions), show(ifEnough(hits.ofCommitted, { committed: hits.committedVersions }), 100),
    ]),
  ])
}

const lastLooks = (makers: readonly MakerSummary[], show: Show): Line[] => aligned([
  ['last look', 'selected', 'confirmed', 'declined', 'timed out', 'p50 ms', 'p99 ms', 'asymmetry c', 'of'],
  ...makers.map(({ name, lastLook: look }) => [
    name, thousands(look.selected), thousands(look.confirmed), thousands(look.declined), thousands(look.timed_out),
    ms(look.latencyP50Us), ms(look.latencyP99Us), show(ifEnough(look.asymmetryCents, look.asymmetryOf)),
    sides(look.asymmetryOf.declined, look.asymmetryOf.confirmed),
  ]),
])

const results = (makers: readonly MakerSummary[], show: Show): Line[] => aligned([
  ['result', 'settled', 'profit USDC', 'hold %', 'bettors lost %'],
  ...makers.map(({ name, settled, profitMicros, profit, hold, bettorLoss }) => [
    name, thousands(settled), show(profit, 1, usd(profitMicros)), show(hold, 100), show(bettorLoss, 100),
  ]),
])

/** Capital, its falls and the tail of the profit. */
function capital(makers: readonly MakerSummary[]): Line[] {
  const hasTail = makers.some(({ tail }) => tail.expectedShortfallMicros !== null)
  return aligned([
    ['capital', 'avg locked', '%/day', 'dd cash', 'dd marked', 'dd at touch', hasTail ? 'ES 99%' : 'worst cluster', 'Kelly', 'fees'],
    ...makers.map(({ name, collateral, drawdown, tail, kelly, fees, ownBets }) => [
      name + (ownBets === undefined ? '' : '*'), usd(collateral.averageMicros),
      narrow(collateral.returnPerDay === null ? null : collateral.returnPerDay * 100),
      usd(drawdown.cashMicros), usd(drawdown.markToMarketMicros), usd(drawdown.liquidationMicros),
      usd(hasTail ? tail.expectedShortfallMicros : tail.worstClusterMicros), narrow(kelly.multiple), usd(fees.takerMicros + fees.profitMicros),
    ]),
  ])
}

/** What the book earned up to the close, whoever won, what it could have cost, and the winner's curse at the last horizon shown. */
function books(makers: readonly MakerSummary[], show: Show): Line[] {
  const last = Math.min(HORIZONS_SHOWN, makers[0]!.marks.length) - 1
  const curse = last < 0 ? [] : [`curse ${span(makers[0]!.marks[last]!.horizonUs)} c`, 'of']
  return aligned([
    ['book', 'luck-adj. USDC', 'exp. hold %', ...curse, 'worst joint'],
    ...makers.map(({ name, luckAdjusted, luckAdjustedMicros, expectedHold, worstJointLoss: worst, marks }) => [
      name, show(luckAdjusted, 1, usd(luckAdjustedMicros)), show(expectedHold, 100), ...(last < 0 ? [] : curseOf(marks[last]!, show)),
      worst === null ? UNKNOWN : `${boundOf(worst)}${usd(worst.micros)}`,
    ]),
  ])
}

const curseOf = ({ winnersCurseCents, wonWithFair: won, lostWithFair: lost }: MakerSummary['marks'][number], show: Show): string[] =>
  [show(ifEnough(winnersCurseCents, { won, lost })), sides(won, lost)]

/** How much the two sides of a difference rest on. */
const sides = (one: number, other: number): string => `${thousands(one)}+${thousands(other)}`

/** Marks a loss: it is no bound when voided positions could have made it larger. */
const boundOf = ({ isExact, label }: NonNullable<MakerSummary['worstJointLoss']>): string =>
  isExact ? '' : label === NOT_EXCEEDED ? '<= ' : '~ '

const attributions = (makers: readonly MakerSummary[]): Line[] => aligned([
  ['attribution', 'margin', 'selection', 'model', 'last look', 'drift', 'fees', 'luck', '= profit'],
  ...makers.map(({ name, profitMicros, attribution: { micros } }) => [
    name, ...TERMS.map((term) => usd(micros[term])), usd(profitMicros),
  ]),
])

const markOuts = (makers: readonly MakerSummary[], show: Show): Line[] => aligned([
  ['mark-out c', ...makers[0]!.marks.slice(0, HORIZONS_SHOWN).map(({ horizonUs }) => span(horizonUs)), 'of'],
  ...makers.map(({ name, marks }) => {
    const shown = marks.slice(0, HORIZONS_SHOWN)
    return [
      name, ...shown.map(({ markOutCents, won, unknown }) => show(ifEnough(markOutCents, { fills: won - unknown }))),
      thousands(Math.min(...shown.map(({ won, unknown }) => won - unknown))),
    ]
  }),
])

/** P(fill) in percent by margin over the reference; only bins that some maker has quoted in. */
function winCurves(makers: readonly MakerSummary[]): Line[] {
  const key = (bin: CurveBin): number => bin.fromCents ?? (bin.toCents! - 1)
  const bins = new Map<number, string>()
  for (const { winCurve } of makers) for (const bin of winCurve.pooled) bins.set(key(bin), binName(bin))
  if (bins.size === 0) return ['win curve   no quote of known margin']
  const keys = [...bins.keys()].sort((a, b) => a - b)
  return aligned([
    ['win curve %', ...keys.map((k) => bins.get(k)!)],
    ...makers.map(({ name, winCurve }) => [
      name,
      ...keys.map((k) => {
        const bin = winCurve.pooled.find((pooled) => key(pooled) === k)
        return bin === undefined || bin.quotes < ENOUGH ? UNKNOWN : percentText(bin.filled / bin.quotes)
      }),
    ]),
    ['of, in all', ...keys.map((k) => String(makers.reduce((sum, { winCurve }) => sum + (winCurve.pooled.find((pooled) => key(pooled) === k)?.quotes ?? 0), 0)))],
  ], ' ')
}

const binName = ({ fromCents, toCents }: CurveBin): string =>
  fromCents === null ? `<${toCents}` : toCents === null ? `${fromCents}+` : String(fromCents)

const percentText = (share: number): string => {
  const percent = share * 100
  return percent > 0 && percent < 10 ? fixed(percent, 1) : fixed(percent, 0)
}

/** What the intervals are, and why there are none or why they are too narrow. */
function aboutIntervals({ requests, clusters: { by, sharedPositions } }: Summary): string[] {
  if (requests.clusters === 1) return ['one settlement cluster: no interval.']
  const about = 'x [low, high]/n: 95% over n settlement clusters (one has none).'
  if (sharedPositions === null || sharedPositions === 0) return [about]
  const share = sharedPositions < 0.001 ? 'under 0.1' : percentText(sharedPositions)
  const remedy = by === 'game' || by === 'event' ? '; cluster: gameDay keeps them whole' : ''
  return [about, `${share}% of positions rest on several clusters: intervals are too narrow${remedy}.`]
}

function legend(summary: Summary): string[] {
  const { makers } = summary
  const [intervals, ...caveats] = aboutIntervals(summary)
  if (makers.length === 0) return [intervals!, ...caveats]
  const marks = makers.flatMap((maker) => maker.marks)
  const censored = marks.reduce((sum, mark) => sum + mark.censored, 0)
  const unknown = marks.reduce((sum, mark) => sum + mark.unknown, 0)
  const fills = marks.reduce((sum, mark) => sum + mark.won, 0)
  return [
    `${intervals} c: cents per dollar of payout.`,
    ...caveats,
    ...shortLines(summary),
    `quote rate: quotes less requotes / requests delivered. dd: drawdown. ${tailText(makers)}`,
    `of: what the figure before it rests on; of two sides declined+confirmed, won+lost; - if under ${ENOUGH}.`,
    'dd marked, dd at touch: at least, over the samples of record.equityEvery: more of them, more fall.',
    'Kelly: multiple of the book that grows capital fastest, by cluster. ruin: parlor redraw RUN.',
    'luck-adj.: profit less luck, which is what results did after the close.',
    'exp. hold: by V at the close. worst joint: loss if nothing is voided (~: something was); <= at most.',
    `win curve: P(fill) by 100(q - V). marks of fills: ${thousands(fills)}, ${thousands(censored)} at the session's end, `
      + `${thousands(unknown)} without V.`,
    ...(makers.some(({ collateral }) => collateral.held !== undefined) ? ['%/day: profit over avg locked and avg held.'] : []),
    ...(makers.some(({ ownBets }) => ownBets !== undefined) ? ['* bets on its own account: dd marked counts these bets, profit and dd cash do not.'] : []),
    ...(summary.cashOut === undefined ? [] : ['edge, USDC a bid: V P - price of backers, V (P - fee of a win) - price of others; V at submission.']),
  ]
}

/** Why intervals of cash, and of figures up to the close, are missing. */
function shortLines(summary: Summary): string[] {
  if (summary.requests.clusters === 1) return []
  const { cash, close } = shortOfRun(summary)
  return [cash, close].flatMap((reason) => (reason === null ? [] : [`no interval: ${reason}.`]))
}

const tailText = (makers: readonly MakerSummary[]): string =>
  (makers.some(({ tail }) => tail.expectedShortfallMicros !== null) ? 'ES: expected shortfall at 99%.' : 'worst cluster: profit in it.')

/** `estimate [low, high]/clusters`, scaled. `exact` replaces the estimate where it is known to more digits. */
function between({ estimate, low, high, count }: Interval, scale = 1, exact: string | null = null): string {
  if (estimate === null) return UNKNOWN
  const text = (x: number): string => narrow(x * scale)
  if (low === null || high === null) return `${exact ?? text(estimate)} [no interval]/${count}`
  return `${exact ?? text(estimate)} [${text(low)}, ${text(high)}]/${count}`
}

type Show = typeof between

/** The estimate alone, for a run whose legend says that there are no intervals. */
function estimateOf({ estimate }: Interval, scale = 1, exact: string | null = null): string {
  return estimate === null ? UNKNOWN : exact ?? narrow(estimate * scale)
}

/** Three digits, of which two decimals at most: columns are narrow. */
const narrow = (value: number | null): string => brief(value, 2)

const ms = (us: number | null): string => narrow(us === null ? null : us / 1000)

const span = (us: number): string => (us > 0 && us % MINUTE_US === 0 ? `${us / MINUTE_US}min` : `${us / SECOND_US}s`)
