import type { RequestReach } from '../score/runHead.ts'
import { shownWords } from '../unit/visibleText.ts'
import { centCounts, type CentCounts } from './closeQuotes.ts'
import { tableMarkup } from './html/figure.ts'
import { fixed, percent, plural, UNKNOWN, whole } from './html/format.ts'
import { type Content, html } from './html/markup.ts'
import { namedMaker, whatIf } from './pageNames.ts'
import type { PageSection, ServicePage } from './pageService.ts'
import { questionLatency } from './questionLatency.ts'
import { questionLegs } from './questionLegs.ts'

const REASONS_SHOWN = 3
/** Makers that a sentence names. */
const NAMED_MAX = 6

/** What readers ask after who earned most: why makers did not quote, which legs hurt, and what latency and a cent were worth. */
export function questionsSection(page: ServicePage): PageSection {
  const { prefix } = page
  const cents = centCounts(page)
  const parts = [
    { id: 'silence', title: 'Why did a maker not quote?', body: silence(page) },
    { id: 'legs-hurt', title: 'Which legs hurt?', body: questionLegs(page) },
    { id: 'latency-cost', title: 'What did latency cost?', body: questionLatency(page, cents) },
    { id: 'one-cent', title: 'What would one cent have changed?', body: oneCent(page, cents) },
  ]
  const body = html`<p>V is the reference: what a parlay was worth by the recorded prices.</p>`
  return { id: `${prefix}questions`, title: 'Questions', body, parts: parts.map(({ id, ...part }) => ({ id: `${prefix}${id}`, ...part })) }
}

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
      namedMaker(maker), percent(quoteRate.ratio), whole(own?.count ?? 0), reasons.length === 0 ? UNKNOWN : `${reasons.join('; ')}${more > 0 ? `; ${plural(more, 'other reason')}` : ''}`, whole(quoteRate.answered), whole(quoteRate.delivered), unreachedText(quoteRate, versions),
      refused === undefined ? '' : `${refused.why}${refused.refused > 0 ? `, ${whole(refused.refused)} of ${whole(refused.commands)} commands refused` : ''}`,
    ]
  })
  const hasNotes = rows.some((row) => row.at(-1) !== '')
  return html`<p>A maker quotes, passes with a reason of its own, or does neither, as when it is not asked or its answer comes too late. A strategy that comes with parlor names the limit among its parameters that is exceeded, and its value (a cap or a legLimit is on what it has at risk on one leg, a totalLimit on all that it has at risk), capital where its free money is short, and no price where a leg has none. What did not reach a maker it could not quote: it was away, its faults in the scenario let it ignore a share of the ${words.requests}, or it was not sent, as to a maker that only bids on positions, or where a version begins after a failed acceptance.</p>
<div class="names reasons">${tableMarkup({
    caption: 'What makers quoted and let go by', text: [3, 6, 7], rows: hasNotes ? rows : rows.map((row) => row.slice(0, -1)),
    head: ['maker', html`quoted<br>%`, 'passed', 'its reasons, most frequent first', 'quoted', html`reached it, of<br>${whole(versions)} versions`, 'did not reach it', ...(hasNotes ? ['note'] : [])],
  })}</div>
<p>One ${words.request} in full: <code>parlor explain RUN ${words.request === 'RFQ' ? 'outcome:NUMBER' : 'NUMBER'}</code>.</p>`
}

/** Why versions of requests did not reach a maker, as far as the run says. */
export function unreachedText({ delivered, away, ignored }: RequestReach, versions: number): string {
  if (delivered === null || away === null || ignored === null) return UNKNOWN
  const others = versions - delivered - away - ignored
  const parts = [[away, 'while it was away'], [ignored, 'ignored'], [others, 'not sent']] as const
  return parts.flatMap(([count, why]) => (count > 0 ? [`${whole(count)} ${why}`] : [])).join(', ')
}

/** What the run knows of a cent more and a cent less. */
function oneCent({ makers, words }: ServicePage, cents: readonly CentCounts[]): Content {
  const verdict = centVerdict(makers.map(({ name }, m) => ({ name, ...cents[m]! })))
  const rows = makers.map((maker, m): Content[] => {
    const { fills, kept, lost, near, valueUsdc, moreUsdc, lessUsdc } = cents[m]!
    return [namedMaker(maker), fixed(valueUsdc, 2), fixed(moreUsdc, 2), fixed(lessUsdc, 2), whole(fills), whole(kept), whole(near), whole(lost)]
  })
  const unvalued = cents.reduce((sum, of) => sum + of.unvalued, 0)
  return html`<p>${verdict !== null && html`<b>${verdict}</b> `}In cents per dollar of payout, with the other quotes as they were, and ${words.bettors} who take the best. <b>A cent more</b> keeps the fills on which no other live quote was within a cent. <b>A cent less</b> wins what another maker filled at less than a cent below this maker’s live quote. Money is by V at the submission, before drift and luck, and counts fills that became void too. Not counted are ${words.bettors} to whom a cent more is too dear, and this maker’s own limits.${unvalued > 0 && ` ${whole(unvalued)} that are lost or won have no V, and count nothing.`}</p>
<div class="names">${tableMarkup({
    caption: 'What one cent would have changed',
    head: ['maker', html`worth of<br>the fills<br>USDC by V`, html`change of<br>a cent more<br>USDC by V`, html`change of<br>a cent less<br>USDC by V`, 'fills', html`kept at<br>a cent more`, html`won at<br>a cent less`, html`of what others<br>filled instead`], rows,
  })}</div>
<p>Rivals and ${words.bettors} answer a change: ${whatIf('makers.N.params.margin=3%')} plays this run again with another margin.</p>`
}

type Cent = Pick<CentCounts, 'fills' | 'lost' | 'moreUsdc' | 'lessUsdc' | 'unvalued'> & { readonly name: string }

/** For whom a cent more or less would have paid, by V and with all others as they were. Makers that quoted nothing that was filled are left out. Null for nobody. */
export function centVerdict(makers: readonly Cent[]): string | null {
  const changes = makers.filter(({ fills, lost }) => fills + lost > 0)
    .map(({ name, moreUsdc, lessUsdc, unvalued }) => ({ name, isMore: moreUsdc >= lessUsdc, best: unvalued > 0 ? NaN : Math.round(100 * Math.max(moreUsdc, lessUsdc)) / 100 }))
  const told = (list: typeof changes): string =>
    (list.length > NAMED_MAX ? plural(list.length, 'maker') : list.map(({ name, best }) => `${shownWords(name)}${best > 0 ? ` (+${fixed(best, 2)})` : ''}`).join(', '))
  const groups = [
    ['a cent more would have paid for', changes.filter(({ best, isMore }) => best > 0 && isMore)], ['a cent less would have paid for', changes.filter(({ best, isMore }) => best > 0 && !isMore)],
    ['neither would have paid for', changes.filter(({ best }) => best <= 0)], ['nothing is known where quotes have no V, of', changes.filter(({ best }) => Number.isNaN(best))],
  ] as const
  const parts = groups.flatMap(([what, list]) => (list.length === 0 ? [] : [`${what} ${told(list)}`]))
  return parts.length === 0 ? null : `By V: ${parts.join('; ')}.`
}
