import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { betLimitsOf } from '../../src/scenario/betLimits.ts'
import { explainRequest } from '../../src/report/explain.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { outcomeLimbs } from '../../src/scenario/outcomeIds.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { ChannelBit } from '../../src/venue/outcome/protocol/access.ts'
import { OutcomeOp, Resnapshot } from '../../src/venue/outcome/protocol/commands.ts'
import { decimalOfLimbs } from '../../src/venue/outcome/protocol/outcomeId.ts'
import { newFolder, prepared, QUICKSTART_STORE } from './small.ts'
import { SetFault } from '../../src/venue/contract.ts'

const BOTH = `version: 1
mode: interactive
services:
  parlay: { profile: parlay@2.1 }
  outcome: { profile: outcome@1, set: { entryOpen: 10s }, faults: [{ fault: chainStalled, from: 12m, for: 3m }] }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
arrivals: { until: 20m, max: 200 }
bettors:
  - { kind: noise, service: parlay, n: 20, every: 10m }
  - { kind: impatient, service: outcome, n: 20, every: 10m, legsMin: 1, holdMin: 10s, holdMax: 5m }
makers:
  - { use: fixed-margin, service: parlay, capital: 50000 USDC, layOff: { bankroll: 500 USDC } }
  - { use: shade, service: outcome, capital: 50000 USDC, params: { bid: 5% } }
`

async function mistakes(from: string, to: string, text = BOTH): Promise<string[]> {
  expect(text).toContain(from)
  try {
    await prepared(text.replace(from, to))
  } catch (error) {
    if (!(error instanceof ScenarioMistakes)) throw error
    return error.mistakes.map(({ position: { line = 0 }, path, message }) => `${line} | ${path}: ${message}`)
  }
  return []
}

