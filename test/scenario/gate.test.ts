import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ParlayFault, ParlayOp, SetDeliveries, SetWallet } from '../../src/venue/parlay/protocol/commands.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { newFolder, prepared, QUICKSTART_STORE, SMALL } from './small.ts'

const GATE = `version: 1
mode: interactive
services:
  parlay:
    profile: parlay@2.1
    walletsOff: [shade]
    gate:
      set: { quoteServiceLimit: 200, deliveryTimeout: 2s, deliveryRetention: 1h }
      keys: { life: 20m, renewAfter: 30s }
      endpoints:
        - { of: shade, answers: { serverError: 20% }, delay: 10ms }
        - { of: impatient, first: 5, events: [position.settled, funds.deposited], outages: { every: 10m, for: 1m } }
        - { of: fixed-margin, down: [{ from: 10m, for: 20m }], redeliver: true }
    faults:
      - { fault: chainUnclear, from: 12m, for: 3m }
      - { fault: chainUnclear, from: 15m, for: 1m }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
arrivals: { until: 20m }
bettors:
  - { kind: impatient, n: 20, every: 10m, holdMin: 10s, holdMax: 5m }
  - { kind: take-profit, n: 1, every: 5m, account: shade }
makers:
  - { use: fixed-margin, capital: 50000 USDC, params: { bid: 3% } }
  - { use: shade, capital: 50000 USDC, params: { bid: 5% }, faults: { disconnect: { every: 5m, for: 20s } } }
`

async function mistakes(from: string, to: string): Promise<string[]> {
  expect(GATE).toContain(from)
  try {
    await prepared(GATE.replace(from, to))
  } catch (error) {
    if (!(error instanceof ScenarioMistakes)) throw error
    return error.mistakes.map(({ position: { line = 0 }, path, message }) => `${line} | ${path}: ${message}`)
  }
  return []
}

describe('a scenario with a gate', () => {
  it('INV-30 is run, verified through the gate, and named in the manifest', async () => {
    const { loaded, prepared: ready } = await prepared(GATE)
    const path = join(newFolder(), 'run')
    const { manifest } = await runScenario(loaded, ready, { target: { path, force: false, numbered: false } })
    const { ok, checks } = await verifyRun(path)
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(ok).toBe(true)
    const scenario = manifest.identity.scenario as typeof ready.resolved
    expect(scenario.gate).toBe(true)
    expect(scenario.services.parlay!.gate!.profile.quoteServiceLimit).toBe(200)
    expect(scenario.services.parlay!.gate!.keys).toEqual({ lifeUs: 1_200_000_000, renewAfterUs: 30_000_000 })
    expect(manifest.tables['webhooks']!.rows).toBeGreaterThan(20)
    expect(manifest.tables['vault_transactions']!.rows).toBeGreaterThan(0)
  })

  it('says nothing of a gate that is off', async () => {
    const { prepared: { resolved } } = await prepared(SMALL)
    expect([resolved.gate, Object.keys(resolved.services.parlay!), 'halts' in resolved]).toEqual([false, ['profile', 'settings'], false])
  })

  it('makes operator inputs of faults and of wallets that are off, the end of one before the next, and endpoints that ask again', async () => {
    const { prepared: { resolved, strategies, store } } = await prepared(GATE)
    const { config } = buildSession(resolved, strategies, store)
    const begin = resolved.history.fromUs
    expect(config.parlay!.gate!.endpoints.map(({ redelivers }) => redelivers)).toEqual([undefined, undefined, true])
    // Bettors 0…19, fixed-margin 20, shade 21.
    expect(config.operator.filter(({ op }) => op === ParlayOp.setWallet)).toEqual([{ atUs: begin, op: ParlayOp.setWallet, service: 'parlay', market: -1, [SetWallet.walletOf]: 21, [SetWallet.isOnRecord]: 0 }])
    const switches = config.operator.filter(({ op }) => op === ParlayOp.setFault)
    expect(switches.map(({ atUs, value, value2 }) => [(atUs - begin) / 60_000_000, value, value2])).toEqual(
      [[12, 1], [15, 0], [15, 1], [16, 0]].map(([minute, on]) => [minute, ParlayFault.chainUnclear, on]))
  })

  it('PQ-327 switches deliveries off at the begin, of each account of a cohort', async () => {
    const { prepared: { resolved, strategies, store } } = await prepared(GATE.replace('    gate:\n', '    gate:\n      deliveriesOff: [shade, impatient]\n'))
    expect(buildSession(resolved, strategies, store).config.operator.filter(({ op }) => op === ParlayOp.setDeliveries)).toEqual(
      [21, ...Array.from({ length: 20 }, (_, account) => account)].map((account) => ({
        atUs: resolved.history.fromUs, op: ParlayOp.setDeliveries, service: 'parlay', market: -1, [SetDeliveries.deliveriesOf]: account, [SetDeliveries.isOn]: 0,
      })))
    expect(await mistakes('    gate:\n', '    gate:\n      deliveriesOff: [nobody]\n')).toEqual(['8 | services.parlay.gate.deliveriesOff.0: no maker and no cohort is named nobody'])
  })

  it('names what does not fit', async () => {
    expect(await mistakes('redeliver: true', 'redeliver: often')).toEqual(['13 | services.parlay.gate.endpoints.2.redeliver: expected true or false, got "often"'])
    expect(await mistakes('of: shade', 'of: shady')).toEqual(['11 | services.parlay.gate.endpoints.0.of: no maker and no cohort is named shady'])
    expect(await mistakes('of: shade', 'of: fixed-margin')).toEqual(['13 | services.parlay.gate.endpoints.2.of: fixed-margin has an endpoint of this kind already'])
    expect(await mistakes('first: 5', 'first: 21')).toEqual(['12 | services.parlay.gate.endpoints.1.first: impatient has 20 bettors, not 21'])
    expect(await mistakes('first: 5,', 'as: maker, events: [position.settled] } #')).toEqual(['12 | services.parlay.gate.endpoints.1.as: impatient is a cohort of bettors, which hears what users hear'])
    expect(await mistakes('serverError: 20%', 'serverError: 80%, timeout: 21%')).toEqual(['11 | services.parlay.gate.endpoints.0.answers: its shares sum to 101%, above 100%'])
    expect(await mistakes('delay: 10ms', 'events: [funds.deposited]')).toEqual(['11 | services.parlay.gate.endpoints.0.events.0: a maker\'s endpoint does not hear funds.deposited'])
    expect(await mistakes('from: 15m', 'from: 14m')).toEqual(['16 | services.parlay.faults.1.from: chainUnclear is on at that time already'])
    expect(await mistakes('walletsOff: [shade]', 'walletsOff: [nobody]')).toEqual(['6 | services.parlay.walletsOff.0: no maker and no cohort is named nobody'])
    expect((await mistakes('fault: chainUnclear, from: 12m', 'fault: chainUncler, from: 12m'))[0]).toMatch(/^15 \| services.parlay.faults.0.fault: expected collateralUnavailable or /)
    expect((await mistakes('quoteServiceLimit', 'quoteServicLimit'))[0]).toContain('did you mean quoteServiceLimit?')
  })
})

