import type { CashOutSummary } from '../score/cashOuts.ts'
import { MINUTE_US, SECOND_US } from '../unit/time.ts'
import { facts, figure, figures } from './html/figure.ts'
import { brief, fixed, plural, usd, whole, words as wordsOf } from './html/format.ts'
import { intervalPlot } from './html/intervalPlot.ts'
import { html, type Markup } from './html/markup.ts'
import { offersPlot } from './html/offersPlot.ts'
import { legend, lookOf } from './html/palette.ts'
import { Plot, plotSvg } from './html/plot.ts'
import { eachBatch, greatest, indicesOf, namesOf, numbersOf } from './pageRows.ts'
import type { PageSection, ServicePage } from './pageService.ts'

const SHOWN = 4
const HEIGHT_PX = 250

interface AuctionBid {
  readonly maker: number
  readonly submittedUs: number
  readonly endedUs: number
  readonly priceMicros: number
  /** V·P, microUSDC, NaN where V is unknown. */
  readonly valueMicros: number
  readonly state: string
}

interface Auction {
  readonly auction: number
  readonly position: number
  readonly seller: string
  readonly backer: string
  readonly openedUs: number
  readonly endedUs: number
  readonly state: string
  readonly winner: string | null
  readonly costMicros: number
  readonly bids: AuctionBid[]
}

/** Cash-outs: how auctions ended, the edge of bids, and the auctions with the most bids over time. Null for a run without auctions. */
export function auctionsSection(page: ServicePage): PageSection | null {
  const { summary: { cashOut }, prefix, words, makers } = page
  if (cashOut === undefined) return null
  const drawn = readAuctions(page)
  const body = html`${facts([
    [words.auctions, whole(cashOut.auctions)],
    ...Object.entries(cashOut.byEnd).flatMap(([end, count]) => (count > 0 ? [[wordsOf(end), whole(count)] as const] : [])),
    ['bought back by the backer', whole(cashOut.byRoute.bought_back)], ['taken over by another', whole(cashOut.byRoute.transferred)],
    ['bids', whole(cashOut.bids)], ['prices', `${usd(cashOut.pricesMicros)} USDC`], ['profit fees', `${usd(cashOut.feesMicros)} USDC`],
  ], 'counts')}
${figures(endsFigure(page, cashOut), edgesFigure(page, cashOut))}
${drawn.length > 0 && html`<p>The ${words.auctions} with the most bids: each line is a bid while it lived, at its price; the dashed line is V·P, what the position was worth at the reference.</p>
${legend(makers)}
${figures(drawn.map((auction) => auctionFigure(page, auction)))}`}`
  return { id: `${prefix}auctions`, title: 'Cash-out auctions', body }
}

function endsFigure({ prefix, words }: ServicePage, { byEnd, auctions }: CashOutSummary): Markup {
  const rows = Object.entries(byEnd).filter(([, count]) => count > 0).map(([end, count]) => ({ end: wordsOf(end), count }))
  return figure({
    id: `${prefix}auction-ends`, title: `How ${words.auctions} ended`,
    picture: plotSvg(`How ${words.auctions} ended: ${rows.map(({ end, count }) => `${whole(count)} ${end}`).join(', ')}.`, {
      height: 46 + 26 * rows.length, marginLeft: 90, marginRight: 50, marginTop: 4, marginBottom: 36,
      x: { label: words.auctions, labelAnchor: 'center', labelArrow: 'none', grid: true, ticks: 5 }, y: { label: null, domain: rows.map(({ end }) => end), tickSize: 0 },
      marks: [
        Plot.barX(rows, { x: 'count', y: 'end', fill: 'var(--c0)', insetTop: 2, insetBottom: 2, title: ({ end, count }: { end: string; count: number }) => `${end}: ${whole(count)}` }),
        Plot.text(rows, { x: 'count', y: 'end', text: ({ count }: { count: number }) => whole(count), dx: 5, textAnchor: 'start' }), Plot.ruleX([0]),
      ],
    }),
    table: { caption: `How ${words.auctions} ended`, head: ['end', 'count', '%'], rows: rows.map(({ end, count }) => [end, whole(count), fixed((100 * count) / auctions, 1)]) },
  })
}

function edgesFigure({ prefix, makers }: ServicePage, { makers: bidders }: CashOutSummary): Markup {
  const active = bidders.filter(({ bids }) => bids > 0)
  const kinds = [['won', 'bids won'], ['lost', 'bids lost']] as const
  const lookFor = (name: string) => makers.find((maker) => maker.name === name)?.look ?? lookOf(0)
  return figure({
    id: `${prefix}auction-edges`, title: 'Edge of bids', note: 'V·P − price, of a bid that would take the position over V(P − future profit fee) − price.',
    picture: html`${legend(active.map(({ name }) => ({ name, look: lookFor(name) })))}${intervalPlot({
      title: 'Edge of bids', axis: 'USDC per bid',
      rows: kinds.flatMap(([kind, group]) => active.map((bidder) => ({ group, name: bidder.name, look: lookFor(bidder.name), interval: bidder[kind].perBid }))),
    })}`,
    table: {
      caption: 'Edge of bids', head: ['maker', 'which', 'bids', 'USDC per bid', 'low', 'high', 'total, USDC'], text: [1],
      rows: kinds.flatMap(([kind, group]) => active.map((bidder) => {
        const { bids, perBid, totalMicros } = bidder[kind]
        return [bidder.name, group, whole(bids), brief(perBid.estimate), brief(perBid.low), brief(perBid.high), usd(totalMicros)]
      })),
    },
  })
}

