import { type Measure, MEASURE_WORDS } from '../score/licence.ts'
import type { Interval } from '../stats/interval.ts'
import { CONDITIONAL } from '../stats/replicatedSums.ts'
import type { LeagueEntry, LeagueFigures, LeagueResult } from '../sweep/leagueResult.ts'
import type { Contestant } from './contestant.ts'
import { definitions } from './definitions.ts'
import { pageDocument, type Section } from './html/document.ts'
import { facts, figure, figures, stack, tableMarkup } from './html/figure.ts'
import { brief, estimate, fixed, instant, percent, plural, pValue, span, UNKNOWN, whole, withMinus, words } from './html/format.ts'
import { intervalFigure } from './html/intervalFigure.ts'
import { intervalNote, intervalPlot, type IntervalRow } from './html/intervalPlot.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { legend, lookOf, looksOf, swatch } from './html/palette.ts'
import { accountSections } from './leagueAccount.ts'
import { leagueVerdict, playedText } from './leagueVerdict.ts'
import { whyText } from './leagueWhy.ts'
import { breakEvenSection } from './pageBreakEven.ts'
import { licenceSection } from './pageLicence.ts'
import { shortOfLeague } from './shortIntervals.ts'

const MEANING = { replay: 'history is fixed and does not respond', interactive: 'agents respond to each other, and recorded prices do not respond' } as const
const COVERAGE = [
  ['universe', 'universe'], ['listed', 'listed'], ['withoutPrices', 'no prices'], ['closed', 'closed'], ['excluded', 'excluded'], ['unresolved', 'unresolved'],
  ['drawn', 'drawn'], ['voided', 'void'], ['scalar', 'scalar'], ['halted', 'halted'], ['missingSettlementTime', 'no settlement time'],
] as const

/** A league as one HTML page, as a function of `league.json`. */
export function leagueReport(league: LeagueResult): string {
  const looks = looksOf(league.entries.map(({ name }) => name))
  const contestants = league.entries.flatMap((entry, i): Contestant[] => (entry.figures === null ? [] : [{ entry, name: entry.name, look: looks[i]!, figures: entry.figures }]))
  const sections = [
    answerSection(league, contestants), tableSection(league, contestants), ...accountSections(league, contestants), differencesSection(league, contestants), formatsSection(league, contestants), holdoutSection(league, contestants),
    bandsSection(league, contestants), breakEvenSection(contestants), tuningSection(league), licenceSection(league.licence), failuresSection(league), coverageSection(league),
  ]
  return pageDocument({
    kind: 'League report', title: league.name, series: {}, lead: lead(league), sections: sections.filter((section) => section !== null),
    foot: html`<p>USDC of one session on average; intervals are 95%, by settlement cluster. Made by parlor from league.json; the same league gives the same bytes.</p>`,
  })
}

function lead(league: LeagueResult): Markup {
  const { label, seed, history, sessions, replications, formats } = league
  return html`<p class="lead"><span class="label">${label}</span>: ${MEANING[label]}.</p>
${facts([
    ['seed', seed], ['history', `${instant(history.fromUs)} to ${instant(history.toUs)}`], ['sessions', whole(sessions)], ['replications', whole(replications)],
    ['formats', formats.join(', ')], ['clusters', `${whole(history.active)} of ${whole(history.clusters)} by ${history.clusterBy}${history.holdout === 0 ? '' : `, ${whole(history.holdout)} held out`}`],
  ])}`
}

/** Which is first, whether its lead tells it from the second, why it is first, and what a reader should know. */
function answerSection(league: LeagueResult, contestants: readonly Contestant[]): Section {
  const { label, isConditional, remarks, licence, ranking: { measure, format, part } } = league
  const [ranks, other] = measuresOf(measure)
  const [verdict, why] = [leagueVerdict(league), whyText(league)]
  const short = shortOfLeague(league)
  // The label has its own line.
  const told = remarks.filter((remark) => !remark.startsWith(`${label}:`))
  const body = html`<p class="verdict">${verdict === null ? 'No entry has figures.' : withMinus(verdict)}</p>
${why !== null && html`<p>${withMinus(why)}</p>
`}${figures(
    contestantsFigure('profit-plot', `${titled(ranks.name)} ${playedText(format, part)}`, 'USDC a session', contestants, (own) => ranks.of(own)[part], 0),
    contestantsFigure('other-plot', `${titled(other.name)} ${playedText(format, part)}`, 'USDC a session', contestants, (own) => other.of(own)[part], 0),
  )}
${isConditional && html`<p><b>Intervals are ${CONDITIONAL}</b>: everything is in one settlement cluster.</p>
`}${short.cash !== null && html`<p><b>No interval of cash</b>: ${short.cash}.</p>
`}${short.close !== null && html`<p><b>No interval of luck-adjusted profit</b>: ${short.close}.</p>
`}<p>Licence: ${licence.text}.</p>
${definitions('profit', 'luckless', 'session', 'interval', 'adjusted', 'values', 'hit', 'hold', 'markOut')}${told.length > 0 && html`<ul class="remarks">${told.map((remark) => html`<li>${remark}</li>`)}</ul>`}`
  return { id: 'answer', title: 'Answer', body }
}