describe('halts and delistings of a scenario', () => {
  async function built(lines: string) {
    const { prepared: { resolved, strategies, store } } = await prepared(`${SMALL}${lines}`)
    const { config } = buildSession(resolved, strategies, store)
    return { config, begin: resolved.history.fromUs, markets: store.catalogue.markets }
  }

  it('halts a market for a time, and delists it', async () => {
    const { config: plain, begin, markets } = await built('')
    const lasting = plain.operator.filter(({ op, atUs }) => op === ParlayOp.resolveMarket && atUs > begin + 3_000_000_000).map(({ market }) => market)
    const listedAtBegin = lasting.filter((market) => plain.operator.some((input) =>
      input.market === market && input.op === ParlayOp.listMarket && input.atUs <= begin + 60_000_000))
    const traded = listedAtBegin.filter((market) => !plain.operator.some((input) =>
      input.market === market && input.op !== ParlayOp.listMarket && input.atUs < begin + 3_000_000_000))
    expect(traded.length).toBeGreaterThan(1)
    const [a, b] = traded as [number, number]
    const { config } = await built(`halts: [{ market: ${markets[a]!.ticker}, from: 10m, for: 5m }]\ndelist: [{ market: ${markets[b]!.ticker}, at: 20m }]\n`)
    const added = config.operator.filter((input) => !plain.operator.some((other) => other.op === input.op && other.market === input.market && other.atUs === input.atUs))
    expect(added.map(({ op, market, atUs }) => [op, market, (atUs - begin) / 60_000_000])).toEqual([
      [ParlayOp.haltMarket, a, 10], [ParlayOp.resumeMarket, a, 15], [ParlayOp.delistMarket, b, 20],
    ])
  })

  it('names a market that is not there', async () => {
    await expect(built('halts: [{ market: NOBODY, from: 1m, for: 1m }]\n')).rejects.toThrow('halts.0.market: no market NOBODY in the store')
  })
})
