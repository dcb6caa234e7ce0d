import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { Accounts } from '../../src/engine/accounts.ts'
import type { SessionConfig } from '../../src/engine/config.ts'
import { rostersOf } from '../../src/engine/roster.ts'
import { Session } from '../../src/engine/session.ts'
import type { Directory } from '../../src/record/directory.ts'
import { type RunIdentity, writeManifest } from '../../src/record/manifest.ts'
import { Recorder } from '../../src/record/recorder.ts'
import { explainRequest } from '../../src/report/explain.ts'
import { type Summary, summarise } from '../../src/score/summary.ts'
import { outcomeAuctionConfig } from '../engine/outcomeWorld.ts'
import { auctionConfig, world } from '../engine/world.ts'

const config = auctionConfig(20)
const accounts = new Accounts(rostersOf(config)).list
const makers = accounts.filter(({ role }) => role === 'maker').map(({ name }) => name)
/** The seat of a client that bets, as the directory of a served session has it: it may quote. */
const SEAT = accounts.find(({ role }) => role === 'bettor')!.name

const directoryOf = (session: SessionConfig): Directory => ({
  accounts: new Accounts(rostersOf(session)).list.map(({ name, role, group }) => ({ name, role: role === 'maker' ? role : name === SEAT ? 'both' : 'bettor', group })),
  markets: world(session.marketCount, 0).markets.map(({ ticker, event }) => ({ ticker, cluster: event })),
})

const identityOf = (named: readonly string[] | null): RunIdentity => {
  const scenario = named === null ? {} : { makers: named.map((name) => ({ name })) }
  return { sourceTree: '', node: '', scenario, strategies: {}, data: null, seed: 'a' }
}

let root: string
let tables: ReturnType<Recorder['tables']>
/** The folder of the session, which is played once, under a manifest whose scenario has these makers. */
function under(named: readonly string[] | null, counts: Readonly<Record<string, number>> = {}): string {
  writeManifest(root, { label: 'interactive', digest: 'd'.repeat(64), identity: identityOf(named), counts, tables })
  return root
}

const told = async (named: readonly string[] | null): Promise<{ summary: Summary; couldQuote: readonly string[] }> => {
  const dir = under(named)
  const { quotes, silent } = explainRequest(dir, firstRequest(dir))
  return { summary: await summarise(dir), couldQuote: [...new Set([...quotes.map(({ maker }) => maker), ...silent])].sort() }
}

const firstRequest = (dir: string): number => readTable(join(dir, 'tables', 'requests.arrow')).numbers('request', 'int64')[0]!

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parlor-seats-'))
  const recorder = new Recorder({ dir: root, identity: {}, reference: null, horizonsUs: [], parlay: { legsMax: 5 }, directory: directoryOf(config) })
  new Session({ ...config, sinks: [recorder] }).runToEnd()
  tables = recorder.tables()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('PQ-011 the seat of a client that bets is no maker, as long as it does not quote or bid', async () => {
  const { summary, couldQuote } = await told(makers)
  expect(summary.makers.map(({ name }) => name)).toEqual(makers)
  expect(couldQuote).toEqual(makers.toSorted())
  expect(summary.conservation).toMatchObject({ differenceMicros: 0, ledgerAgrees: true })
})

it.each([[0, ['bidder']], [3, []]])('a request is explained with the makers that no request reached: of the silent one that got %d, %j', (delivered, expected) => {
  const dir = under(makers, { 'delivered to bidder': delivered })
  const { silent, untold } = explainRequest(dir, firstRequest(dir))
  expect(silent).toContain('bidder')
  expect(untold).toEqual(expected)
})

it('PQ-011 whoever has quotes or bids is a maker, also one that the scenario has as a bettor', async () => {
  const { summary, couldQuote } = await told([])
  // One of them bids in auctions and quotes nothing.
  expect(summary.makers.filter(({ quotes }) => quotes === 0).map(({ name }) => name)).toEqual(['bidder'])
  expect(summary.makers.map(({ name }) => name)).toEqual(makers)
  expect(couldQuote).toEqual(makers.toSorted())
})

it('a run whose manifest has no scenario shows all who may quote', async () => {
  const { summary, couldQuote } = await told(null)
  expect(summary.makers.map(({ name }) => name).sort()).toEqual([SEAT, ...makers].sort())
  expect(couldQuote).toEqual([SEAT, ...makers].sort())
})

it('PQ-011 who has offered prices on one service alone is no maker of the other', () => {
  const { outcome } = outcomeAuctionConfig(20)
  const renamed = {
    ...outcome!,
    makers: outcome!.makers.map((maker) => ({ ...maker, name: `outcome ${maker.name}` })),
    cohorts: outcome!.cohorts.map((cohort) => ({ ...cohort, name: `outcome ${cohort.name}` })),
  }
  const both = { ...config, outcome: renamed }
  const dir = join(root, 'both')
  const recorder = new Recorder({
    dir, identity: {}, reference: null, horizonsUs: [], parlay: { legsMax: 5 }, outcome: { legsMax: 50, feeOnCashout: false, profitOverGross: false },
    directory: directoryOf(both),
  })
  new Session({ ...both, sinks: [recorder] }).runToEnd()
  writeManifest(dir, { label: 'interactive', digest: 'd'.repeat(64), identity: identityOf([]), counts: {}, tables: recorder.tables() })
  const makersOn = (service: string): readonly string[] => {
    const { quotes, silent } = explainRequest(dir, 1, service)
    return [...new Set([...quotes.map(({ maker }) => maker), ...silent])].sort()
  }
  expect(makersOn('parlay')).toEqual(makers.toSorted())
  expect(makersOn('outcome')).toEqual(renamed.makers.map(({ name }) => name).sort())
})
