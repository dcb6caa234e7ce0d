import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { Session } from '../../src/engine/session.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { newFolder, prepared, QUICKSTART_STORE } from './small.ts'

const USDC = 1_000_000

/** Operations of the outcome service step at whole seconds after the first that the chain stalls: withdrawals meet them at 740 s. */
const BOTH = `version: 1
mode: interactive
services:
  parlay: { profile: parlay@2.1 }
  outcome: { profile: outcome@1, signatures: eip712, gate: {}, faults: [{ fault: chainStalled, from: 12m, for: 3m }] }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
arrivals: { until: 40m, max: 40 }
withdrawals:
  - { of: takers, first: 3, at: 740s, amount: 30 USDC }
  - { of: takers, first: 2, at: 12m, amount: 40 USDC }
  - { of: noise, at: 740s, amount: 5 USDC }
  - { of: backer, at: 740s, amount: 1000 USDC }
  - { of: street, at: 740s, amount: 2000 USDC }
  - { of: street, at: 13m, amount: 900000 USDC }
bettors:
  - { kind: noise, service: parlay, n: 20, every: 10m }
  - { kind: noise, name: takers, service: outcome, n: 5, every: 10m, legsMin: 1 }
makers:
  - { use: fixed-margin, name: backer, service: parlay, capital: 50000 USDC }
  - { use: fixed-margin, name: street, service: outcome, capital: 50000 USDC }
`

async function mistakes(from: string, to: string): Promise<string[]> {
  expect(BOTH).toContain(from)
  const error = await prepared(BOTH.replace(from, to)).catch((caught: unknown) => caught)
  if (!(error instanceof ScenarioMistakes)) throw error
  return error.mistakes.map(({ path, message }) => `${path}: ${message}`)
}

describe('withdrawals of a scenario', () => {
  it('leave their vaults: of the outcome service signed, of a maker as a reduction of its collateral; and the run verifies', async () => {
    const { loaded, prepared: ready } = await prepared(BOTH)
    const { path, manifest } = await runScenario(loaded, ready, { target: { path: join(newFolder(), 'run'), numbered: false, force: false } })
    const { checks } = await verifyRun(path)
    expect(checks.filter((check) => !check.ok)).toEqual([])
    const ledger = readTable(join(path, manifest.tables['ledger']!.file))
    const [amounts, causes, services] = [ledger.numbers('amount_micros', 'micros'), ledger.column('cause'), ledger.column('service')]
    const paid: Record<string, number[]> = { parlay: [], outcome: [] }
    Array.from(amounts).forEach((amount, row) => {
      if (causes.values![causes.codes![row]!] === 'withdraw') paid[services.values![services.codes![row]!]!]!.push(amount / USDC)
    })
    // The first two takers' other withdrawals are under way, so that theirs of 30 are refused (OM-211); 900,000 USDC is more than there is.
    expect(paid['parlay']!.toSorted((a, b) => a - b)).toEqual([...Array(20).fill(5), 1000])
    expect(paid['outcome']!.toSorted((a, b) => a - b)).toEqual([30, 40, 40, 2000])
    expect(manifest.tables['rejections']!.rows).toBeGreaterThanOrEqual(3)
  })

  it('are gone from what a maker counts as its own', async () => {
    const booked = async (text: string) => {
      const { prepared: { resolved, strategies, store } } = await prepared(text)
      const session = new Session({ ...buildSession(resolved, strategies, store).config, sinks: [] })
      session.runToEnd()
      for (const { service, account, freeMicros } of session.desks()) {
        const view = service === 'parlay' ? session.parlay!.venue.view.balance(account) : session.outcome!.venue.view.balance(account)
        expect(freeMicros).toBe(view.freeMicros)
      }
      return session.desks().map(({ capitalMicros }) => capitalMicros)
    }
    const quiet = BOTH.replace('max: 40', 'max: 1').replaceAll('every: 10m', 'every: 90d')
    expect(await booked(quiet)).toEqual([49_000 * USDC, 48_000 * USDC])
    expect((await booked(BOTH)).length).toBe(2)
  })

  it('change nothing where there are none', async () => {
    const { prepared: { resolved } } = await prepared(BOTH.replace(/withdrawals:\n(?: {2}- \{ of.*\n)*/, ''))
    expect('withdrawals' in resolved).toBe(false)
  })

  it('are mistakes where nobody can make them', async () => {
    expect(await mistakes('of: backer', 'of: bakker')).toEqual(['withdrawals.3.of: no maker and no cohort is named bakker; did you mean backer?'])
    expect(await mistakes('first: 3', 'first: 6')).toEqual(['withdrawals.0.first: takers has 5 bettors, not 6'])
    expect(await mistakes('of: street,', 'of: street, first: 2,')).toEqual(['withdrawals.4.first: street has one account, not 2'])
    expect(await mistakes('at: 13m', 'at: 2h')).toEqual(['withdrawals.5.at: is not within the session, 2025-06-19T22:30:00Z to 2025-06-19T23:30:00Z'])
    expect(await mistakes('amount: 900000 USDC', 'amount: 1000001 USDC')).toEqual(['withdrawals.5.amount: is above 1000000 USDC, the most that the service pays at once'])
  })
})
