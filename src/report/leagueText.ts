import { MEASURE_WORDS } from '../score/licence.ts'
import type { Interval } from '../stats/interval.ts'
import { CONDITIONAL } from '../stats/replicatedSums.ts'
import type { BreakEven, LeagueEntry, LeagueFigures, LeagueResult } from '../sweep/leagueResult.ts'
import { fixed, grouped, percent as percentage, plural, UNKNOWN } from '../unit/numberText.ts'
import { isoOfTimeUs } from '../unit/time.ts'
import { span } from './html/format.ts'
import { leagueVerdict, playedText } from './leagueVerdict.ts'
import { whyText } from './leagueWhy.ts'
import { shortOfLeague } from './shortIntervals.ts'

/** All of a league as aligned text: the tables, the tuning of entries, failures, and what a reader should know. */
export function leagueText(league: LeagueResult): string {
  const blocks = [head(league), aligned(ranking(league)), aligned(trade(league)), aligned(fills(league)), aligned(robustness(league)), tunings(league), failures(league), legend(league)]
  return `${blocks.filter((block) => block.length > 0).map((block) => block.join('\n')).join('\n\n')}\n`
}

/**
 * What a league says, in a few lines: the entries by rank, which is first and whether its lead tells it from the second, how entries were tuned, and what failed.
 */
export function leagueAnswer(league: LeagueResult): string {
  const verdict = leagueVerdict(league)
  const why = [...[verdict, whyText(league)].filter((text) => text !== null), ...(league.isConditional ? [`Intervals are ${CONDITIONAL}: everything is in one settlement cluster.`] : [])]
  const blocks = [head(league).slice(0, 1), aligned(withoutEmpty(ranking(league))), [...why, ...tunings(league), ...failures(league)]]
  return `${blocks.filter((block) => block.length > 0).map((block) => block.join('\n')).join('\n\n')}\n`
}

function head({ label, name, seed, history, replications, sessions, formats, licence, ranking: { measure, format, part } }: LeagueResult): string[] {
  const { coverage, clusters, active, clusterBy, holdout, firstHeldOut, fromUs, toUs } = history
  const day = (us: number): string => isoOfTimeUs(us).slice(0, 10)
  return [
    `${label} league ${name}  seed ${seed}  ${day(fromUs)} to ${day(toUs)}  ${plural(sessions, 'session')}, ${plural(replications, 'replication')}`,
    `coverage  universe ${whole(coverage.universe)}, listed ${whole(coverage.listed)}, no prices ${whole(coverage.withoutPrices)}, closed ${whole(coverage.closed)}, excluded ${whole(coverage.excluded)}, unresolved ${whole(coverage.unresolved)}, drawn ${whole(coverage.drawn)}, void ${whole(coverage.voided)}`,
    `clusters  ${whole(clusters)} by ${clusterBy}, ${whole(active)} with positions${holdout === 0 ? ', none held out' : `, ${whole(holdout)} held out from ${firstHeldOut} on`}`,
    `played    ${formats.join(', ')}; ranked by ${MEASURE_WORDS[measure]} ${playedText(format, part)}`,
    `licence   ${licence.text}`,
  ]
}

/** What ranks, then the other measure. */
function ranking({ entries, ranking: { part, measure } }: LeagueResult): string[][] {
  const [first, second] = measure === 'cash' ? ['cash', 'no luck'] : ['no luck', 'cash']
  return [
    ['#', 'entry', part === 'all' ? first : `${first}, ${part}`, '95%', 'to leader', '95%', 'p adj.', second, '95%', 'to leader', '95%', 'rating', '95%'],
    ...entries.map((entry) => {
      const { figures } = entry
      const first = [entry.rank === null ? UNKNOWN : String(entry.rank), nameOf(entry)]
      if (figures === null) return first
      const { toLeader } = figures
      const [ranks, other] = measure === 'cash' ? [figures.profit, figures.luckAdjusted] : [figures.luckAdjusted, figures.profit]
      return [
        ...first, ...withRange(ranks[part], money), ...(toLeader === null ? ['leader', '', ''] : [...withRange(toLeader.difference, money), p(toLeader.adjusted)]),
        ...withRange(other[part], money), ...(toLeader === null ? ['leader', ''] : withRange(toLeader.beside, money)), ...withRange(figures.rating, whole),
      ]
    }),
  ]
}