describe('a scenario with both services', () => {
  it('INV-30 is run on one clock, and verified: tables, journal through both venues, rerun', async () => {
    const { loaded, prepared: ready } = await prepared(BOTH)
    const { path, manifest } = await runScenario(loaded, ready, { target: { path: join(newFolder(), 'run'), numbered: false, force: false } })
    const { checks, ok } = await verifyRun(path)
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(ok).toBe(true)
    expect(manifest.tables['acceptances']!.rows).toBeGreaterThan(20)
    expect((manifest.identity.scenario as typeof ready.resolved).services.outcome!.signatures).toBe('tag')
    // Who could have quoted is who makes on that service.
    const told = [explainRequest(path, 1, 'parlay'), explainRequest(path, 1, 'outcome')]
    expect(told.map(({ silent, quotes }) => [...new Set([...silent, ...quotes.map(({ maker }) => maker)])])).toEqual([['fixed-margin'], ['shade']])
    const sale = readTable(join(path, manifest.tables['auctions']!.file)).numbers('auction', 'int64')[0]!
    expect(() => explainRequest(path, sale, 'outcome')).toThrow(`RFQ ${sale} is the cash-out of a position`)
  })

  it('INV-30 an outcome session with EIP-712 signatures verifies too, and its manifest says so', async () => {
    const text = BOTH.replace(/ {2}parlay:.*\n/, '').replace(/.*service: parlay.*\n/g, '').replace('outcome@1,', 'outcome@1, signatures: eip712,').replace('max: 200', 'max: 20')
    const { loaded, prepared: ready } = await prepared(text)
    const { path, manifest } = await runScenario(loaded, ready, { target: { path: join(newFolder(), 'run'), numbered: false, force: false } })
    expect((await verifyRun(path)).checks.filter((check) => !check.ok)).toEqual([])
    expect((manifest.identity.scenario as typeof ready.resolved).services).toMatchObject({ outcome: { signatures: 'eip712' } })
    expect(manifest.tables['acceptances']!.rows).toBeGreaterThan(2)
  })

  it('gives each participant its service, and a maker its account on the other', async () => {
    const { prepared: { resolved, strategies, store } } = await prepared(BOTH)
    const { config, directory } = buildSession(resolved, strategies, store)
    expect(config.parlay!.cohorts.map(({ name }) => name)).toEqual(['noise'])
    expect(config.parlay!.makers.map(({ name, layOff }) => [name, layOff?.service, layOff?.account, layOff?.bankrollMicros]))
      .toEqual([['fixed-margin', 'outcome', 'fixed-margin lay-off', 500_000_000]])
    expect(config.outcome!.cohorts.map(({ name }) => name)).toEqual(['impatient'])
    expect(config.outcome!.makers.map(({ name, layOff }) => [name, layOff])).toEqual([['shade', undefined]])
    // Bettors 0…19 and 20…39, makers, then the account for laying off.
    expect(directory.accounts.slice(39)).toEqual([
      { name: 'impatient-20', role: 'bettor', group: 'impatient' },
      { name: 'fixed-margin', role: 'maker', group: 'fixed-margin', services: ['parlay'] },
      { name: 'shade', role: 'maker', group: 'shade', services: ['outcome'] },
      { name: 'fixed-margin lay-off', role: 'bettor', group: 'fixed-margin lay-off' },
    ])
    expect(config.outcome!.profile.entryOpenMs).toBe(10_000)
    const begin = resolved.history.fromUs
    expect(config.operator.filter(({ op, service }) => op === OutcomeOp.setFault && service === 'outcome')).toEqual([
      { atUs: begin + 720_000_000, op: OutcomeOp.setFault, service: 'outcome', market: -1, [SetFault.fault]: 5, [SetFault.isOn]: 1 },
      { atUs: begin + 900_000_000, op: OutcomeOp.setFault, service: 'outcome', market: -1, [SetFault.fault]: 5, [SetFault.isOn]: 0 },
    ])
  })

  it('names what does not fit', async () => {
    expect(await mistakes('kind: noise, service: parlay', 'kind: noise')).toEqual(['9 | bettors.0: does not say on which service it trades'])
    // The mistake is told once for two seats that lay off.
    expect(await mistakes('  parlay: { profile: parlay@2.1 }\n', '', BOTH.replace('layOff', 'count: 2, layOff'))).toEqual([
      '8 | bettors.0.service: the scenario has no parlay service', '11 | makers.0.service: the scenario has no parlay service',
      '11 | makers.0.layOff: there is no other service to lay off on',
    ])
    expect(await mistakes('fault: chainStalled', 'fault: dependencyStale')).toEqual(['5 | services.outcome.faults.0.fault: dependencyStale is a fault of the gate, and the service has none'])
    expect(await mistakes('entryOpen: 10s', 'legsMin: 51')).toEqual(['5 | services.outcome.set.legsMin: legsMin is above legsMax'])
    expect(await mistakes('service: outcome, n: 20', 'service: outcome, n: 1, account: shade')).toEqual([
      '10 | bettors.1.account: on the outcome service an account either makes or takes (OM-015)',
    ])
    expect(await mistakes('bankroll: 500 USDC', 'account: noise')).toEqual(['12 | makers.0.layOff.account: the name noise is taken by bettors.0'])
    expect(await mistakes('legsMin: 1,', 'legsMin: 1, betMin: 1.002003 USDC,')).toEqual([
      '10 | bettors.1.betMin: 1.002003 USDC is not what the service takes, 1.002004 USDC to 100000 USDC',
    ])
    expect(await mistakes('legsMin: 1,', 'legsMin: 1, betMin: 1.002004 USDC,')).toEqual([])
  })
})

