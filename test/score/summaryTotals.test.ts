import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { summarise } from '../../src/score/summary.ts'
import { play, step } from '../record/randomSession.ts'

let root: string
beforeAll(() => { root = mkdtempSync(join(tmpdir(), 'parlor-summary-totals-')) })
afterAll(() => rmSync(root, { recursive: true, force: true }))

let run = 0

test('INV-01 summaries of random sessions conserve money, and profits are what the ledger moved', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
    const dir = join(root, String(run++))
    const { session } = play(dir, steps)
    const summary = await summarise(dir)
    expect(summary.conservation).toMatchObject({ differenceMicros: 0, ledgerAgrees: true })
    const totals = session.venue.view.totals()
    expect([summary.conservation.potMicros, summary.conservation.escrowMicros, summary.house.revenueMicros])
      .toEqual([totals.potMicros, totals.escrowMicros, totals.houseMicros])

    // Everybody's profit, and what open positions cost those who back and hold them, is nobody's in sum.
    const positions = readTable(join(dir, 'tables', 'positions.arrow'))
    const state = positions.column('state')
    let openCost = 0
    for (let row = 0; row < positions.rowCount; row++) {
      if (state.values![state.codes![row]!] !== 'open') continue
      openCost += positions.numbers('risk_micros', 'micros')[row]! + positions.numbers('holder_cost_micros', 'micros')[row]!
    }
    const profits = [...summary.makers, ...summary.bettors].reduce((sum, { profitMicros }) => sum + profitMicros, 0)
    expect(profits + summary.house.revenueMicros).toBe(openCost - totals.potMicros - totals.escrowMicros)
  }), { numRuns: 15 })
})
