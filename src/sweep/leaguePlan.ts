import type { Format, LeagueFile } from '../scenario/leagueSchema.ts'
import { type LoadedScenario, loadScenario, type ScenarioOrigin } from '../scenario/load.ts'
import { type Fail, type Mistake, ScenarioMistakes } from '../scenario/mistakes.ts'
import { resolveScenario } from '../scenario/resolve.ts'
import { type PreparedScenario, prepareScenario } from '../scenario/run.ts'
import type { StrategyImport } from '../scenario/strategies.ts'
import { callLimitsOf, refuseUnreproducible } from '../scenario/strategyLimits.ts'
import { loadStrategies } from '../scenario/strategySet.ts'
import { type Measure, measureOf } from '../score/licence.ts'
import { type Contestant, contestantsOf } from './contestants.ts'
import { historyClusters, type HistoryClusters, type HistorySplit, splitHistory } from './historyClusters.ts'
import { LeagueSessions } from './leagueSessions.ts'
import { strategySource, type StrategySourceOptions } from './sandbox/strategySource.ts'

/** A league that can be played: its scenario, history and entries exist and fit together. */
export interface LeaguePlan {
  readonly loaded: LoadedScenario
  readonly set: readonly string[]
  readonly league: LeagueFile
  readonly prepared: PreparedScenario
  readonly contestants: readonly Contestant[]
  readonly sessions: LeagueSessions
  readonly history: HistoryClusters
  readonly split: HistorySplit
  readonly formats: readonly Format[]
  /** The format that ranks: the field, or else alone, or else pairs. */
  readonly ranking: Format
  /** Clusters on which the ranking rests: those on which nothing was tuned. */
  readonly judged: readonly number[]
  /** What ranks, chooses and races: luck-adjusted profit, or cash where the history gives no licence for that. */
  readonly measure: Measure
}

export interface LeaguePlanOptions extends Omit<StrategySourceOptions, 'say'> {
  readonly set?: readonly string[]
  readonly seed?: string
}

/**
 * Reads a scenario's league and everything that it names. Throws InputError, with the place in the file, for mistakes in it, and
 * Interrupted by the signal. `say` gets a line of text when a history is imported.
 */
export async function planLeague(origin: ScenarioOrigin, options: LeaguePlanOptions = {}, say: (line: string) => void = () => {}): Promise<LeaguePlan> {
  const loaded = loadScenario(origin, { set: options.set ?? [], ...(options.seed === undefined ? {} : { seed: options.seed }) })
  refuseUnreproducible(loaded)
  const reader = strategySource({ limits: callLimitsOf(loaded.file.strategies), ...options, say })
  try {
    return await planned(loaded, options, reader.read, say)
  } finally {
    await reader.close()
  }
}

async function planned(loaded: LoadedScenario, { set = [] }: LeaguePlanOptions, importFile: StrategyImport, say: (line: string) => void): Promise<LeaguePlan> {
  const { league } = loaded.file
  if (league === undefined) throw new ScenarioMistakes([loaded.source.mistake([], 'the scenario has no `league`', { hint: 'expected a section league: { entries: [ … ] }' })])
  const contestants = contestantsOf(league)
  const mistakes: Mistake[] = []
  const prepared = await prepareScenario(loaded, say, { importFile })
  const { makers } = prepared.resolved
  const fail = loaded.source.failInto(mistakes)
  const formats = formatsOf(loaded, league, makers.length, fail)
  checkLeague(loaded, league, makers.map(({ name }) => name), formats, fail)
  for (const contestant of contestants) mistakes.push(...await entryMistakes(loaded, set, prepared, contestant, importFile))
  if (mistakes.length > 0) throw new ScenarioMistakes(unique(mistakes))
  // The history as the sessions will have it. A scenario without makers could not be prepared, so that one is added.
  const history = historyClusters(await withMaker(loaded.origin, set, prepared, contestants[0]!, importFile))
  const split = splitHistory(history.names.length, league.holdout)
  const isTuned = league.entries.some(({ tune }) => Object.keys(tune).length > 0)
  return {
    loaded, set, league, prepared, contestants, history, split, formats,
    sessions: new LeagueSessions(loaded, set, makers, contestants),
    ranking: formats.includes('field') ? 'field' : formats.includes('alone') ? 'alone' : 'pairs',
    judged: isTuned && split.holdout.length > 0 ? split.holdout : [...split.training, ...split.holdout],
    measure: measureOf(history.licence),
  }
}

