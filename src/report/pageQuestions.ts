import type { Reach } from '../score/runHead.ts'
import { quantile } from '../stats/quantile.ts'
import { centCounts, type CentCounts } from './closeQuotes.ts'
import { tableMarkup } from './html/figure.ts'
import { fixed, ms, percent, plural, UNKNOWN, usd, whole, withMinus } from './html/format.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { swatch } from './html/palette.ts'
import { type LegProfit, legProfits, legsThatCost } from './legProfits.ts'
import { firstQuoteTimes } from './pageLatency.ts'
import type { PageMaker, PageSection, ServicePage } from './pageService.ts'

/** Legs that are shown: those that cost most, and those that brought most. */
const LEGS_SHOWN = 8
/** Legs that are shown of each maker, and makers beyond which a reader opens their table. */
const LEGS_OF_MAKER = 3
const MAKERS_OPEN = 6
const REASONS_SHOWN = 3

/** What readers ask after who earned most: why makers did not quote, which legs hurt, and what latency and a cent were worth. */
export function questionsSection(page: ServicePage): PageSection {
  const { prefix } = page
  const cents = centCounts(page)
  const parts = [
    { id: 'silence', title: 'Why did a maker not quote?', body: silence(page) },
    { id: 'legs-hurt', title: 'Which legs hurt?', body: legs(page) },
    { id: 'latency-cost', title: 'What did latency cost?', body: latency(page, cents) },
    { id: 'one-cent', title: 'What would one cent have changed?', body: oneCent(page, cents) },
  ]
  const body = html`<p>V is the reference: what a parlay was worth by the recorded prices.</p>`
  return { id: `${prefix}questions`, title: 'Questions', body, parts: parts.map(({ id, ...part }) => ({ id: `${prefix}${id}`, ...part })) }
}

const nameOf = ({ name, look }: PageMaker): Markup => html`${swatch(look)} ${name}`
/** The command that plays the run again with one thing changed. */
const whatIf = (setting: string): Markup => html`<code>parlor whatif RUN --set ${setting}</code>`

/** What reached each maker, what it quoted and what it let go by, and why. */
function silence({ makers, summary, words }: ServicePage): Content {
  const { passes = [], quiet = [], requests: { versions } } = summary
  const rows = makers.map((maker): Content[] => {
    const { figures: { quoteRate } } = maker
    const own = passes.find(({ name }) => name === maker.name)
    const refused = quiet.find(({ name }) => name === maker.name)
    const reasons = own?.reasons.slice(0, REASONS_SHOWN).map(({ reason, count }) => `${reason === '' ? 'no reason given' : reason}: ${whole(count)}`) ?? []
    const more = (own?.reasons.length ?? 0) - reasons.length
    return [
      nameOf(maker), percent(quoteRate.ratio), whole(own?.count ?? 0), reasons.length === 0 ? UNKNOWN : `${reasons.join('; ')}${more > 0 ? `; ${plural(more, 'other reason')}` : ''}`, whole(quoteRate.answered), whole(quoteRate.delivered), unreachedText(quoteRate, versions),
      refused === undefined ? '' : `${refused.why}${refused.refused > 0 ? `, ${whole(refused.refused)} of ${whole(refused.commands)} commands refused` : ''}`,
    ]
  })
  const hasNotes = rows.some((row) => row.at(-1) !== '')
  return html`<p>A maker quotes, passes with a reason of its own, or does neither, as when it is not asked or its answer comes too late. A strategy that comes with parlor names the limit among its parameters that is exceeded, and its value (a cap is on what it has at risk on one leg), capital where its free money is short, and no price where a leg has none. What did not reach a maker it could not quote: its connection was down, or its faults in the scenario let it ignore a share of the ${words.requests}.</p>
<div class="names reasons">${tableMarkup({
    caption: 'What makers quoted and let go by', text: [3, 6, 7], rows: hasNotes ? rows : rows.map((row) => row.slice(0, -1)),
    head: ['maker', html`quoted<br>%`, 'passed', 'its reasons, most frequent first', 'quoted', html`reached it, of<br>${whole(versions)} versions`, 'did not reach it', ...(hasNotes ? ['note'] : [])],
  })}</div>
<p>One ${words.request} in full: <code>parlor explain RUN ${words.request === 'RFQ' ? 'outcome:NUMBER' : 'NUMBER'}</code>.</p>`
}

/** Why versions of requests did not reach a maker, as far as the run says. */
export function unreachedText({ delivered, away, ignored }: Reach, versions: number): string {
  if (delivered === null || away === null || ignored === null) return UNKNOWN
  const others = versions - delivered - away - ignored
  const parts = [[away, 'while it was away'], [ignored, 'ignored'], [others, 'not sent']] as const
  return parts.flatMap(([count, why]) => (count > 0 ? [`${whole(count)} ${why}`] : [])).join(', ')
}

