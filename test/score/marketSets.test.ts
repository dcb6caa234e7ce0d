import { expect, it } from 'vitest'
import { MarketSets } from '../../src/score/marketSets.ts'
import { Names } from '../../src/score/runTables.ts'
import { type Row, tablesOf } from './madeTables.ts'

const market = (ticker: string, event: string, more: Row = {}): Row => ({ ticker, event, game: null, ladder: null, redrawn_as: 'alone', redrawn_by: ticker, ...more })
const partition = (event: string, game: string | null = null): Row => ({ game, redrawn_as: 'partition', redrawn_by: event })

const ROWS = [
  market('NYY', 'NYYBOS', partition('NYYBOS', 'june')), market('BOS', 'NYYBOS', partition('NYYBOS', 'june')),
  market('OVER8', 'TOTAL', { game: 'june' }), market('LAD', 'LADSF', { game: 'july' }),
  market('T60', 'HIGH', { ladder: 'high' }), market('T70', 'HIGH', { ladder: 'high' }), market('MAYOR-A', 'MAYOR'), market('MAYOR-B', 'MAYOR'),
]
const tickers = new Names()
const number = (name: string): number => tickers.number(name)
const sets = new MarketSets(tablesOf({ markets: ROWS, positions: [] }, { exclusive: JSON.stringify([['MAYOR-A', 'MAYOR-B']]) }), tickers)
const known = (...names: string[]): boolean => sets.areKnown(names.map(number))

it('says that exactly one team of a game wins, as the draw does, and that at most one of an exclusive event does', () => {
  expect([sets.of(number('NYY')), sets.of(number('BOS'))]).toEqual([{ set: number('NYY'), oneOf: 2 }, { set: number('NYY'), oneOf: 2 }])
  expect(sets.of(number('MAYOR-B'))).toEqual({ set: number('MAYOR-A') })
  expect(sets.of(number('LAD'))).toEqual({ set: number('LAD') })
})

it('does not know how rungs of a ladder, or several bets on a game, come true together', () => {
  expect([known('NYY', 'BOS', 'LAD', 'T60', 'MAYOR-A', 'MAYOR-B'), known('T60', 'T70'), known('NYY', 'OVER8'), known()]).toEqual([true, false, false, true])
})

it('knows nothing beyond exclusive events of a run without a table of markets', () => {
  const older = new MarketSets(tablesOf({ positions: [] }, { exclusive: JSON.stringify([['MAYOR-A', 'MAYOR-B']]) }), tickers)
  expect([older.areKnown([number('MAYOR-A'), number('MAYOR-B')]), older.areKnown([number('MAYOR-A'), number('LAD')])]).toEqual([true, false])
})