/** What ranks, then the other measure: their names in heads of tables, and their figures. */
const measuresOf = (measure: Measure) => [
  { name: 'luck-adjusted', of: ({ luckAdjusted }: LeagueFigures) => luckAdjusted }, { name: 'cash', of: ({ profit }: LeagueFigures) => profit },
].toSorted((a, b) => Number(b.name === measure) - Number(a.name === measure)) as [MeasureFigures, MeasureFigures]

interface MeasureFigures {
  readonly name: string
  readonly of: (figures: LeagueFigures) => LeagueFigures['profit']
}

function tableSection({ entries, ranking: { measure, part, comparison }, ratingOf, valuedAtUs }: LeagueResult, contestants: readonly Contestant[]): Section {
  const [ranks, other] = measuresOf(measure)
  const trials = contestants[0]?.figures.sharpe.trials ?? 0
  const hasRating = contestants.some(({ figures: { rating } }) => rating !== null)
  // With an account they stand beside fills, where there is room for them.
  const isTold = contestants.some(({ figures: { account } }) => account !== undefined)
  const body = html`<div class="full league">${tableMarkup({
    caption: 'League table', head: [
      'entry', html`${ranks.name}<br>${part !== 'all' && `${part}, `}USDC`, html`to the leader<br>USDC`, html`p<br>adjusted`, html`${other.name}<br>USDC`, html`to the leader<br>${other.name}`, ...(isTold ? [] : [html`per 1,000<br>staked`, html`hold<br>%`]), html`at V, ${span(valuedAtUs)}<br>USDC`, 'rating', html`Sharpe<br>a cluster`, html`deflated<br>%`,
    ],
    rows: entries.map((entry) => rowOf(entry, contestants, part, measuresOf(measure), isTold)),
  })}</div>
<p>${comparison !== null && `p: of a zero difference to the leader, adjusted for all pairs (${comparison}). `}${ratingOf !== null && `Rating: Bradley–Terry, a game is a cluster ${ratingOf === 'pairs' ? 'head to head' : 'under common random numbers'}; mean 1500. `}Deflated: probability that the Sharpe ratio by cluster is above the best of ${whole(trials)} worthless ones. Luck-adjusted: cash less luck, what was paid less what the closing prices said. Rating, Sharpe, bands and break-even are by what ranks. At V: what fills were worth by the reference so long after each; legs that were settled by then count by their results.</p>
${hasRating && figures(contestantsFigure('rating-plot', 'Rating', 'chess scale', contestants, ({ rating }) => rating, 1500))}`
  return { id: 'table', title: 'League table', body }
}

