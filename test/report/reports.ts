import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MakerDiff, Pair, RunsDiff } from '../../src/diff/runsDiff.ts'
import type { ListedResult } from '../../src/report/resultList.ts'
import type { StoreCoverage } from '../../src/look/coverage.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { TERMS } from '../../src/score/attribution.ts'
import { licenceOf } from '../../src/score/licence.ts'
import type { Interval } from '../../src/stats/interval.ts'
import type { LeagueAccount, LeagueEntry, LeagueFigures, LeagueResult } from '../../src/sweep/leagueResult.ts'
import type { SweepReport } from '../../src/sweep/sweep.ts'
import type { ValidationFigure, ValidationResult } from '../../src/validation/result.ts'
import { newFolder, prepared, QUICKSTART_STORE } from '../scenario/small.ts'

/** Several makers and cohorts, cash-outs with several bidders, an hour of equity, several clusters. */
const SCENARIO = `version: 1
name: pictured
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-20T03:30:00Z }
arrivals: { until: 30m, max: 500 }
bettors:
  - { kind: noise, n: 100, every: 10m }
  - { kind: impatient, n: 100, every: 10m, holdMin: 60s, holdMax: 20m }
makers:
  - { use: fixed-margin, name: plain, capital: 50000 USDC, params: { margin: 3%, bid: 2% } }
  - { use: exposure-limited, name: careful, capital: 50000 USDC, params: { margin: 4%, bid: 2% } }
  - { use: shade, name: shady, capital: 50000 USDC, latency: { quote: { base: 40ms, jitter: 100ms } } }
inference: { cluster: game }
`

/** The same without anybody who quotes: nothing is ever traded. */
const SILENT = SCENARIO.replace(/makers:[^]*(?=inference)/, 'makers:\n  - { use: silent, capital: 50000 USDC }\n')

/** Plays the scenario into a folder of its own; returns the folder. */
export async function picturedRun({ isSilent = false } = {}): Promise<string> {
  const { loaded, prepared: own } = await prepared(isSilent ? SILENT : SCENARIO)
  const path = join(newFolder(), 'run')
  mkdirSync(path, { recursive: true })
  await runScenario(loaded, own, { target: { path, force: false, numbered: false } })
  return path
}

export const interval = (estimate: number | null, half: number | null = 1, count = 12): Interval => ({
  estimate, low: estimate === null || half === null ? null : estimate - half, high: estimate === null || half === null ? null : estimate + half, level: 0.95, count,
  label: `${count} clusters, percentile bootstrap`,
})

function figuresOf(profit: number, toLeader: LeagueFigures['toLeader']): LeagueFigures {
  return {
    replications: 8, delivered: 1000, quotes: 900.5, profit: { all: interval(profit * 3, 40), training: interval(profit * 2, 30), holdout: interval(profit, 20) }, luckAdjusted: { all: interval(profit * 3 + 6, 4), training: interval(profit * 2 + 4, 3), holdout: interval(profit + 2, 2) },
    byFormat: { alone: interval(profit + 100, 30), field: interval(profit, 20) }, perThousand: interval(25), hold: interval(0.025, 0.01), toLeader, valued: { value: interval(profit / 2, 3), toLeader: toLeader === null ? null : interval(-4, 2) },
    rating: interval(1500 + profit / 10, 20), sharpe: { perCluster: 0.31, deflated: 0.72, trials: 5 },
    band: { low: profit - 70, high: profit + 90, points: [{ rivals: 0, demand: 0.5, profit: interval(profit + 90, 50) }, { rivals: 3, demand: 2, profit: interval(profit - 70, 50) }] },
    breakEven: {
      rivals: 2, margin: interval(0.031, 0.004), side: 'within',
      points: [{ margin: 0.02, profit: interval(-110, 20) }, { margin: 0.04, profit: interval(90, 20) }, { margin: 0.08, profit: interval(300, 60) }],
    },
  }
}

