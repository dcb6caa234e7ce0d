import { sourceOf } from '../market/tickSource.ts'
import { calledStrategy } from '../agent/calledStrategy.ts'
import { shownWords } from '../unit/visibleText.ts'
import { checkChain } from './chainSchema.ts'
import { inOrder, type LoadedScenario } from './load.ts'
import { type Fail, type Mistake, ScenarioMistakes } from './mistakes.ts'
import type { Check, CohortDraft, Draft } from './resolve/draft.ts'
import { checkNames } from './resolve/names.ts'
import {
  checkAccounts, checkBets, checkDeposits, checkLayOffs, checkParametersTogether, checkServicesNamed,
} from './resolve/participantChecks.ts'
import { participantsOf } from './resolve/participants.ts'
import { checkScripts } from './resolve/scripts.ts'
import { checkEndpoints, checkFaults, checkListed, servicesOf } from './resolve/services.ts'
import { checkStops, stopsOf } from './resolve/stops.ts'
import { type ScenarioHistory, settlementOf, TradingPlan } from './resolve/tradingPlan.ts'
import { windowOf } from './resolve/window.ts'
import { checkWithdrawals, withdrawalsOf } from './resolve/withdrawals.ts'
import type { ResolvedScenario } from './resolved.ts'
import { SCENARIO_VERSION } from './schema.ts'
import { resolvedLimits } from './strategyLimits.ts'
import type { StrategySet } from './strategySet.ts'

/** All that must fit together in a scenario. None relies on another. */
const CHECKS: readonly Check[] = [
  checkServicesNamed, checkNames, checkAccounts, checkDeposits, checkBets, checkParametersTogether, checkLayOffs, checkScripts,
  checkListed, checkEndpoints, checkFaults, checkStops, checkWithdrawals, ({ file }, fail) => checkChain(file, fail),
]

/**
 * Fills in what a scenario leaves open. Throws ScenarioMistakes for what does not fit together.
 * @param begins is told the names of the participants, makers first, before strategies are called.
 */
export function resolveScenario(loaded: LoadedScenario, strategies: StrategySet, history: ScenarioHistory, begins: (names: readonly string[]) => void = () => {}): ResolvedScenario {
  const { file, source } = loaded
  const mistakes: Mistake[] = []
  const fail = source.failInto(mistakes)
  const window = windowOf(file, sourceOf(history.ticks), fail)
  const plan = new TradingPlan(file, history, window)
  const draft: Draft = { file, strategies, window, plan, ...participantsOf(loaded, strategies, plan, window, fail) }
  begins([...draft.makers.flatMap(({ seats }) => seats), ...draft.cohorts.map(({ cohort }) => cohort)].map(({ name }) => name))
  for (const check of CHECKS) check(draft, fail)
  checkDepth(file.history, history, fail)
  const oracles = draft.cohorts.flatMap((cohort) => oracleOf(cohort, strategies, fail))
  if (mistakes.length > 0 || window === undefined) throw new ScenarioMistakes(inOrder(mistakes))

  const services = servicesOf(file, window, draft.cohorts)
  return {
    version: SCENARIO_VERSION, mode: file.mode, seed: file.seed, ...(Object.keys(file.seeds).length > 0 && { seeds: file.seeds }), gate: services.parlay?.gate !== undefined || services.outcome?.gate !== undefined,
    services, ...stopsOf(file, window, draft.plan), ...withdrawalsOf(file, window, draft),
    history: { store: file.history.store, fromUs: window.fromUs, toUs: window.toUs, legs: file.history.legs, ...(file.history.depth === undefined ? {} : { depth: file.history.depth }) },
    arrivals: { untilUs: window.untilUs, max: file.arrivals.max ?? null },
    settlement: settlementOf(file),
    bettors: draft.cohorts.map(({ cohort }) => cohort), makers: draft.makers.flatMap(({ seats }) => seats),
    ...resolvedLimits(file.strategies),
    oracles,
    inference: { cluster: file.inference.cluster, replications: file.inference.replications },
  }
}

/** A session shows no more levels than its store keeps. */
function checkDepth({ depth: levels, legs }: LoadedScenario['file']['history'], { depth = null }: ScenarioHistory, fail: Fail): void {
  if (levels === undefined) return
  if (legs !== 'executable') return fail(['history', 'depth'], `shows both sides of books, and legs: ${legs} one price for both`)
  if (depth !== null && levels <= depth.levels) return
  fail(['history', 'depth'], depth === null ? 'the store keeps the best prices of books alone' : `the store keeps ${depth.levels} levels of books`, {
    hint: 'make the store anew with `parlor import … --depth N`, or a mapping with depth: N (docs/import.md)',
  })
}

/** How far ahead of now a cohort sees prices, where its strategy looks ahead. One that throws is a mistake of the strategy, told where it is used. */
function oracleOf({ path, cohort: { name, strategy: use, parameters, script, recorded } }: CohortDraft, strategies: StrategySet, fail: Fail): ResolvedScenario['oracles'] {
  if (script !== undefined || recorded !== undefined) return []
  const { strategy } = strategies.bettor.get(use)!
  if (strategy.role !== 'bettor' || strategy.horizonUs === undefined) return []
  const { horizonUs } = strategy
  const failed = (how: string): [] => {
    fail([...path, 'use'], `the strategy's horizonUs ${how}`, { hint: 'expected it to return how far ahead it sees, in µs' })
    return []
  }
  try {
    const aheadUs = calledStrategy.calling(name, 'horizonUs', () => horizonUs(parameters))
    if (!(Number.isSafeInteger(aheadUs) && aheadUs >= 0)) return failed(`returns ${String(aheadUs)}, which is no whole number from 0 on`)
    return [{ cohort: name, horizonUs: aheadUs }]
  } catch (error) {
    return failed(`throws ${shownWords(error instanceof Error ? `${error.name}: ${error.message}` : String(error))}`)
  }
}