/** How much each did, and what its fills were worth. */
function trade({ entries, valuedAtUs }: LeagueResult): string[][] {
  const rows = entries.flatMap((entry) => {
    const { figures } = entry
    if (figures === null) return []
    const { valued } = figures
    return [[
      String(entry.rank), nameOf(entry), whole(figures.delivered), whole(figures.quotes), estimate(figures.perThousand, money), estimate(figures.hold, percent),
      ...withRange(valued.value, money), ...(valued.toLeader === null ? ['leader', ''] : withRange(valued.toLeader, money)),
    ]]
  })
  return rows.length === 0 ? [] : [['#', 'entry', 'requests', 'quotes', 'per 1,000', 'hold', `at V, ${span(valuedAtUs)}`, '95%', 'to leader', '95%'], ...rows]
}

/** What fills were like, where the result knows. */
function fills({ entries }: LeagueResult): string[][] {
  const rows = entries.flatMap(({ rank, name, figures }) => (figures?.account === undefined ? [] : [{ rank, name, account: figures.account }]))
  if (rows.length === 0) return []
  const horizons = rows[0]!.account.markOuts.map(({ horizonUs }) => horizonUs)
  return [
    ['#', 'entry', 'fills', 'hit ratio', 'staked', ...horizons.flatMap((us) => [`mark-out ${span(us)}`, '95%'])],
    ...rows.map(({ rank, name, account: { fills: count, hitRatio, stake, markOuts } }) => [
      rank === null ? UNKNOWN : String(rank), name, fixed(count, 1), estimate(hitRatio, percent), whole(stake),
      ...horizons.flatMap((us) => withRange(markOuts.find(({ horizonUs }) => horizonUs === us)?.cents ?? null, cents)),
    ]),
  ]
}

function robustness({ entries, history: { holdout }, ranking: { measure } }: LeagueResult): string[][] {
  const held = holdout > 0
  const by = ({ profit, luckAdjusted }: LeagueFigures): LeagueFigures['profit'] => (measure === 'cash' ? profit : luckAdjusted)
  const rows = entries.flatMap((entry) => (entry.figures === null ? [] : [[
    String(entry.rank), nameOf(entry),
    ...(held ? [estimate(by(entry.figures).training, money), estimate(by(entry.figures).holdout, money)] : []),
    ...sharpe(entry.figures), band(entry.figures), breakEven(entry.figures.breakEven),
  ]]))
  return rows.length === 0 ? [] : [['#', 'entry', ...(held ? ['training', 'holdout'] : []), 'Sharpe', 'deflated', 'band', 'break-even'], ...rows]
}

const nameOf = ({ name, status, dropped }: LeagueEntry): string =>
  (status === 'failed' ? `${name} (failed)` : status === 'unmet' ? `${name} (met nobody to the end)` : dropped === null ? name : `${name} (dropped after ${dropped.after})`)

const sharpe = ({ sharpe: { perCluster, deflated } }: LeagueFigures): string[] =>
  [fixed(perCluster, 2), percent(deflated)]

const band = ({ band: of }: LeagueFigures): string => (of === null || of.low === null || of.high === null ? UNKNOWN : `${money(of.low)} … ${money(of.high)}`)

function breakEven(of: BreakEven | null): string {
  if (of === null || of.margin.estimate === null) return UNKNOWN
  if (of.side !== 'within') return `${of.side === 'below' ? 'below' : 'above'} ${percent(of.margin.estimate)}`
  const { estimate: margin, low, high } = of.margin
  return low === null || high === null ? percent(margin) : `${percent(margin)} (${percent(low)} … ${percent(high)})`
}