/** Seven terms of a profit, in their order, and two mark-outs. */
function accountOf(fills: number, stake: number, terms: readonly number[], toLeader: readonly number[] | null): LeagueAccount {
  const by = (values: readonly number[], half: number): LeagueAccount['terms'] => Object.fromEntries(TERMS.map((term, i) => [term, interval(values[i]!, half)])) as LeagueAccount['terms']
  return {
    fills, stake, hitRatio: interval(fills / 1000, 0.01), terms: by(terms, 15), toLeader: toLeader === null ? null : by(toLeader, 8),
    markOuts: [{ horizonUs: 10_000_000, cents: interval(1.5, 0.5) }, { horizonUs: 600_000_000, cents: interval(null) }],
  }
}

const entry = (rank: number | null, name: string, figures: LeagueFigures | null, more: Partial<LeagueEntry> = {}): LeagueEntry =>
  ({ rank, name, use: 'fixed-margin', params: { margin: '3%' }, status: 'played', figures, dropped: null, tuning: null, ...more })

/** Ten clusters of two markets at .2 and .8, as often as their prices say. */
export const LICENCE = licenceOf(Array.from({ length: 20 }, (_, i) => ({
  cluster: `day ${i % 10}`, closing: i < 10 ? 0.2 : 0.8, result: (i % 5 === 0) === (i < 10) ? 'yes' : 'no', resultBy: 'recorded',
})))

export const LEAGUE: LeagueResult = {
  version: 2, name: 'test league', scenario: 'league.yaml', set: [], seed: '1', label: 'interactive', isConditional: false,
  history: {
    store: 'made-up', fromUs: 1_750_000_000_000_000, toUs: 1_751_000_000_000_000, clusterBy: 'day', clusters: 12, active: 11, training: 8, holdout: 4, firstHeldOut: '2025-06-24',
    coverage: { universe: 80, listed: 79, withoutPrices: 0, closed: 0, excluded: 1, unresolved: 1, drawn: 0, voided: 1, scalar: 0, halted: 63, missingSettlementTime: 0 },
  },
  licence: LICENCE, replications: 8, valuedAtUs: 600_000_000, formats: ['alone', 'field'], ranking: { measure: 'luck-adjusted', format: 'field', part: 'holdout', comparison: 'Romano–Wolf' }, ratingOf: 'field',
  entries: [
    entry(1, 'first', { ...figuresOf(500, null), account: accountOf(40, 20_000, [300, 250, -10, 12, -50, 0, -2], null) }),
    entry(2, 'second & <third>', {
      ...figuresOf(380, { difference: interval(-120, 50), beside: interval(-118, 90), p: 0.01, adjusted: 0.02, falseDiscovery: 0.01 }),
      account: accountOf(30, 15_200, [200, 270, -10, 2, -80, 0, -2], [-100, 20, 0, -10, -30, 0, 0]),
    }, {
      tuning: {
        variants: [{ choice: { margin: '2%' }, status: 'played', replications: 8, training: interval(10), isChosen: true }, { choice: { margin: '9%' }, status: 'failed', replications: 0, training: null, isChosen: false }],
        overfitting: { probability: 0.25, lossProbability: 0.1, blocks: 8, combinations: 70, replications: 8 },
      },
    }),
    entry(null, 'broken', null, { status: 'failed' }),
  ],
  pairs: [{ first: 'first', second: 'second & <third>', difference: interval(130, 60) }],
  failures: [{ entries: ['broken'], choice: {}, setting: { kind: 'alone' }, kind: 'strategy', who: 'broken', message: 'Error: no\nat line 1', task: { scenario: 'league.yaml', set: [], seed: '1/1' } }],
  sessions: 96, remarks: ['interactive: agents respond to each other', 'a thing to know'],
}

