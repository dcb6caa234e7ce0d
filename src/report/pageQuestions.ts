import { centCounts, type CentCounts } from './closeQuotes.ts'
import { tableMarkup } from './html/figure.ts'
import { fixed, ms, percent, plural, UNKNOWN, usd, whole, withMinus } from './html/format.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { swatch } from './html/palette.ts'
import { legProfits } from './legProfits.ts'
import { firstQuoteTimes } from './pageLatency.ts'
import type { PageMaker, PageSection, ServicePage } from './pageService.ts'
import { quantile } from '../stats/quantile.ts'

/** Legs that are shown: those that cost most, and those that brought most. */
const LEGS_SHOWN = 8
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
  const { passes = [], quiet = [] } = summary
  const rows = makers.map((maker): Content[] => {
    const { figures: { quoteRate: { delivered, answered, ratio } } } = maker
    const own = passes.find(({ name }) => name === maker.name)
    const refused = quiet.find(({ name }) => name === maker.name)
    const reasons = own?.reasons.slice(0, REASONS_SHOWN).map(({ reason, count }) => `${reason === '' ? 'no reason given' : reason} ${whole(count)}`) ?? []
    const more = (own?.reasons.length ?? 0) - reasons.length
    return [
      nameOf(maker), whole(delivered), whole(answered), percent(ratio), whole(own?.count ?? 0), reasons.length === 0 ? UNKNOWN : `${reasons.join(', ')}${more > 0 ? `, ${plural(more, 'other reason')}` : ''}`,
      refused === undefined ? '' : `${refused.why}${refused.refused > 0 ? `, ${whole(refused.refused)} of ${whole(refused.commands)} commands refused` : ''}`,
    ]
  })
  const hasNotes = rows.some((row) => row.at(-1) !== '')
  return html`<p>A maker quotes, passes with a reason of its own, or does neither, as when it is not asked or its answer comes too late. A strategy that comes with parlor names the parameter that the request would exceed (cap, legLimit, totalLimit), capital where its free money is short, and no price where a leg has none.</p>
<div class="names reasons">${tableMarkup({
    caption: 'What makers quoted and let go by', text: [5, 6], rows: hasNotes ? rows : rows.map((row) => row.slice(0, -1)),
    head: ['maker', html`${words.requests} that<br>reached it`, 'quoted', '%', 'passed', 'its reasons, most frequent first', ...(hasNotes ? ['note'] : [])],
  })}</div>
<p>One ${words.request} in full: <code>parlor explain RUN ${words.request === 'RFQ' ? 'outcome:NUMBER' : 'NUMBER'}</code>.</p>`
}

/** Legs by what the positions on them earned. */
function legs(page: ServicePage): Content {
  const all = legProfits(page)
  if (all.length === 0) return html`<p>No position ended.</p>`
  const shown = all.length <= 2 * LEGS_SHOWN ? all : [...all.slice(0, LEGS_SHOWN), ...all.slice(-LEGS_SHOWN)]
  const losing = all.filter(({ profitMicros }) => profitMicros < 0)
  return html`<p>${plural(losing.length, 'leg')} of ${whole(all.length)} cost the makers that backed them money; what a maker took over from another does not count. A position counts with each of its legs, so the rows do not add up${shown.length < all.length ? `; the ${LEGS_SHOWN} worst and the ${LEGS_SHOWN} best are here` : ''}. By number of legs, category and rivals: <a href="#${page.prefix}breakdowns">below</a>.</p>
<div class="names long">${tableMarkup({
    caption: 'Legs by the profit of positions on them', text: [1], head: ['leg', 'side', 'positions', html`stakes<br>USDC`, html`profit<br>USDC`, ...page.makers.map(({ name }) => name)],
    rows: shown.map(({ market, side, positions, stakeMicros, profitMicros, byMaker }) => [market, side, whole(positions), usd(stakeMicros), usd(profitMicros), ...byMaker.map((micros) => usd(micros))]),
  })}</div>`
}

/** What the run knows of delays: quotes that came too late, and what V did until a decision. */
function latency(page: ServicePage, cents: readonly CentCounts[]): Content {
  const times = firstQuoteTimes(page)
  const rows = page.makers.map((maker, m): Content[] => {
    const { lastLook, attribution } = maker.figures
    return [
      nameOf(maker), ms(times[m]!.length === 0 ? null : quantile(times[m]!, 0.5)), ms(lastLook.latencyP50Us), whole(cents[m]!.late), whole(lastLook.timed_out), usd(attribution.micros.lastLook),
    ]
  })
  return html`<p>What the run knows: ${page.words.requests} that another maker filled, whose quote was chosen before the first one of this maker came, be it taken or refused; selections that it let time out; and what V moved between its quotes and their decisions, over its fills (the attribution’s last look: below zero the maker paid for the delay). Prices that a maker sees late are in its selection. The <a href="#${page.prefix}latency">delays themselves</a> are below.</p>
<div class="names">${tableMarkup({ caption: 'What latency cost', head: ['maker', html`first quote<br>median, ms`, html`last look<br>median, ms`, html`quoted after<br>another was chosen`, 'timed out', html`V until the decision<br>USDC`], rows })}</div>
<p>What it cost in all, with everybody’s answers: ${whatIf('makers.N.latency.quote=0ms')} plays this run again, N counted from 0 in the scenario.</p>`
}

/** What the run knows of a cent more and a cent less. */
function oneCent(page: ServicePage, cents: readonly CentCounts[]): Content {
  const rows = page.makers.map((maker, m): Content[] => {
    const { fills, kept, keptUsdc, lost, near, nearUsdc, valued } = cents[m]!
    return [nameOf(maker), whole(fills), whole(kept), withMinus(fixed(keptUsdc, 2)), whole(lost), whole(near), Number.isNaN(nearUsdc) ? UNKNOWN : `${fixed(nearUsdc, 2)}${valued < near ? ` (${whole(valued)} of them)` : ''}`]
  })
  return html`<p>In cents per dollar of payout, with the other quotes as they were. A cent more would have kept the fills on which no other live quote was within a cent, as far as their ${page.words.bettors} would have paid it. A cent less would have won what another maker filled at less than a cent below, where this maker’s quote stood when the other was chosen; one that was better already, and whose maker was left out, does not count.</p>
<div class="names">${tableMarkup({
    caption: 'What one cent would have changed',
    head: ['maker', 'fills', html`kept at<br>a cent more`, html`a cent of their<br>payouts, USDC`, html`lost to<br>other makers`, html`won at<br>a cent less`, html`profit by V at<br>that price, USDC`], rows,
  })}</div>
<p>Rivals and ${page.words.bettors} answer a change: ${whatIf('makers.N.params.margin=3%')} plays this run again with it.</p>`
}