/** Legs by what the positions on them earned. */
function legs(page: ServicePage): Content {
  const all = legProfits(page)
  if (all.length === 0) return html`<p>No position ended.</p>`
  const losing = all.filter(({ profitMicros }) => profitMicros < 0)
  const worst = losing.slice(0, LEGS_SHOWN)
  const best = all.filter(({ profitMicros }) => profitMicros > 0).toReversed().slice(0, LEGS_SHOWN)
  const table = (caption: string, list: typeof all): Markup | false => list.length > 0 && html`<div class="names long">${tableMarkup({
    caption, text: [1], head: [caption, html`side of<br>${page.words.bettors}`, 'positions', html`stakes<br>USDC`, html`profit<br>USDC`, ...page.makers.map(({ name }) => name)],
    rows: list.map(({ market, side, positions, stakeMicros, profitMicros, byMaker }) => [market, side, whole(positions), usd(stakeMicros), usd(profitMicros), ...byMaker.map(({ profitMicros: micros }) => usd(micros))]),
  })}</div>`
  return html`<p>${plural(losing.length, 'leg')} of ${whole(all.length)} cost the makers that backed them money; what a maker took over from another does not count. A position counts with each of its legs: equal figures in several rows are often one parlay, and rows do not add up. By number of legs, category and rivals: <a href="#${page.prefix}breakdowns">below</a>.</p>
${table('legs that cost most', worst)}${legsOfMakers(page, all)}${table('legs that brought most', best)}`
}

/** The legs that cost each maker most, where there are several makers. */
function legsOfMakers({ makers, words }: ServicePage, all: readonly LegProfit[]): Markup | false {
  if (makers.length < 2) return false
  const rows = makers.flatMap((maker, m) => legsThatCost(all, m).slice(0, LEGS_OF_MAKER).map(({ market, side, byMaker }): Content[] => {
    const { positions, stakeMicros, profitMicros } = byMaker[m]!
    return [nameOf(maker), market, side, whole(positions), usd(stakeMicros), usd(profitMicros)]
  }))
  if (rows.length === 0) return false
  const table = html`<div class="names">${tableMarkup({
    caption: 'Legs that cost each maker most', text: [1, 2], rows,
    head: ['maker', 'its own worst legs', html`side of<br>${words.bettors}`, 'positions', html`stakes<br>USDC`, html`profit<br>USDC`],
  })}</div>`
  return makers.length <= MAKERS_OPEN ? table : html`<details><summary>The legs that cost each maker most</summary>${table}</details>`
}

/** What the run knows of delays: quotes that came too late, and what V did until a decision. */
function latency(page: ServicePage, cents: readonly CentCounts[]): Content {
  const times = firstQuoteTimes(page)
  const rows = page.makers.map((maker, m): Content[] => {
    const { lastLook, attribution } = maker.figures
    return [
      nameOf(maker), usd(attribution.micros.lastLook), whole(cents[m]!.late), whole(lastLook.timed_out), ms(times[m]!.length === 0 ? null : quantile(times[m]!, 0.5)), ms(lastLook.latencyP50Us),
    ]
  })
  return html`<p>The run knows how many ${page.words.requests} another maker had won when this maker’s first quote came, and how many selections this maker let time out. It also knows what V moved between the quotes and the decisions of this maker’s fills: above zero the maker gained by the delay, and below zero the maker paid for it. V moves when a price is recorded, so a history of hourly prices says little here. What a maker lost to prices that it saw late is in the selection of the <a href="#${page.prefix}attribution">attribution</a>. The <a href="#${page.prefix}latency">delays themselves</a> are below.</p>
<div class="names">${tableMarkup({ caption: 'What latency cost', head: ['maker', html`by V until the<br>decision, USDC`, html`quoted after<br>another was chosen`, 'timed out', html`first quote<br>median, ms`, html`last look<br>median, ms`], rows })}</div>
<p>What it cost in all, with everybody’s answers: ${whatIf('makers.N.latency.quote=0ms')} plays this run again, N counted from 0 in the scenario.</p>`
}

/** What the run knows of a cent more and a cent less. */
function oneCent(page: ServicePage, cents: readonly CentCounts[]): Content {
  const rows = page.makers.map((maker, m): Content[] => {
    const { fills, kept, lost, near, moreUsdc, lessUsdc } = cents[m]!
    return [nameOf(maker), whole(fills), whole(kept), withMinus(fixed(moreUsdc, 2)), whole(lost), whole(near), withMinus(fixed(lessUsdc, 2))]
  })
  const unvalued = cents.reduce((sum, of) => sum + of.unvalued, 0)
  return html`<p>In cents per dollar of payout, with the other quotes as they were, and ${page.words.bettors} who take the best. <b>A cent more</b> keeps the fills on which no other live quote was within a cent. <b>A cent less</b> wins what another maker filled at less than a cent below this maker’s live quote. The change of the profit, in USDC, is by V at the submission: what a cent brings, or costs, on the fills that are kept, and what those that are lost, or won, were worth.${unvalued > 0 && ` ${whole(unvalued)} that are lost or won have no V, and count nothing.`}</p>
<div class="names">${tableMarkup({
    caption: 'What one cent would have changed',
    head: ['maker', 'fills', html`kept at<br>a cent more`, html`change by V<br>of a cent more`, html`lost to<br>other makers`, html`won at<br>a cent less`, html`change by V<br>of a cent less`], rows,
  })}</div>
<p>Rivals and ${page.words.bettors} answer a change: ${whatIf('makers.N.params.margin=3%')} plays this run again with it.</p>`
}
