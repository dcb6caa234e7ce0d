import type { Command } from 'commander'
import type { explain } from '../actions/explain.ts'
import { columnsText } from '../unit/columnsText.ts'
import { exactUsd, fixed, odds, percent as percentage, signed } from '../unit/numberText.ts'
import { common, type CommonOptions, print, printJson, remark } from './common.ts'

type Explanation = Awaited<ReturnType<typeof explain>>
type ExplainedQuote = Explanation['quotes'][number]

export function addExplain(program: Command): void {
  const command = program.command('explain').argument('<run>', 'folder of a run').argument('<id>', 'number of a request or an RFQ; for a run with both services parlay:NUMBER or outcome:NUMBER; for a served run also an id that a client had')
    .summary('tell the story of one request')
    .description('Tell the story of one request: what happened when (ms since it was made), each price as odds and probability beside the reference, why each quote won or lost, and the money.')
  common(command, 'parlor explain runs/quickstart 12').action(async (dir: string, id: string, options: CommonOptions) => {
    const actions = await import('../actions/explain.ts')
    const explanation = await actions.explain(dir, id, { onNote: remark })
    if (options.json === true) printJson(explanation)
    else print(explanationText(explanation))
  })
}

const MISSED = { away: 'was away', ignored: 'missed it' } as const

/** The story as plain text. */
function explanationText(explanation: Explanation): string {
  const { service, request, group, bettor, createdUs, versions, quotes, silent, untold, missed, timeline, outcome } = explanation
  const isRfq = service === 'outcome'
  const made = new Date(Math.floor(createdUs / 1000)).toISOString()
  const lines = [`${isRfq ? 'RFQ' : 'request'} ${request} of ${group} (account ${bettor}), made ${made}: ${outcome}`]
  for (const { version, betMicros, legs, legCount } of versions) {
    lines.push(`  ${versions.length > 1 ? `${isRfq ? 'generation' : 'version'} ${version}, ` : ''}${isRfq ? 'stake' : 'bet'} ${money(betMicros)} on ${legCount} ${legCount === 1 ? 'leg' : 'legs'}:`)
    for (const { market, side } of legs) lines.push(`    ${side.padEnd(3)} ${market}`)
  }
  lines.push('', columnsText([['ms', 'who', 'what'], ...timeline.map(({ afterMs, who, what }) => [fixed(afterMs, 3), who, what])], [0]))
  if (quotes.length > 0) {
    const head = ['quote', 'maker', 'odds', 'probability', 'reference', 'over reference', 'risk', 'live, ms', 'why']
    lines.push('', columnsText([head, ...quotes.map(quoteRow)], [0, 2, 3, 4, 5, 6]))
  }
  const quiet = silent.filter((maker) => !untold.includes(maker))
  const quietText = quiet.map((name) => {
    const fate = missed.find(({ maker }) => maker === name)?.fate
    return fate === undefined ? name : `${name} (${MISSED[fate]})`
  })
  if (quiet.length > 0) lines.push('', `did not quote: ${quietText.join(', ')}`)
  if (untold.length > 0) lines.push('', `no ${isRfq ? 'RFQ' : 'request'} reached: ${untold.join(', ')}`)
  lines.push(...moneyLines(explanation))
  return lines.join('\n')
}

const percent = (share: number | null): string => percentage(share, 2)
const money = (micros: number): string => `${exactUsd(micros, 2)} USDC`
const gain = (micros: number): string => `${signed(exactUsd(micros, 2))} USDC`

function quoteRow(quote: ExplainedQuote): string[] {
  const { probability, reference, margin, riskMicros, submittedMs, endedMs } = quote
  return [
    String(quote.quote), quote.maker, odds(quote.odds), percent(probability), percent(reference), percent(margin), money(riskMicros),
    `${fixed(submittedMs, 1)}…${endedMs === null ? '' : fixed(endedMs, 1)}`, quote.why,
  ]
}

function moneyLines({ money: amounts, service }: Explanation): string[] {
  if (amounts === null) return []
  const { stakeMicros, riskMicros, takerFeeMicros, outcome, holder, sales, toHolderMicros, toMakerMicros, profitFeeMicros, bettorProfitMicros, makerProfitMicros } = amounts
  const bettor = service === 'outcome' ? 'taker' : 'bettor'
  const lines = ['', `stake ${money(stakeMicros)} + taker fee ${money(takerFeeMicros)} against risk ${money(riskMicros)}`]
  for (const { seller, buyer, priceMicros, profitFeeMicros: fee, toSellerMicros } of sales) {
    lines.push(`sold by ${seller} to ${buyer} for ${money(priceMicros)}: ${money(toSellerMicros)} to the seller, profit fee ${money(fee)}`)
  }
  if (outcome === null) return [...lines, 'not settled when the session ended']
  if (holder !== null) {
    return [
      ...lines,
      `${outcome} (for its holder): ${money(toHolderMicros!)} to ${holder}, ${money(toMakerMicros!)} to the maker (${gain(makerProfitMicros!)}), profit fee ${money(profitFeeMicros!)}; the ${bettor}'s sale ${gain(bettorProfitMicros!)}`,
    ]
  }
  return [
    ...lines,
    `${outcome.replace('_', ' ')} (for the ${bettor}): ${money(toHolderMicros!)} to the ${bettor} (${gain(bettorProfitMicros!)}), ${money(toMakerMicros!)} to the maker (${gain(makerProfitMicros!)}), profit fee ${money(profitFeeMicros!)}`,
  ]
}
