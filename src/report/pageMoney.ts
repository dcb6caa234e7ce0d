import type { Summary } from '../score/summary.ts'
import { facts, figure, figures, tableMarkup } from './html/figure.ts'
import { brief, estimate, exactUsd, percent, plural, usd, whole, words as wordsOf } from './html/format.ts'
import { intervalNote, intervalPlot } from './html/intervalPlot.ts'
import { html, type Markup } from './html/markup.ts'
import { lookOf } from './html/palette.ts'
import type { PageSection, ServicePage } from './pageService.ts'

/** Cohorts of bettors: what they asked for, and what they lost. */
export function bettorsSection({ summary: { bettors }, words, prefix }: ServicePage): PageSection | null {
  if (bettors.length === 0) return null
  const haveFailed = bettors.some(({ chainFailed }) => chainFailed !== undefined)
  const body = html`${tableMarkup({
    caption: `Cohorts of ${words.bettors}`, head: ['cohort', words.requests, words.committed, '%', ...(haveFailed ? ['failed on the chain'] : []), `${words.grossBet}, USDC`, 'profit, USDC', `net loss, % of ${words.grossBet}`],
    rows: bettors.map(({ name, requests, committed, chainFailed = 0, grossBetMicros, profitMicros, loss }) => [
      name, whole(requests), whole(committed), percent(requests === 0 ? null : committed / requests), ...(haveFailed ? [whole(chainFailed)] : []), usd(grossBetMicros), usd(profitMicros), estimate(loss, 100),
    ]),
  })}
${figures(figure({
    id: `${prefix}bettor-loss`, title: 'Net loss', note: `over ${words.grossBet}, ${intervalNote(bettors.map(({ loss }) => loss))}`,
    picture: intervalPlot({ title: 'Net loss', axis: `% of ${words.grossBet}`, scale: 100, rows: bettors.map(({ name, loss }, i) => ({ name, look: lookOf(i), interval: loss })) }),
    table: {
      caption: 'Net loss of cohorts, %', head: ['cohort', '%', 'low', 'high', 'rests on'], text: [4],
      rows: bettors.map(({ name, loss: { estimate: value, low, high, label } }) => [name, ...[value, low, high].map((bound) => brief(bound === null ? null : 100 * bound)), label]),
    },
  }))}`
  return { id: `${prefix}bettors`, title: words.bettors === 'takers' ? 'Takers' : 'Bettors', body }
}

/** Where the money is at the end, to the micro-unit, and what the house kept. */
export function moneySection({ summary, prefix }: ServicePage): PageSection {
  const { conservation: c, house, service } = summary
  const balances: readonly (readonly [string, number])[] = [
    ['free, of all accounts', c.freeMicros], ['reserved', c.reservedMicros], ['pots of open positions', c.potMicros],
    ...(service === 'outcome' ? [] : [['taker fees in escrow', c.escrowMicros] as const]), ['house', c.houseMicros],
  ]
  const kept: readonly (readonly [string, number])[] = [
    ['taker fees', house.takerFeeMicros], ['profit fees', house.profitFeeMicros],
    ...(house.profitFees === undefined ? [] : [
      ['of them at settlement', house.profitFees.atSettlementMicros] as const, ['at cash-out', house.profitFees.atCashOutMicros] as const, ['on makers', house.profitFees.onMakersMicros] as const,
    ]),
    ['revenue', house.revenueMicros],
  ]
  const body = html`${tableMarkup({
    caption: 'Conservation of money, USDC', isFixed: true, head: ['what', 'USDC'],
    rows: [
      ['deposits', exactUsd(c.depositsMicros)], ['withdrawals', exactUsd(c.withdrawalsMicros)], ...balances.map(([name, micros]) => [name, exactUsd(micros)]),
      [html`<b>deposits − withdrawals − balances</b>`, html`<b>${exactUsd(c.differenceMicros)}</b>`],
      ['ledger', c.ledgerAgrees ? html`<span class="good">agrees</span>` : html`<span class="bad">differs from the tables</span>`],
    ],
  })}
${tableMarkup({ caption: 'What the house kept, USDC', isFixed: true, head: ['what the house kept', 'USDC'], rows: kept.map(([name, micros]) => [name, exactUsd(micros)]) })}
${late(summary)}`
  return { id: `${prefix}money`, title: 'Money', body }
}

/** What the chain held up, and webhook deliveries, where there were any. */
function late({ operations, vaultTransactions, deliveries }: Summary): Markup | null {
  const tallies = [['operations', operations], ['vault transactions held up', vaultTransactions], ['webhook deliveries', deliveries]] as const
  const known = tallies.flatMap(([name, counts]) => (counts === undefined ? [] : [[name, Object.entries(counts as unknown as Record<string, number>)
    .filter(([, count]) => count > 0).map(([what, count]) => (what === 'count' ? whole(count) : `${whole(count)} ${wordsOf(what).replace('putOff', 'put off')}`)).join(', ')] as const]))
  return known.length === 0 ? null : facts(known, 'counts')
}

/** Replies with an error, by name. */
export function rejectionsSection({ summary: { rejections }, prefix }: ServicePage): PageSection {
  const total = rejections.reduce((sum, { count }) => sum + count, 0)
  const body = total === 0 ? html`<p>None.</p>` : html`<p>${plural(total, 'reply', 'replies')} with an error, by the services’ own names.${rejections.some(({ name }) => name === 'mmConfirmationTimeout') && ' A commit that its maker declined has mmConfirmationTimeout too.'}</p>
${tableMarkup({ caption: 'Rejections', head: ['name', 'count', '%'], rows: rejections.map(({ name, count }) => [html`<code>${name}</code>`, whole(count), percent(count / total)]) })}`
  return { id: `${prefix}rejections`, title: 'Rejections', body }
}
