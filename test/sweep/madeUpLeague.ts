import { counterUniform } from '../../src/stats/counterUniform.ts'
import type { Scores } from '../../src/score/scores.ts'
import { playLeague } from '../../src/sweep/league.ts'
import { type LeaguePlan, planLeague } from '../../src/sweep/leaguePlan.ts'
import type { LeagueResult } from '../../src/sweep/leagueResult.ts'
import type { TaskFailure, TaskOutcome, TaskPool, TaskSpec } from '../../src/sweep/task.ts'
import { newFolder, put, QUICKSTART_STORE } from '../scenario/small.ts'

/** What a made-up world knows of a session: its makers in their order, as written, and what bettors there are. */
export interface MadeUpSession {
  readonly makers: readonly { readonly name: string; readonly use: string; readonly params?: Readonly<Record<string, string>> }[]
  readonly replication: number
  readonly spec: TaskSpec
}

/** A maker's sums in one cluster: profit and stake, microUSDC, and how many positions ended. */
export interface MadeUpSums {
  readonly profit: number
  readonly stake?: number
  /** Mark-out. */
  readonly valued?: number
  /** Part of the profit that is luck. */
  readonly luck?: number
  readonly ended?: number
  /** Sums by column of scores. 0 unless given. */
  readonly more?: Readonly<Partial<Record<(typeof MORE)[number], number>>>
  /** Of each of its parlays. 1 unless given. */
  readonly legs?: number
  /** The share of what was uncertain that closes leave to luck. All of it unless given. */
  readonly left?: number
  /** Parlays of a session that draws no outcome. None unless given: outcomes are drawn. */
  readonly undrawn?: number
}

/** Profits in a made-up world; undefined for a maker that has nothing in a cluster. */
export type World = (session: MadeUpSession, maker: string, cluster: number) => MadeUpSums | undefined

const COLUMNS = ['profit', 'stake', 'hold', 'ended', 'markOut60s', 'luck', 'positionPayout', 'legPayout', 'uncertain', 'undecided', 'undrawn']
const MORE = ['margin', 'drift', 'fills', 'quotedVersions', 'payout60s'] as const
const PAYOUT_MICROS = 1_000_000
const FIGURES = ['quotes', 'delivered']

/** A pool without sessions: every task has the scores that a world gives it, or fails. It remembers what it was asked for. */
export class MadeUpPool implements TaskPool {
  readonly asked: MadeUpSession[] = []
  private readonly world: World
  private readonly clusters: readonly string[]
  private readonly failing: (session: MadeUpSession) => Omit<TaskFailure, 'id'> | undefined

  constructor(world: World, clusters: readonly string[], failing: (session: MadeUpSession) => Omit<TaskFailure, 'id'> | undefined = () => undefined) {
    this.world = world
    this.clusters = clusters
    this.failing = failing
  }

  async * play(specs: readonly TaskSpec[]): AsyncGenerator<TaskOutcome> {
    for (const spec of specs) {
      const setting = spec.set.findLast((text) => text.startsWith('makers='))!
      const session: MadeUpSession = {
        makers: JSON.parse(setting.slice('makers='.length)) as MadeUpSession['makers'], replication: Number(spec.seed.split('/').at(-1)), spec,
      }
      this.asked.push(session)
      const failure = this.failing(session)
      yield failure === undefined ? { spec, result: { id: 'x', digest: 'y', scores: [this.scores(session)] } } : { spec, failure: { id: 'x', ...failure } }
    }
  }

  async close(): Promise<void> {}

  private scores(session: MadeUpSession): Scores {
    const makers = session.makers.map(({ name }) => name)
    // Clusters are ordered by code unit, as real ones are, whatever the order of time.
    const clusters = this.clusters.toSorted()
    const sums = makers.flatMap((maker) => clusters.flatMap((name) => {
      const { profit = 0, stake = 0, valued = 0, luck = 0, ended, legs = 1, left = 1, undrawn = 0, more = {} } = this.world(session, maker, this.clusters.indexOf(name)) ?? { ended: 0 }
      return [profit, stake, profit, ended ?? 1, valued, luck, ...[1, legs, 1, left].map((each) => (ended ?? 1) * each * PAYOUT_MICROS), undrawn, ...MORE.map((name) => more[name] ?? 0)]
    }))
    return { service: 'parlay', makers, clusters, columns: [...COLUMNS, ...MORE], sums: Float64Array.from(sums), figures: FIGURES, values: Float64Array.from(makers.flatMap(() => [7, 9])) }
  }
}

/** A scenario of the made-up night, cut into games, with a league. */
export function leagueScenario(league: string, makers = '[{ use: shade }]'): string {
  return put(newFolder(), 'small.yaml', `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ${QUICKSTART_STORE} }
bettors: [{ kind: noise, n: 100 }, { kind: informed, n: 10, name: knowing }]
makers: ${makers}
arrivals: { max: 50 }
inference: { cluster: event }
league:
${league.split('\n').map((line) => `  ${line}`).join('\n')}
`)
}

export async function madeUpLeague(
  league: string, world: World, failing?: ConstructorParameters<typeof MadeUpPool>[2], measure?: LeaguePlan['measure'],
): Promise<{ result: LeagueResult; pool: MadeUpPool; plan: LeaguePlan }> {
  const planned = await planLeague(leagueScenario(league))
  const plan = { ...planned, measure: measure ?? planned.measure }
  const pool = new MadeUpPool(world, plan.history.names, failing)
  return { result: await playLeague(plan, pool), pool, plan }
}

export const USDC = 1e6

/** Whole micro-units in ±1 USDC, the same every time. */
export const noise = (maker: string, cluster: number, replication: number): number =>
  Math.round((counterUniform(`${maker} ${replication}`)(cluster) - 0.5) * 2 * USDC)

export const paramOf = (session: MadeUpSession, maker: string, name: string): number =>
  Number.parseFloat(session.makers.find((one) => one.name === maker)!.params?.[name] ?? '0')

export const entryOf = ({ entries }: { entries: readonly { name: string }[] }, name: string) => entries.findIndex((entry) => entry.name === name)
