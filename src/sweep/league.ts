import { runNameOf } from '../scenario/run.ts'
import { isConditional } from './comparisons.ts'
import type { LeaguePlan } from './leaguePlan.ts'
import { LeaguePlay, type LeaguePlayOptions } from './leaguePlay.ts'
import { LeagueReduction } from './leagueReduction.ts'
import type { Choice, LeagueEntry, LeagueHistory, LeagueResult } from './leagueResult.ts'
import type { TaskPool } from './task.ts'

/** Plays a league. Throws what the pool throws: Interrupted by its signal, InputError, Bug. Failed entries are in the result without figures. */
export async function playLeague(plan: LeaguePlan, pool: TaskPool, options: LeaguePlayOptions = {}): Promise<LeagueResult> {
  const play = new LeaguePlay(plan, pool, options)
  await play.play()
  return leagueResult(play)
}

function leagueResult(play: LeaguePlay): LeagueResult {
  const { plan } = play
  const { loaded, set, league, formats, ranking, judged, split, measure, history } = plan
  const reduction = new LeagueReduction(play)
  const entries = rankedEntries(play, reduction)
  const [first] = play.live()
  return {
    version: 2, name: runNameOf(loaded), scenario: loaded.path, set, seed: loaded.file.seed, label: loaded.file.mode,
    isConditional: first !== undefined && isConditional(reduction.judgedSums(first)),
    history: historyOf(play), licence: history.licence, replications: league.replications, valuedAtUs: Math.max(...loaded.file.record.marks), formats,
    ranking: {
      measure, format: ranking, part: judged.length === split.holdout.length && judged.length > 0 && split.training.length > 0 ? 'holdout' : 'all',
      comparison: reduction.comparisons?.method ?? null,
    },
    ratingOf: reduction.ratingOf, entries, pairs: reduction.pairs(), failures: play.failures, sessions: play.sessions,
    remarks: remarksOf(play, entries),
  }
}

function historyOf(play: LeaguePlay): LeagueHistory {
  const { loaded, prepared, history, split } = play.plan
  const { store, fromUs, toUs } = prepared.resolved.history
  const [heldOut] = split.holdout
  return {
    store, fromUs, toUs, coverage: history.coverage, clusterBy: loaded.file.inference.cluster, clusters: history.names.length,
    active: play.active([...split.training, ...split.holdout]).length,
    training: split.training.length, holdout: split.holdout.length, firstHeldOut: heldOut === undefined ? null : history.names[heldOut]!,
  }
}

/** Entries that played, by their profit as the plan measures it, then dropped entries by theirs, then those without figures in the order of the file. */
function rankedEntries(play: LeaguePlay, reduction: LeagueReduction): LeagueEntry[] {
  const { entries } = play.plan.league
  const chosen = entries.map((_, entry) => play.chosen(entry))
  const order = (['played', 'dropped'] as const).flatMap((status) => {
    const of = chosen.filter((i) => i !== undefined).filter((i) => play.standing(i).status === status)
    const profit = new Map(of.map((i) => [i, reduction.rankingProfit(i)]))
    return of.toSorted((a, b) => profit.get(b)! - profit.get(a)! || a - b)
  })
  const ranked = order.map((contestant, i) => entryOf(play, reduction, play.plan.contestants[contestant]!.entry, contestant, i + 1))
  const others = entries.flatMap((_, entry) => {
    const contestant = chosen[entry]
    return contestant !== undefined && play.hasResults(contestant) ? [] : [entryOf(play, reduction, entry, contestant, null)]
  })
  return [...ranked, ...others]
}

function entryOf(play: LeaguePlay, reduction: LeagueReduction, entry: number, contestant: number | undefined, rank: number | null): LeagueEntry {
  const { name, terms } = play.plan.league.entries[entry]!
  const standing = contestant === undefined ? { status: 'failed' as const } : play.standing(contestant)
  const judged = contestant !== undefined && play.hasResults(contestant) ? contestant : undefined
  const choice = judged === undefined ? {} : play.plan.contestants[judged]!.choice
  return {
    rank, name, use: String(terms['use']), params: { ...(terms['params'] as Choice | undefined), ...choice }, status: standing.status,
    figures: judged === undefined ? null : reduction.figures(judged),
    dropped: standing.status === 'dropped' ? { after: standing.after, p: standing.p } : null,
    tuning: reduction.tuning(entry),
  }
}

function remarksOf({ plan }: LeaguePlay, entries: readonly LeagueEntry[]): string[] {
  const { league, split, loaded, measure } = plan
  const isTuned = league.entries.some(({ tune }) => Object.keys(tune).length > 0)
  return [
    loaded.file.mode === 'replay' ? 'replay: history is fixed and answers nobody' : 'interactive: agents respond to each other, recorded prices to nobody',
    ...(measure === 'cash' ? ['cash ranks: closing prices are not calibrated on this history, so that profit without luck has no licence'] : []),
    ...(isTuned && split.holdout.length === 0 ? ['tuned entries are judged by the history that they were tuned on: expected league.holdout'] : []),
    ...(league.racing !== undefined && entries.some(({ status }) => status === 'dropped') ? ['what the race dropped has figures over fewer replications, and no band and no rating'] : []),
    ...(league.bands === undefined ? ['no band: rivals and demand are those of the scenario, which history never shows'] : []),
  ]
}