const titled = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}`

function rowOf(entry: LeagueEntry, contestants: readonly Contestant[], part: 'all' | 'training' | 'holdout', [ranks, other]: readonly [MeasureFigures, MeasureFigures], isTold: boolean): Content[] {
  const own = contestants.find((contestant) => contestant.entry === entry)
  const status = entry.status === 'played' ? '' : entry.status === 'unmet' ? 'met nobody to the end' : entry.dropped === null ? entry.status : `dropped after ${entry.dropped.after} replications`
  const params = Object.entries(entry.params).map(([name, value]) => `${name} ${value}`).join(', ')
  const rank = entry.rank === null ? '' : `${whole(entry.rank)} `
  const name = html`${own !== undefined && swatch(own.look)} ${rank}<b>${entry.name}</b><small>${entry.use}${params !== '' && `, ${params}`}${status !== '' && html`; ${status}`}</small>`
  if (own === undefined) return [name, ...Array.from({ length: isTold ? 9 : 11 }, () => UNKNOWN)]
  const { perThousand, hold, toLeader, valued, rating, sharpe } = own.figures
  const of = (interval: Interval | null, scale = 1, show = brief): Content => (interval === null ? UNKNOWN : estimate(interval, scale, show, false))
  return [
    name, of(ranks.of(own.figures)[part]), toLeader === null ? 'leader' : of(toLeader.difference), toLeader === null ? '' : pValue(toLeader.adjusted),
    of(other.of(own.figures)[part]), toLeader === null ? 'leader' : of(toLeader.beside), ...(isTold ? [] : [of(perThousand), of(hold, 100)]), of(valued.value), of(rating, 1, whole), fixed(sharpe.perCluster, 2), percent(sharpe.deflated),
  ]
}

/** A figure of every contestant as dots in intervals. */
function contestantsFigure(
  id: string, title: string, axis: string, contestants: readonly Contestant[], of: (figures: LeagueFigures) => Interval | null, line: number | null, note?: string,
): Markup {
  const rows = contestants.flatMap(({ name, look, figures: own }): IntervalRow[] => {
    const interval = of(own)
    return interval === null ? [] : [{ name, look, interval }]
  })
  return intervalFigure(id, title, axis, rows, line, note ?? intervalNote(rows.map(({ interval }) => interval)))
}

/** Who is better than whom, and by how much: in the same sessions. */
function differencesSection({ pairs, ranking: { measure } }: LeagueResult, contestants: readonly Contestant[]): Section | null {
  const toLeader = contestants.some(({ figures: { toLeader: to } }) => to !== null)
  if (!toLeader && pairs.length === 0) return null
  const looks = new Map(contestants.map(({ name, look }) => [name, look]))
  const pairRows = pairs.map(({ first, second, difference }): IntervalRow => ({ name: `${first} − ${second}`, look: looks.get(first) ?? lookOf(0), interval: difference }))
  return {
    id: 'differences', title: 'Paired differences',
    body: html`<p>Differences are taken session by session, with the same bettors and the same history: what both have in common cancels. An interval that lies to one side of zero tells two entries apart.</p>
${stack(
      toLeader && contestantsFigure('to-leader-plot', 'To the leader', 'USDC a session', contestants, ({ toLeader: to }) => to?.difference ?? null, 0, `${MEASURE_WORDS[measure]} less the leader’s`),
      toLeader && contestantsFigure('beside-plot', `To the leader, ${measuresOf(measure)[1].name}`, 'USDC a session', contestants, ({ toLeader: to }) => to?.beside ?? null, 0, 'by the measure that does not rank'),
      toLeader && contestantsFigure('valued-plot', 'To the leader, at V', 'USDC a session', contestants, ({ valued }) => valued.toLeader, 0, 'what fills were worth by the reference, less the leader’s'),
      pairRows.length > 0 && intervalFigure('pairs-plot', 'Head to head', 'USDC a session', pairRows, 0, 'the first’s profit less the second’s, in the same sessions'),
    )}`,
  }
}

function formatsSection({ formats, ranking: { measure } }: LeagueResult, contestants: readonly Contestant[]): Section | null {
  if (formats.length < 2) return null
  const rows = formats.flatMap((format) => contestants.flatMap(({ name, look, figures: { byFormat } }): IntervalRow[] =>
    (byFormat[format] === undefined ? [] : [{ group: format, name, look, interval: byFormat[format] }])))
  return { id: 'formats', title: 'By format', body: html`${legend(contestants)}${figures(intervalFigure('formats-plot', `${titled(MEASURE_WORDS[measure])} by format`, 'USDC a session', rows, 0, 'alone, in the field and head to head'))}` }
}

/** The part of the history that tuning saw, and the part that it did not see. */
function holdoutSection({ history, ranking: { measure } }: LeagueResult, contestants: readonly Contestant[]): Section | null {
  if (history.holdout === 0) return null
  const rows = contestants.flatMap(({ name, look, figures: own }) => (['training', 'holdout'] as const).flatMap((part): IntervalRow[] => {
    const interval = measuresOf(measure)[0].of(own)[part]
    return interval === null ? [] : [{ group: part, name, look, interval }]
  }))
  return {
    id: 'holdout', title: 'Holdout',
    body: html`<p>${plural(history.training, 'cluster')} to tune on, ${plural(history.holdout, 'later cluster')} held out, from ${history.firstHeldOut} on.</p>
