import { type DrawnWorld, readMarkets } from '../../src/redraw/readMarkets.ts'

/** The world in which every market of a run comes out as it was recorded, whatever is drawn. */
export function recordedWorld(dir: string): DrawnWorld {
  const { markets } = readMarkets(dir)
  return {
    correlation: 0,
    markets: new Map([...markets].map(([ticker, market]) => [ticker, { ...market, drawn: market.drawn && { source: ticker, group: 'all', from: 0, to: market.recorded === 'yes' ? 1 : 0 } }])),
  }
}