describe('RFQs of many legs', () => {
  it('OM-248 a bettor asks for 50 legs, in whatever order it names them, and the scenario refuses 51', async () => {
    const { prepared: { store } } = await prepared(BOTH)
    // Some of the night's markets open only in the session; those that are listed from its begin are enough.
    const early = store.catalogue.markets.filter(({ openUs, outcome, scheduledCloseUs }) =>
      openUs < Date.parse('2025-06-19T22:00:01Z') * 1000 && outcome !== null && scheduledCloseUs! > Date.parse('2025-06-19T22:31:00Z') * 1000)
    const asking = (legs: number): string => `version: 1
mode: interactive
services: { outcome: { profile: outcome@1 } }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:00:00Z, to: 2025-06-19T23:30:00Z }
bettors:
  - { kind: scripted, requests: [{ at: 30m, bet: 2 USDC, legs: [${early.slice(0, legs).map(({ ticker }) => `${ticker} yes`).join(', ')}] }] }
makers: [{ use: fixed-margin, capital: 50000 USDC }]
`
    expect(early.length).toBeGreaterThan(50)
    const { loaded, prepared: ready } = await prepared(asking(50))
    const { manifest, path } = await runScenario(loaded, ready, { target: { path: join(newFolder(), 'run'), numbered: false, force: false } })
    expect([manifest.tables['requests']!.rows, manifest.tables['rejections']!.rows]).toEqual([1, 0])
    expect(readTable(join(path, manifest.tables['requests']!.file)).batch(0).numbers('leg_count', 'int32')[0]).toBe(50)
    await expect(prepared(asking(51))).rejects.toThrow(/51 legs are not what the service takes, 1 to 50/)
  })
})

describe('what the outcome service takes of a bettor', () => {
  // By hand: 1.002004 leaves 1 after 20 bps (readings B01); at 100 bps 1.010101 leaves 1.000000 (fee 0.010101), at 0 the net stake itself.
  it.each([[20, 1_002_004], [100, 1_010_101], [0, 1_000_000], [5_000, 1_999_999]])('OM-250 is a stake that leaves 1 USDC after a fee of %i bps', async (bps, least) => {
    const { loaded } = await prepared(BOTH.replace('entryOpen: 10s', `takerFee: ${bps}bps`))
    expect(betLimitsOf(loaded.file.services, 'outcome').betMinMicros).toBe(least)
  })
})

describe('outcome ids of a history', () => {
  it('are 256-bit integers of venue and ticker, all different', async () => {
    const { prepared: { store } } = await prepared(BOTH)
    const ids = store.catalogue.markets.map((market) => decimalOfLimbs(outcomeLimbs(market)))
    expect(new Set(ids).size).toBe(ids.length)
    // echo -ne 'venue_a\0T' | sha256sum
    expect(BigInt(decimalOfLimbs(outcomeLimbs({ venue: 'venue_a', ticker: 'T' })))).toBe(BigInt('0x4205792fb0e194cf115f33b0c8246e266d11c4af543beb393beb799442901038'))
  })
})

describe('what an operator of the outcome service does besides', () => {
  const RENEWED = BOTH.replace('faults: [{', 'gate: { resnapshots: [{ channel: maker, at: 5m }, { channel: account, at: 90s }] }, faults: [{')

  it('OM-239 is an input at each resnapshot, in order of time, and nothing where there is none', async () => {
    const { prepared: { resolved, strategies, store } } = await prepared(RENEWED)
    const begin = resolved.history.fromUs
    expect(buildSession(resolved, strategies, store).config.operator.filter(({ op, service }) => service === 'outcome' && op === OutcomeOp.resnapshot)).toEqual([
      { atUs: begin + 90_000_000, op: OutcomeOp.resnapshot, service: 'outcome', market: -1, [Resnapshot.channel]: ChannelBit.account },
      { atUs: begin + 300_000_000, op: OutcomeOp.resnapshot, service: 'outcome', market: -1, [Resnapshot.channel]: ChannelBit.maker },
    ])
    expect(Object.keys((await prepared(BOTH)).prepared.resolved.services.outcome!)).toEqual(['profile', 'settings', 'signatures', 'faults'])
  })

  it('OM-233 OM-239 is named where it does not fit', async () => {
    expect(await mistakes('faults: [{', 'embeddedWallets: [shade], faults: [{')).toEqual(['5 | services.outcome.embeddedWallets.0: no seat of a client is named shade'])
    expect(await mistakes('channel: maker', 'channel: makers', RENEWED)).toEqual([expect.stringContaining('services.outcome.gate.resnapshots.0.channel: expected account or maker or market')])
    expect(await mistakes('at: 90s', 'at: 2025-06-19T22:29:59Z', RENEWED)).toEqual([expect.stringContaining('services.outcome.gate.resnapshots.1.at: is before the session')])
  })
})