${legend(contestants)}
${figures(intervalFigure('holdout-plot', `${titled(MEASURE_WORDS[measure])} by part of the history`, 'USDC a session', rows, 0, 'of the clusters of each part'))}`,
  }
}

/** Profit over rivals and demand, which history never shows. */
function bandsSection({ ranking: { part, measure } }: LeagueResult, contestants: readonly Contestant[]): Section | null {
  const rows = contestants.flatMap(({ name, look, figures: { band } }) => (band?.points ?? []).map(({ rivals, demand, profit }): IntervalRow =>
    ({ group: `${plural(rivals, 'rival')}, ${percent(demand, 0)}%`, name, look, interval: profit })))
  if (rows.length === 0) return null
  const estimateOf = (own: Pick<LeagueFigures, 'profit' | 'luckAdjusted'>): number | null => (measure === 'cash' ? own.profit : own.luckAdjusted)[part]?.estimate ?? null
  return {
    id: 'bands', title: 'Bands over rivals and demand',
    body: html`<p>History shows neither how many rivals there are nor how much is asked for. Each row is the league again with other numbers of rivals and another share of the scenario’s bettors.</p>
${legend(contestants)}
${stack(intervalFigure('bands-plot', 'Profit', 'USDC a session', rows, 0, 'by number of rivals and share of demand'), figure({
      id: 'band-plot', title: 'Least and greatest', note: 'of these estimates; the mark is the league as it is',
      picture: intervalPlot({ title: 'Least and greatest profit', axis: 'USDC a session', rows: contestants.flatMap(({ name, look, figures: { band, ...own } }): IntervalRow[] =>
        (band === null ? [] : [{ name, look, interval: { estimate: estimateOf(own), low: band.low, high: band.high, level: 1, count: band.points.length, label: 'band' } }])) }),
      table: {
        caption: 'Least and greatest profit', head: ['entry', 'as it is', 'least', 'greatest'],
        rows: contestants.flatMap(({ name, figures: { band, ...own } }) => (band === null ? [] : [[name, brief(estimateOf(own)), brief(band.low), brief(band.high)]])),
      },
    }))}`,
  }
}

function tuningSection({ entries }: LeagueResult): Section | null {
  const tuned = entries.flatMap(({ name, tuning }) => (tuning === null ? [] : [{ name, ...tuning }]))
  if (tuned.length === 0) return null
  return {
    id: 'tuning', title: 'Tuning',
    body: tuned.map(({ name, variants, overfitting }) => html`<h3>${name}</h3>
<p>${overfitting === null ? 'The probability of overfitting is not known.' : `Probability of backtest overfitting ${percent(overfitting.probability)}%, of a loss out of sample ${percent(overfitting.lossProbability)}%: ${plural(overfitting.blocks, 'block')}, ${plural(overfitting.combinations, 'combination')}.`}</p>
${tableMarkup({
      caption: `Variants of ${name}`, head: ['variant', 'status', 'replications', 'profit, training', ''], text: [1, 4],
      rows: variants.map(({ choice, status, replications, training, isChosen }) => [
        Object.entries(choice).map(([key, value]) => `${key} ${value}`).join(', '), status, whole(replications), training === null ? UNKNOWN : estimate(training), isChosen && html`<b>chosen</b>`,
      ]),
    })}`),
  }
}

function failuresSection({ failures }: LeagueResult): Section | null {
  if (failures.length === 0) return null
  return {
    id: 'failures', title: 'Failures', body: html`<p>Sessions without a result: they are in no figure.</p>
${tableMarkup({
      caption: 'Failures', head: ['entries', 'setting', 'kind', 'who', 'message', 'seed'], text: [1, 2, 3, 4, 5],
      rows: failures.map(({ entries, setting, kind, who, message, task }) => [entries.join(' against '), words(setting.kind), kind, who ?? '', message.split('\n', 1)[0]!, task.seed]),
    })}`,
  }
}

function coverageSection({ history: { coverage, clusters, active, clusterBy } }: LeagueResult): Section {
  const counts: Readonly<Record<string, unknown>> = { ...coverage }
  return {
    id: 'coverage', title: 'Coverage', body: html`<p>Markets of the history; what became of them is the same in every session. They settle in ${plural(clusters, 'cluster')} by ${clusterBy}; positions ended in ${whole(active)} of them, on which the figures rest.</p>
${facts(COVERAGE.flatMap(([name, text]) => (typeof counts[name] === 'number' ? [[text, whole(counts[name])] as const] : [])), 'counts')}`,
  }
}
