import { tableMarkup } from './html/figure.ts'
import { plural, usd, whole } from './html/format.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { groupsThatCost, type LegGroup, legGroups, type LegProfit, legProfits } from './legProfits.ts'
import { namedMaker } from './pageNames.ts'
import type { ServicePage } from './pageService.ts'

/** Rows that are shown: those that cost most, and those that brought most. */
const ROWS_SHOWN = 8
/** Legs of one row that are named. */
const NAMES_SHOWN = 5
/** Rows that are shown of each maker, and makers beyond which a reader opens their table. */
const ROWS_OF_MAKER = 3
const MAKERS_OPEN = 6

/** Legs by what the positions on them earned. */
export function questionLegs(page: ServicePage): Content {
  const all = legProfits(page)
  if (all.length === 0) return html`<p>No position ended.</p>`
  const losing = all.filter(({ profitMicros }) => profitMicros < 0)
  const best = all.filter(({ profitMicros }) => profitMicros > 0).toReversed()
  return html`<p>${plural(losing.length, 'leg')} of ${whole(all.length)}, each with its side, cost the makers that sold them money; what a maker took over from another does not count. A position counts with each of its legs, so that rows do not add up. Legs of the same positions stand in one row: no figure says which of them was to blame. By number of legs, category and rivals: <a href="#${page.prefix}breakdowns">below</a>.</p>
${legTable(page, 'legs that cost most', losing)}${legsOfMakers(page, all)}${legTable(page, 'legs that brought most', best)}`
}

function legTable({ makers, words }: ServicePage, caption: string, legs: readonly LegProfit[]): Markup | false {
  return legs.length > 0 && html`<div class="names long">${tableMarkup({
    caption, head: [html`${caption},<br>and the side of ${words.bettors}`, html`profit<br>USDC`, 'positions', html`stakes<br>USDC`, ...makers.map(({ name }) => name)],
    rows: legGroups(legs).slice(0, ROWS_SHOWN).map((group) => [
      namesOf(group), ...earningsOf(group), ...group.legs[0]!.byMaker.map(({ profitMicros }) => usd(profitMicros)),
    ]),
  })}</div>`
}

/** What cost each maker most, where there are several makers. */
function legsOfMakers({ makers, words }: ServicePage, all: readonly LegProfit[]): Markup | false {
  if (makers.length < 2) return false
  const rows = makers.flatMap((maker, m) => groupsThatCost(all, m).slice(0, ROWS_OF_MAKER).map((group): Content[] => [namedMaker(maker), namesOf(group), ...earningsOf(group)]))
  if (rows.length === 0) return false
  const table = html`<div class="names">${tableMarkup({
    caption: 'Legs that cost each maker most', text: [1], rows,
    head: ['maker', html`legs that cost it most,<br>and the side of ${words.bettors}`, html`profit<br>USDC`, 'positions', html`stakes<br>USDC`],
  })}</div>`
  return makers.length <= MAKERS_OPEN ? table : html`<details><summary>The legs that cost each maker most</summary>${table}</details>`
}

function namesOf({ legs }: LegGroup): Markup {
  const shown = legs.slice(0, NAMES_SHOWN)
  const more = legs.length - shown.length
  return html`${shown.map(({ market, side }, i) => html`${i > 0 && html`<br>`}${market} <b>${side}</b>`)}${more > 0 && html`<br>and ${whole(more)} more`}`
}

const earningsOf = ({ earnings: { positions, stakeMicros, profitMicros } }: LegGroup): string[] => [usd(profitMicros), whole(positions.length), usd(stakeMicros)]