function tunings({ entries }: LeagueResult): string[] {
  return entries.flatMap(({ name, tuning, params }) => {
    if (tuning === null) return []
    const { overfitting, variants } = tuning
    const chosen = variants.some(({ isChosen }) => isChosen) ? Object.entries(params).map(([key, value]) => `${key} ${value}`).join(', ') : 'none'
    const risk = overfitting === null ? 'overfitting unknown' : `probability of overfitting ${percent(overfitting.probability)}`
    return [`tuned     ${name}: ${chosen}, of ${variants.length} variants; ${risk}`]
  })
}

const failures = ({ failures: of }: LeagueResult): string[] => of.map(({ entries, setting, kind, who, message }) =>
  `failed    ${entries.join(' against ')} (${setting.kind}): ${kind}${who === null || entries.includes(who) ? '' : ` of ${who}`}: ${message.split('\n', 1)[0]}`)

function legend(league: LeagueResult): string[] {
  const { isConditional, remarks, ranking: { comparison }, ratingOf, entries } = league
  const trials = entries.find(({ figures }) => figures !== null)?.figures?.sharpe.trials ?? 0
  return [
    'USDC of one session on average; intervals by settlement cluster; to leader: paired, under common random numbers',
    'no luck   luck-adjusted profit: cash less what was paid beyond what the closes said; rating, Sharpe, band and break-even are by what ranks',
    ...(fills(league).length === 0 ? [] : ['mark-out  price less V, so long after fills, in cents per dollar of payout: negative is adverse selection']),
    `at V      what fills were worth by the reference V, that long after each; legs settled by then count by their results`,
    ...(comparison === null ? [] : [`p adj.    zero difference to the leader, adjusted for all pairs: ${comparison}`]),
    ...(ratingOf === null ? [] : [`rating    Bradley–Terry, a game is a cluster ${ratingOf === 'pairs' ? 'head to head' : 'under common random numbers'}; mean 1500`]),
    `deflated  probability that the Sharpe ratio by cluster is above the best of ${trials} worthless ones`,
    ...(isConditional ? [`intervals are ${CONDITIONAL}: everything is in one settlement cluster`] : []),
    ...shortLines(league),
    ...remarks,
  ]
}

/** Why intervals are missing, and with them p-values of what ranks. */
function shortLines(league: LeagueResult): string[] {
  const { cash, close } = shortOfLeague(league)
  return [...(cash === null ? [] : [`no interval of cash: ${cash}`]), ...(close === null ? [] : [`no interval: ${close}`])]
}

/** USDC with tenths below a hundred. */
const money = (usdc: number): string => grouped(usdc, Math.abs(usdc) >= 99.95 ? 0 : 1)
/** Of a dollar of payout. */
const cents = (value: number): string => `${fixed(value, 2)}¢`
const whole = (value: number | null): string => grouped(value, 0)
const percent = (share: number | null): string => percentage(share, 1)
const p = (value: number | null): string => (value !== null && value < 0.001 ? '<.001' : fixed(value, 3))

const estimate = (interval: Interval | null, show: (value: number) => string): string =>
  (interval === null || interval.estimate === null ? UNKNOWN : show(interval.estimate))

/** The estimate, and its interval. */
function withRange(interval: Interval | null, show: (value: number) => string): [string, string] {
  const { low = null, high = null } = interval ?? {}
  return [estimate(interval, show), low === null || high === null ? UNKNOWN : `${show(low)} … ${show(high)}`]
}

/** Leaves out intervals and p-values that no entry has. */
function withoutEmpty(rows: readonly (readonly string[])[]): (readonly string[])[] {
  const [head = [], ...others] = rows
  const isKept = head.map((title, i) => !['95%', 'p adj.'].includes(title) || others.some((row) => ![undefined, '', UNKNOWN].includes(row[i])))
  return rows.map((row) => row.filter((_, i) => isKept[i]))
}

/** Columns; the first row is the head. Numbers are aligned to the right, names to the left. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
  return rows.map((row) => row.map((text, i) => (i === 1 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join('  ').trimEnd())
}
