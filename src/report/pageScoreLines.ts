import type { CashOutMaker, CashOutSummary } from '../score/cashOuts.ts'
import { ENOUGH, ifEnough } from '../score/enough.ts'
import type { MakerSummary } from '../score/makers.ts'
import { NOT_EXCEEDED } from '../score/worstLoss.ts'
import type { Interval } from '../stats/interval.ts'
import { brief, estimate, fixed, ms, span, usd, UNKNOWN, whole } from './html/format.ts'
import { type Content, html } from './html/markup.ts'
import type { ServicePage, ServiceWords } from './pageService.ts'

/** A figure of every maker: its name, its unit and definition, and its cell. */
export interface ScoreLine {
  readonly name: string
  readonly about: string
  readonly cell: (figures: MakerSummary) => Content
}

export interface ScoreGroup {
  readonly name: string
  readonly lines: readonly ScoreLine[]
}

const line = (name: string, about: string, cell: (figures: MakerSummary) => Content): ScoreLine => ({ name, about, cell })
const of = (interval: Interval, scale = 1): Content => estimate(interval, scale)
/** A figure with the counts that it rests on beneath, and a dash where one is too small. */
const resting = (interval: Interval, counts: Readonly<Record<string, number>>, scale = 1): Content =>
  html`${of(ifEnough(interval, counts), scale)} <small>${Object.entries(counts).map(([what, count]) => `${whole(count)} ${what}`).join(', ')}</small>`
const FEW = `a dash where a count is under ${ENOUGH}`

/** The figures of docs/metrics.md as lines of a table. Figures that no maker has are left out. */
export function scoreGroups({ makers, summary, words }: ServicePage): ScoreGroup[] {
  const figures = makers.map((maker) => maker.figures)
  const groups = [
    result(figures, words), quoting(figures, words), LAST_LOOK, { name: 'Selection', lines: markLines(figures) }, capital(figures),
    ...(summary.cashOut === undefined ? [] : [cashOuts(summary.cashOut)]),
  ]
  return groups.filter(({ lines }) => lines.length > 0)
}

const result = (figures: readonly MakerSummary[], words: ServiceWords): ScoreGroup => ({
  name: 'Result',
  lines: [
    line('profit', 'USDC, realised, after fees', ({ profit }) => estimate(profit, 1, (value) => fixed(value, 2))),
    line('luck-adjusted profit', 'USDC, less what results did after the close', ({ luckAdjusted }) => estimate(luckAdjusted, 1, (value) => fixed(value, 2))),
    line('positions settled', 'backed by the maker', ({ settled }) => whole(settled)),
    line('hold', '%, Σ(s − paid)/Σs before fees', ({ hold }) => of(hold, 100)),
    ...(figures.some(({ expectedHold }) => expectedHold.estimate !== null)
      ? [line('expected hold', '%, Σ(s − V at the close · P)/Σs', ({ expectedHold }) => of(expectedHold, 100))] : []),
    line(`${words.bettors} lost`, `%, net loss over ${words.grossBet}`, ({ bettorLoss }) => of(bettorLoss, 100)),
    ...(figures.some(({ ownBets }) => ownBets !== undefined)
      ? [line('own bets', 'positions that it bet on itself: in the mark-to-market drawdown and the reserved collateral alone', ({ ownBets = 0 }) => whole(ownBets))] : []),
    line('fees kept by the house', 'USDC, taker and profit fees', ({ fees }) => usd(fees.takerMicros + fees.profitMicros)),
  ],
})

const quoting = (figures: readonly MakerSummary[], words: ServiceWords): ScoreGroup => ({
  name: 'Quoting',
  lines: [
    line('quotes', '', ({ quotes }) => whole(quotes)),
    line('requotes', 'after the first quote on a version', ({ quoteRate }) => whole(quoteRate.requotes)),
    line('quote rate', `versions quoted / ${words.requests} delivered`, ({ quoteRate }) => fixed(quoteRate.ratio, 3)),
    line('fills', '', ({ hits }) => whole(hits.fills)),
    ...(figures.some(({ hits }) => hits.chainFailed !== undefined) ? [line('fills that failed', 'on the chain: confirmed, and no fills', ({ hits }) => whole(hits.chainFailed ?? 0))] : []),
    line('hit ratio', '%, fills / versions quoted', ({ hits }) => of(hits.ratio, 100)),
    line('hit ratio of committed', `%, of those committed to anyone meanwhile; ${FEW}`, ({ hits }) => resting(hits.ofCommitted, { committed: hits.committedVersions }, 100)),
  ],
})

