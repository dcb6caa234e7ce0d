import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildSession } from '../../src/scenario/build.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { newFolder, prepared, QUICKSTART_STORE } from './small.ts'

const CASHOUT = `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
arrivals: { until: 20m }
bettors:
  - { kind: impatient, n: 20, every: 10m, holdMin: 10s, holdMax: 5m }
  - { kind: stop-loss, n: 10, every: 10m, params: { every: 10s, level: 95% } }
  - { kind: take-profit, n: 1, every: 5m, params: { every: 10s, level: 102% }, account: shade }
makers:
  - { use: fixed-margin, capital: 50000 USDC, params: { bid: 3% } }
  - { use: shade, capital: 50000 USDC, params: { bid: 5% } }
`

async function mistakes(from: string, to: string): Promise<string[]> {
  try {
    await prepared(CASHOUT.replace(from, to))
  } catch (error) {
    if (!(error instanceof ScenarioMistakes)) throw error
    return error.mistakes.map(({ position: { line = 0 }, path, message }) => `${line} | ${path}: ${message}`)
  }
  return []
}

describe('a scenario with cash-outs', () => {
  it('is run, with auctions and sales, and played again from its manifest', async () => {
    const { loaded, prepared: ready } = await prepared(CASHOUT)
    const path = join(newFolder(), 'run')
    const { manifest } = await runScenario(loaded, ready, { target: { path, force: false, numbered: false } })
    const counts = manifest.counts as Record<string, number>
    expect([counts['auctions']! > 10, counts['sales']! > 0]).toEqual([true, true])
    const { ok, checks } = await verifyRun(path)
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(ok).toBe(true)
  })

  it('casts a maker whose account bets as both, without an account for its bettor', async () => {
    const { prepared: { resolved, strategies, store } } = await prepared(CASHOUT)
    const { directory, config } = buildSession(resolved, strategies, store)
    expect(directory.accounts.slice(-3).map(({ name, role }) => [name, role])).toEqual([['stop-loss-10', 'bettor'], ['fixed-margin', 'maker'], ['shade', 'both']])
    expect([directory.accounts.length, config.parlay!.cohorts[2]!.account, resolved.bettors[2]!.account]).toEqual([32, 'shade', 'shade'])
    expect('account' in resolved.bettors[0]!).toBe(false)
  })

  it('names what does not fit an account', async () => {
    expect(await mistakes('account: shade', 'account: shady')).toEqual(['9 | bettors.2.account: no maker is named shady'])
    expect(await mistakes('take-profit, n: 1', 'take-profit, n: 2')).toEqual(['9 | bettors.2.n: 2 bettors cannot share the account of shade, expected 1'])
  })
})