const point = (number: number, settings: Readonly<Record<string, string>>, profit: number): SweepReport['points'][number] => ({
  point: number, settings, replications: 4, narrow: null, failures: number === 2 ? [{ replication: 3, seed: '1/3', kind: 'strategy', who: 'a', message: 'Error: no' }] : [],
  makers: [
    { service: 'parlay', maker: 'a', figures: { 'luck-adjusted': interval(profit + 5, 3), profit: interval(profit, 30), hold: interval(0.04, 0.01), fills: interval(90, 5), quotes: interval(500, null) } },
    { service: 'parlay', maker: 'b', figures: { 'luck-adjusted': interval(-profit - 5, 3), profit: interval(-profit, 30), hold: interval(null), fills: interval(9, 5), quotes: interval(500, null) } },
  ],
})

const MARGIN = 'makers.0.params.margin'
export const SWEEP: SweepReport = {
  version: 2, name: 'test sweep', label: 'interactive', seed: '1', design: { kind: 'grid', axes: [MARGIN] }, replications: 4, until: null, licence: LICENCE, measure: 'luck-adjusted', best: [], search: null, tables: { sweep: null },
  expectations: [{ text: 'hit ratio of a falls', difference: interval(-0.3, 0.1), holds: true }, { text: 'profit of b rises', difference: null, holds: false }],
  points: [point(1, { [MARGIN]: '2%' }, 100), point(2, { [MARGIN]: '5%' }, 250), point(3, { [MARGIN]: '8%' }, 40)],
}

const AXES = { [MARGIN]: 'margin of a', 'makers.1.params.margin': 'margin of b' }
const gridPoint = (number: number, own: string, other: string, profit: number): SweepReport['points'][number] => {
  const { makers, ...others } = point(number, { [MARGIN]: own, 'makers.1.params.margin': other }, profit)
  return { ...others, failures: [], makers: makers.map((maker, m) => (number === 1 ? maker : { ...maker, toBaseline: interval(m === 0 ? profit - 100 : 100 - profit, 10) })) }
}

/** Two axes, and differences to the first point. */
export const SWEEP_GRID: SweepReport = {
  ...SWEEP, design: { kind: 'grid', axes: Object.keys(AXES), names: AXES }, baseline: 1, expectations: [],
  points: [gridPoint(1, '2%', '2%', 100), gridPoint(2, '2%', '8%', 200), gridPoint(3, '4%', '2%', 300), gridPoint(4, '4%', '8%', 400)],
  best: [{
    service: 'parlay', maker: 'a', measure: 'luck-adjusted', points: 4, point: 4, settings: { [MARGIN]: '4%', 'makers.1.params.margin': '8%' }, sentence: 'a: the best of 4 points',
    tests: { profit: 405, overOthers: 200, zero: { p: 0.01, adjusted: 0.61 }, others: { p: 0.02, adjusted: 0.83 }, sharpe: 0.4, deflated: 0.23, rows: 12, unit: 'clusters', method: 'Holm' },
  }],
}

const known = (id: string, pass: boolean, more: Partial<ValidationFigure> = {}): ValidationFigure => ({
  id, item: id.split('.')[0]!, title: `what ${id} is`, source: 'Kagel & Levin', claim: 'equals', known: -0.333, measured: pass ? -0.34 : -0.2, low: pass ? -0.37 : -0.23,
  high: pass ? -0.31 : -0.17, widthMax: 0.1, pass, samples: 2500, committed: 2500, unit: 'ε', settings: { makers: 2, stake: '5 USDC' }, remark: id === '2.b' ? 'The grid is rescaled.' : '', ...more,
})

export const VALIDATION: ValidationResult = {
  version: 1, samples: 'small', seed: '1', level: 0.999, wrong: ['2'], pass: false,
  items: [{ id: '1', title: 'item one', wrong: false, pass: true, figures: 2 }, { id: '2', title: 'item two', wrong: true, pass: false, figures: 1 }],
  figures: [known('1.a', true), known('1.below', true, { claim: 'below', known: 0, measured: -0.05, low: -0.08, high: -0.02 }), known('2.b', false)],
}