/** The formats to play. Formats that were not asked for are left out where there is nobody to play against. */
function formatsOf({ written }: LoadedScenario, league: LeagueFile, makers: number, fail: Fail): Format[] {
  const isWritten = (written['league'] as { play?: unknown }).play !== undefined
  const without: Partial<Record<Format, string>> = {
    ...(makers === 0 ? { field: 'the scenario has no makers of its own' } : {}),
    ...(league.entries.length < 2 ? { pairs: 'there is one entry only' } : {}),
  }
  for (const [i, format] of league.play.entries()) {
    if (isWritten && without[format] !== undefined) fail(['league', 'play', i], `${format} cannot be played: ${without[format]}`)
  }
  return (['alone', 'field', 'pairs'] as const).filter((format) => league.play.includes(format) && without[format] === undefined)
}

function checkLeague(
  { file }: LoadedScenario, league: LeagueFile, makers: readonly string[], formats: readonly Format[], fail: Fail,
): void {
  for (const [i, { name, tune }] of league.entries.entries()) {
    if (makers.includes(name)) fail(['league', 'entries', i, 'name'], `a maker of the scenario has the name ${name} too`)
    if (Object.keys(tune).length > 0 && !formats.some((format) => format !== 'pairs')) {
      fail(['league', 'entries', i, 'tune'], 'is chosen by playing alone or in the field', { hint: 'expected league.play with alone or field' })
    }
  }
  if (league.racing !== undefined && !formats.some((format) => format !== 'pairs')) {
    fail(['league', 'racing'], 'entries race alone or in the field', { hint: 'expected league.play with alone or field' })
  }
  const { rivals } = league.bands ?? {}
  if (file.makers.length === 0 && rivals?.some((count) => count > 0) === true) {
    fail(['league', 'bands', 'rivals'], 'the scenario has no makers to be rivals')
  }
}

/** Mistakes of an entry, found by resolving the scenario with it, with their places in the league. */
async function entryMistakes(
  { origin, source }: LoadedScenario, set: readonly string[], prepared: PreparedScenario, contestant: Contestant, importFile: StrategyImport,
): Promise<Mistake[]> {
  try {
    await withMaker(origin, set, prepared, contestant, importFile)
    return []
  } catch (error) {
    if (!(error instanceof ScenarioMistakes)) throw error
    return error.mistakes.map((mistake) => {
      const [, , ...rest] = mistake.path.split('.')
      if (!mistake.path.startsWith('makers.0')) return mistake
      const tuned = rest[0] === 'params' && rest[1] !== undefined && rest[1] in contestant.choice
      const at = ['league', 'entries', contestant.entry, ...(tuned ? ['tune', rest[1]!] : rest)]
      return source.mistake(at, mistake.message, mistake.hint === undefined ? {} : { hint: mistake.hint })
    })
  }
}

/** The scenario with a contestant as its only maker. */
async function withMaker(
  origin: ScenarioOrigin, set: readonly string[], { store }: PreparedScenario, { maker }: Contestant, importFile: StrategyImport,
): Promise<PreparedScenario> {
  const alone = loadScenario(origin, { set: [...set, `makers=${JSON.stringify([maker])}`] })
  const strategies = await loadStrategies(alone, importFile)
  return { resolved: resolveScenario(alone, strategies, store), strategies, store, record: alone.file.record, chain: alone.file.chain }
}

/** The mistakes without repetitions, because variants of an entry can share them. */
function unique(mistakes: readonly Mistake[]): Mistake[] {
  const texts = mistakes.map((mistake) => JSON.stringify(mistake))
  return mistakes.filter((_, i) => texts.indexOf(texts[i]!) === i)
}