function readAuctions({ tables, names }: ServicePage): Auction[] {
  const counts = new Map<number, number>()
  eachBatch(tables, 'auctions', (batch) => {
    const [auction, bids] = [numbersOf(batch, 'auction'), numbersOf(batch, 'bid_count')]
    for (let row = 0; row < batch.rowCount; row++) if (bids[row]! > 0) counts.set(auction[row]!, bids[row]!)
  })
  const wanted = greatest(counts, SHOWN)
  const found = new Map<number, Auction>()
  eachBatch(tables, 'auctions', (batch) => {
    const auction = numbersOf(batch, 'auction')
    const [position, opened, ended, cost] = ['position', 'opened_at', 'ended_at', 'seller_cost_micros'].map((name) => numbersOf(batch, name))
    const [group, maker, state, winner] = ['cohort', 'backing_maker', 'state', 'winner'].map((name) => namesOf(batch, name))
    for (let row = 0; row < batch.rowCount; row++) {
      if (!wanted.includes(auction[row]!)) continue
      found.set(auction[row]!, {
        auction: auction[row]!, position: position![row]!, seller: group![row]!, backer: maker![row]!, openedUs: opened![row]!, endedUs: ended![row]!,
        state: state![row]!, winner: winner![row]!, costMicros: cost![row]!, bids: [],
      })
    }
  })
  eachBatch(tables, 'bids', (batch) => {
    const auction = numbersOf(batch, 'auction')
    const [submitted, ended, price, payout, reference] = ['submitted_at', 'ended_at', 'price_micros', 'payout_micros', 'reference'].map((name) => numbersOf(batch, name))
    const [maker, state] = [indicesOf(batch, 'maker', names), namesOf(batch, 'state')]
    for (let row = 0; row < batch.rowCount; row++) {
      found.get(auction[row]!)?.bids.push({
        maker: maker[row]!, submittedUs: submitted![row]!, endedUs: ended![row]!, priceMicros: price![row]!, valueMicros: payout![row]! * reference![row]!, state: state[row]!,
      })
    }
  })
  for (const { bids } of found.values()) bids.sort((a, b) => a.submittedUs - b.submittedUs || a.maker - b.maker)
  return wanted.flatMap((auction) => found.get(auction) ?? [])
}

function auctionFigure({ prefix, makers, words }: ServicePage, auction: Auction): Markup {
  const { bids, openedUs, endedUs } = auction
  const lastUs = Number.isNaN(endedUs) ? Math.max(...bids.map(({ submittedUs }) => submittedUs)) : endedUs
  const [unitUs, unit] = lastUs - openedUs > 5 * MINUTE_US ? [MINUTE_US, 'min'] as const : [SECOND_US, 's'] as const
  const after = (us: number): number => ((Number.isNaN(us) ? lastUs : us) - openedUs) / unitUs
  const values = bids.filter(({ valueMicros }) => !Number.isNaN(valueMicros)).map(({ submittedUs, valueMicros }) => ({ x: after(submittedUs), y: valueMicros / 1e6 }))
  const title = `${words.auction} ${auction.auction}`
  const end = auction.winner === null ? wordsOf(auction.state) : `${wordsOf(auction.state)} to ${auction.winner}`
  const about = `Position ${auction.position}, backed by ${auction.backer}, sold by ${auction.seller}, who paid ${usd(auction.costMicros)} USDC; ${plural(bids.length, 'bid')}, ${end}.`
  return figure({
    id: `${prefix}auction-${auction.auction}`, title, note: about,
    picture: offersPlot({
      label: `Bids over time of ${title}. ${about}`, timeLabel: `${unit} after the opening`, end: after(lastUs), heightPx: HEIGHT_PX,
      price: { label: 'USDC' }, looks: makers.map(({ look }) => look), references: values, takenWord: 'taken',
      offers: bids.map((bid) => ({ maker: bid.maker, from: after(bid.submittedUs), to: after(bid.endedUs), y: bid.priceMicros / 1e6, taken: bid.state === 'won', tip: `${makers[bid.maker]?.name ?? 'another maker'}: ${usd(bid.priceMicros)} USDC, ${fixed(after(bid.submittedUs), 3)} to ${fixed(after(bid.endedUs), 3)} ${unit}, ${wordsOf(bid.state)}` })),
    }),
    table: {
      caption: `Bids of ${title}`, head: ['maker', `from, ${unit}`, `to, ${unit}`, 'price, USDC', 'V·P, USDC', 'end'], text: [5],
      rows: bids.map((bid) => [
        makers[bid.maker]?.name ?? '', fixed(after(bid.submittedUs), 3), fixed(after(bid.endedUs), 3), usd(bid.priceMicros), usd(Number.isNaN(bid.valueMicros) ? null : bid.valueMicros), wordsOf(bid.state),
      ]),
    },
  })
}