const states = (whole: number, crossed: number): StoreCoverage['states'] => ({ whole, locked: 0, crossed, oneSided: 3.6e9, lastOnly: 0, empty: 3.6e9 })
const dayOf = (date: string, ticks: number): StoreCoverage['days'][number] => ({ date, ticks, markets: 9, priced: 8, gaps: 1, longestGapUs: 7.2e9, states: states(ticks * 3.6e6, 1.8e9) })
const LATE_US = 1_750_370_400_000_000

export const COVERAGE: StoreCoverage = {
  markets: 12, ticks: 3000, firstUs: LATE_US, lastUs: LATE_US + 1e11, gapUs: 3.6e9, days: [dayOf('2025-06-19', 1000), dayOf('2025-06-20', 2000)], gaps: 1, silences: 1,
  longestGaps: [{ market: 'KXHIGHNY-26MAR19-T25', fromUs: LATE_US, toUs: LATE_US + 7.2e9 }, { market: 'A', fromUs: LATE_US, toUs: LATE_US + 2.4e9 }], longestSilences: [{ market: null, fromUs: LATE_US, toUs: LATE_US + 3.7e9 }], states: states(1e10, 3.6e9),
  unaskable: [{ reason: 'no prices', markets: 2, first: ['A', 'B'] }, { reason: 'no result', markets: 1, first: ['KXHIGHNY-26MAR19-T25'] }],
}

const CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of this machine; undefined without one, which `PARLOR_CHROMIUM=required` does not allow. */
export function chromiumPath(): string | undefined {
  const path = CHROMIUM_PATHS.find((candidate) => existsSync(candidate))
  if (path === undefined && process.env['PARLOR_CHROMIUM'] === 'required') throw new Error(`no Chromium: none of ${CHROMIUM_PATHS.join(', ')}`)
  return path
}

const pairOf = (aMicros: number, bMicros: number): Pair => ({ aMicros, bMicros, differenceMicros: bMicros - aMicros })

const difference = (name: string, profit: Pair): MakerDiff => ({
  name, profit, luckAdjusted: profit, difference: interval(profit.differenceMicros, 2e6), luckAdjustedDifference: { ...interval(profit.differenceMicros, 0), low: null, high: null },
  redrawn: {
    mean: { value: profit.differenceMicros, error: 1e4 }, range: [profit.differenceMicros - 3e6, profit.differenceMicros + 3e6], better: { value: 0.25, error: 0.01 }, worse: { value: 0.75, error: 0.01 }, asRecorded: { a: 0, b: 0 },
  },
  fills: { a: 3, b: 2 }, declined: { a: 0, b: 1 }, sentence: `${name} earned -1.00 USDC less.`,
  classes: [{ kind: 'lost', requests: 1, profit, luckAdjusted: profit, among: [{ maker: 'second & <third>', requests: 1, differenceMicros: profit.differenceMicros }, { maker: null, requests: 0, differenceMicros: 0 }] }],
}) as unknown as MakerDiff

/** Two runs of one service, request by request. */
export const DIFFERENCE: RunsDiff = {
  version: 1, digests: { a: 'a'.repeat(64), b: 'b'.repeat(64) }, by: 'arrival', redraws: { outcomes: 20_000, seed: '1', why: null } as unknown as RunsDiff['redraws'], notes: ['a <thing> to know'],
  services: [{ service: 'parlay', requests: { both: 10, onlyA: 1, onlyB: 2 }, makers: [difference('first', pairOf(5_000_000, 4_000_000)), difference('second & <third>', pairOf(-1_250_000, 1_000_000))] }],
}

/** Results of a folder, the newest first. */
export const LISTED: readonly ListedResult[] = (['run 10', 'run 9', 'league', 'broken'] as const).map((name, i) => ({
  name, kind: name === 'league' ? 'league' : 'run', madeMs: 1_750_359_600_000 - i * 60_000, seed: name === 'league' ? null : String(i), digest: name === 'league' ? null : 'abc'.repeat(21), says: name === 'broken' ? 'is no manifest <' : 'first earned most: -1.00 USDC.', isDamaged: name === 'broken',
}))
