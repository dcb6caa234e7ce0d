import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { summarise } from '../../src/score/summary.ts'
import { newFolder, prepared, SMALL } from './small.ts'

it('a maker that multiplies pays for dependence what V is above its product, and one with a copula what its copula misses', async () => {
  const dir = join(newFolder(), 'run')
  const text = SMALL.replace(/^bettors:$/m, 'settlement: { outcomes: drawn, missing: draw, scalar: void, lag: 10m, correlation: 60% }\nbettors:')
    .replace(/^makers:[\s\S]*?(?=^\w|$(?![\s\S]))/m, `makers:
  - { use: fixed-margin, name: product, capital: 50000 USDC }
  - { use: copula, name: joint, capital: 50000 USDC, params: { all: 60%, category: 60%, game: 60% } }
`)
  const parts = await prepared(text)
  await runScenario(parts.loaded, parts.prepared, { target: { path: dir, force: false, numbered: false } })
  const quotes = readTable(join(dir, 'tables', 'quotes.arrow'))
  const positions = readTable(join(dir, 'tables', 'positions.arrow'))
  const numbers = (table: typeof quotes, name: string): ArrayLike<number> => table.column(name).numbers!
  const rowOfQuote = new Map(Array.from(numbers(quotes, 'quote'), (quote, row) => [quote, row]))
  const { makers } = await summarise(dir)
  const [product, joint] = ['product', 'joint'].map((name) => makers.find((maker) => maker.name === name)!.attribution)
  // Σ(Π − V)·payout over its positions that a result ended, from the tables.
  let cost = 0
  const label = (name: string, row: number): string | undefined => positions.column(name).values![positions.column(name).codes![row]!]
  for (let row = 0; row < positions.rowCount; row++) {
    if (label('maker', row) !== 'product' || label('state', row) !== 'settled' || label('outcome', row) === 'void') continue
    const quote = rowOfQuote.get(numbers(positions, 'quote')[row]!)!
    cost += Math.round((numbers(quotes, 'reference_product')[quote]! - numbers(quotes, 'reference')[quote]!) * numbers(positions, 'payout_micros')[row]!)
  }
  expect(product!.withoutProduct + joint!.withoutProduct).toBe(0)
  expect(cost).toBeLessThan(-1_000_000)
  expect(product!.micros.model).toBe(cost)
  // Events of this history have one winner each, and end with their favourites together, which this copula does not price.
  expect(joint!.micros.model).not.toBe(0)
})
