import { TERMS } from '../score/attribution.ts'
import type { LeagueAccount, LeagueResult } from '../sweep/leagueResult.ts'
import type { Contestant } from './contestant.ts'
import type { Section } from './html/document.ts'
import { figure, stack, tableMarkup } from './html/figure.ts'
import { brief, estimate, fixed, span, typeset, UNKNOWN, whole } from './html/format.ts'
import { intervalFigure } from './html/intervalFigure.ts'
import { intervalNote } from './html/intervalPlot.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { legend, type Look, swatch } from './html/palette.ts'
import { waterfall, type WaterfallStep } from './html/waterfall.ts'
import { type LeadParts, leadParts } from './leagueWhy.ts'
import { TERM_NAMES, TERMS_ABOUT } from './termNames.ts'
import { brief as briefText, signed } from '../unit/numberText.ts'

type Accounted = Contestant & { readonly account: LeagueAccount }

/** What each entry did and what its fills were like, where its profit came from, and what the lead over the second consists of. None for a result of an older version. */
export function accountSections(league: LeagueResult, contestants: readonly Contestant[]): Section[] {
  const known = contestants.flatMap((own): Accounted[] => (own.figures.account === undefined ? [] : [{ ...own, account: own.figures.account }]))
  if (known.length === 0) return []
  const lead = leadParts(league)
  const leader = known.find(({ name }) => name === lead?.first)
  return [
    { id: 'why', title: 'Where profits came from', body: html`<p>${TERMS_ABOUT} Profit here is cash.</p>
${legend(known)}
${stack(
      intervalFigure('terms-plot', 'Terms of the profit', 'USDC a session', rowsOf(known, ({ terms }) => terms), 0, intervalNote(known.flatMap(({ account: { terms } }) => TERMS.map((term) => terms[term])))),
      lead !== null && leader !== undefined && leadFigure(lead, leader.look),
      known.some(({ account: { toLeader } }) => toLeader !== null)
        && intervalFigure('terms-to-leader-plot', 'To the leader, by term', 'USDC a session', rowsOf(known, ({ toLeader }) => toLeader), 0, 'each term less the leader’s, in the same sessions'),
    )}` },
    { id: 'trade', title: 'Fills and mark-outs', body: tradeBody(known, league.ranking.part) },
  ]
}

const rowsOf = (known: readonly Accounted[], of: (account: LeagueAccount) => LeagueAccount['terms'] | null) =>
  TERMS.flatMap((term) => known.flatMap(({ name, look, account }) => {
    const terms = of(account)
    return terms === null ? [] : [{ group: TERM_NAMES[term], name, look, interval: terms[term] }]
  }))

/** The terms of the lead one after the other, and beneath them the same lead by volume. */
function leadFigure({ first, second, lead, terms, volume }: LeadParts, look: Look): Markup {
  const steps: WaterfallStep[] = terms.map(({ term, usdc }) => ({ name: TERM_NAMES[term], usdc }))
  const title = `The lead of ${first} over ${second}`
  const show = (usdc: number): string => typeset(signed(briefText(usdc, 3)))
  return figure({
    id: 'lead-plot', title, note: 'USDC a session. The faint bars are terms in which the second was better.',
    picture: html`${waterfall({ title, steps, totalName: 'lead', total: lead, look, show })}
${volume !== null && html`<p><small>By volume: ${show(volume.byStakes)} from other stakes at the second’s profit per dollar, ${show(volume.byEarning)} from what each dollar staked earned.</small></p>`}`,
    table: {
      caption: title, isFixed: true, head: ['term', 'USDC a session'],
      rows: [...steps.map(({ name, usdc }) => [name, brief(usdc)]), ['lead', brief(lead)], ...(volume === null ? [] : [['of it by stakes', brief(volume.byStakes)], ['by profit per dollar', brief(volume.byEarning)]])],
    },
  })
}

function tradeBody(known: readonly Accounted[], part: LeagueResult['ranking']['part']): Markup {
  const horizons = known[0]!.account.markOuts.map(({ horizonUs }) => horizonUs)
  const head: Content[] = [
    'entry', 'requests', 'quotes', 'fills', html`hit ratio<br>%`, html`staked<br>USDC`, html`per 1,000<br>staked`, html`hold<br>%`, ...horizons.map((us) => html`mark-out<br>${span(us)}, ¢`),
  ]
  const rows = known.map(({ name, look, figures: { delivered, quotes, perThousand, hold }, account: { fills, stake, hitRatio, markOuts } }): Content[] => [
    html`${swatch(look)} <b>${name}</b>`, whole(delivered), whole(quotes), fixed(fills, 1), estimate(hitRatio, 100, brief, false), whole(stake), estimate(perThousand, 1, brief, false), estimate(hold, 100, brief, false),
    ...horizons.map((us) => {
      const cents = markOuts.find(({ horizonUs }) => horizonUs === us)?.cents
      return cents === undefined ? UNKNOWN : estimate(cents, 1, brief, false)
    }),
  ])
  return html`<p>Of one session on average.${part !== 'all' && ` Requests and quotes are of the whole history, all else of the ${part}.`} Hit ratio: fills over versions quoted. Mark-out: price less V so long after the fill, in cents per dollar of payout; negative is adverse selection. A dash where all sessions have fewer than 20 fills.</p>
<div class="full league">${tableMarkup({ caption: 'Fills and mark-outs', head, rows })}</div>`
}
