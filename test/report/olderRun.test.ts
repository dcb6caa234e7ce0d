import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { replayJournal } from '../../src/record/replayJournal.ts'
import { explainRequest } from '../../src/report/explain.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { summariseRun } from '../../src/score/summary.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { ParlayCommand } from '../../src/venue/parlay/protocol/commands.ts'
import { newFolder, prepared, SMALL } from '../scenario/small.ts'

/** Gives a column of a table another name of the same length, as runs of older versions have. */
function rename(dir: string, table: string, column: string, other: string): void {
  const path = join(dir, 'tables', `${table}.arrow`)
  const bytes = readFileSync(path, 'latin1')
  expect([bytes.includes(column), column.length]).toEqual([true, other.length])
  writeFileSync(path, bytes.replaceAll(column, other), 'latin1')
}

const refusal = async (read: () => unknown): Promise<string> => {
  try {
    await read()
    return 'it is read'
  } catch (error) {
    return error instanceof InputError ? error.describe() : String(error)
  }
}

describe('a run whose columns have other names', () => {
  let dir: string
  beforeEach(async () => {
    dir = join(newFolder(), 'run')
    const parts = await prepared(SMALL)
    await runScenario(parts.loaded, parts.prepared, { target: { path: dir, force: false, numbered: false } })
  })

  it.each<[string, string, string, (dir: string) => unknown]>([
    ['requests', 'best_odds_at_end_e4', 'best_odds_at_end_xx', (run) => explainRequest(run, 1)],
    ['quotes', 'quoted_odds_e4', 'quoted_odds_xx', (run) => explainRequest(run, 1)],
    ['equity', 'liquidation_micros', 'liquidation_pences', (run) => summariseRun(run)],
    ['positions', 'reference_at_close', 'reference_at_begin', (run) => summariseRun(run)],
    ['quotes', 'reference_product', 'reference_produkt', (run) => summariseRun(run)],
    ['journal', 'odds_e4', 'odds_xx', (run) => { replayJournal(join(run, 'tables/journal.arrow'), {}) }],
  ])('is refused by its table and column, and the way to have it again: %s.%s', async (table, column, other, read) => {
    rename(dir, table, column, other)
    expect(await refusal(() => read(dir))).toBe(
      `${join(dir, 'tables', `${table}.arrow`)}: an older version made the run: its table has no column ${column}\n  hint: run the scenario again (docs/compatibility.md): no command converts the tables of a run`,
    )
  })

  it('has its journal read where it lacks the product of leg prices alone', () => {
    rename(dir, 'journal', 'fair_product_e9', 'fair_produkt_e9')
    const product: number[] = []
    replayJournal(join(dir, 'tables/journal.arrow'), { parlay: { command: new ParlayCommand(), apply: (_, { productE9 }) => { product.push(productE9) } } })
    expect([product.length > 0, product.every((value) => value === -1)]).toEqual([true, true])
  })
})