const LAST_LOOK: ScoreGroup = {
  name: 'Last look',
  lines: [
    line('selected', '', ({ lastLook }) => whole(lastLook.selected)),
    line('confirmed', '', ({ lastLook }) => whole(lastLook.confirmed)),
    line('declined, timed out', '', ({ lastLook }) => `${whole(lastLook.declined)}, ${whole(lastLook.timed_out)}`),
    line('latency', 'ms, median and 99%', ({ lastLook: { latencyP50Us, latencyP99Us } }) => (latencyP50Us === null ? UNKNOWN : `${ms(latencyP50Us)}, ${ms(latencyP99Us)}`)),
    line('asymmetry', '¢ per $ of payout: drift of V when declined less that when confirmed; ' + FEW, ({ lastLook }) => resting(lastLook.asymmetryCents, lastLook.asymmetryOf)),
  ],
}

const markLines = (figures: readonly MakerSummary[]): ScoreLine[] => (figures[0]?.marks ?? []).flatMap(({ horizonUs }, h) => [
  line(`mark-out, ${span(horizonUs)}`, `¢ per $ of payout; ${FEW}`, ({ marks }) => resting(marks[h]!.markOutCents, { fills: marks[h]!.won - marks[h]!.unknown })),
  line(`winner’s curse, ${span(horizonUs)}`, `¢ per $ of payout; positive hurts; ${FEW}`, ({ marks }) => resting(marks[h]!.winnersCurseCents, { won: marks[h]!.wonWithFair, lost: marks[h]!.lostWithFair })),
])

const capital = (figures: readonly MakerSummary[]): ScoreGroup => ({
  name: 'Capital',
  lines: [
    line('collateral', 'USDC, time-weighted', ({ collateral }) => usd(collateral.averageMicros)),
    ...(figures.some(({ collateral }) => collateral.held !== undefined)
      ? [line('held positions', 'USDC, at cost, time-weighted', ({ collateral }) => usd(collateral.held?.averageMicros ?? null))] : []),
    line('return on collateral', '% per USDC-day', ({ collateral: { returnPerDay } }) => brief(returnPerDay === null ? null : 100 * returnPerDay)),
    line('drawdown, cash', 'USDC', ({ drawdown }) => usd(drawdown.cashMicros)),
    line('drawdown, mark-to-market', 'USDC, at V, over the samples of equity: at least', ({ drawdown }) => usd(drawdown.markToMarketMicros)),
    line('drawdown, liquidation', 'USDC, at the touch, over the samples of equity: at least', ({ drawdown }) => usd(drawdown.liquidationMicros)),
    line('worst joint outcome', 'USDC, loss of the open book if nothing is voided, over all instants; ≤: not exceeded; ~: positions were voided', ({ worstJointLoss: worst }) => (worst === null ? UNKNOWN : `${worst.isExact ? '' : worst.label === NOT_EXCEEDED ? '≤ ' : '~ '}${usd(worst.micros)}`)),
    line('worst cluster', 'USDC, profit in it', ({ tail }) => usd(tail.worstClusterMicros)),
    ...(figures.some(({ tail }) => tail.expectedShortfallMicros !== null)
      ? [line('expected shortfall', 'USDC, 99%, of a cluster', ({ tail }) => usd(tail.expectedShortfallMicros))] : []),
    line('Kelly', 'multiple of the book that grows the capital fastest, by profits of clusters; for ruin see parlor redraw', ({ kelly }) => brief(kelly.multiple)),
  ],
})

function cashOuts({ makers }: CashOutSummary): ScoreGroup {
  const bids = (name: string, about: string, show: (bidder: CashOutMaker) => Content): ScoreLine => line(name, about, (figures) => {
    const bidder = makers.find((maker) => maker.name === figures.name)
    return bidder === undefined ? UNKNOWN : show(bidder)
  })
  return {
    name: 'Cash-outs',
    lines: [
      bids('bids', '', (bidder) => whole(bidder.bids)),
      bids('bids won', '%', ({ winShare }) => of(winShare, 100)),
      bids('bought back, taken over', 'positions', ({ boughtBack, transferred }) => `${whole(boughtBack)}, ${whole(transferred)}`),
      bids('paid', 'USDC', ({ paidMicros }) => usd(paidMicros)),
      bids('edge of won bids', `USDC per bid, V·P − price; ${FEW}`, ({ won }) => resting(won.perBid, { bids: won.valued })),
      bids('edge of lost bids', `USDC per bid; ${FEW}`, ({ lost }) => resting(lost.perBid, { bids: lost.valued })),
    ],
  }
}
