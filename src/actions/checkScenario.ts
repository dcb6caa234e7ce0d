import type { AskCounts } from '../unit/askFilters.ts'
import { type ActionOptions, signalOf, type TrustOption } from './options.ts'

/** Which markets of its history a cohort of a scenario could ask for. */
export interface CheckedCohort {
  readonly file: string
  readonly cohort: string
  readonly service: string
  /** Markets by what keeps the cohort from them, in order, without zeros; `left` are those that it could ask for. They add up to all. */
  readonly markets: AskCounts
  /**
   * Of the time in which bettors arrive and a market is traded and priced, over all markets, the share in which its price is no older than the
   * cohort's `maxAge`, 0…1. Null where no market is priced.
   */
  readonly youngShare: number | null
  /** The same for people. */
  readonly text: string
}

/** That `arrivals.max` keeps bettors of a scenario away that would arrive. */
export interface CheckedArrivals {
  readonly file: string
  /** The instant of the last arrival, µs since the epoch. */
  readonly atUs: number
  readonly arrivals: number
  /** The same for people. */
  readonly text: string
}

/** What a check of a scenario found, but for its name. */
interface CheckedScenario {
  readonly cohorts: readonly Omit<CheckedCohort, 'file'>[]
  readonly arrivalsEnd: Omit<CheckedArrivals, 'file'> | null
}

/**
 * Checks a scenario as a run does before it begins, what keeps each cohort that chooses markets from which, and when `arrivals.max` ends arrivals.
 * Seats of clients are no mistake here. Throws InputError for what a run refuses.
 */
export async function checkScenario(file: string, options: Pick<ActionOptions, 'signal'> & TrustOption): Promise<CheckedScenario> {
  const [{ loadScenario }, { prepareScenario }, { buildSession }, { askedFor, choosesMarkets }, { arrivalsEndUs }, { arrivalsEndText, askText }, { StrategyReader }] = await Promise.all([
    import('../scenario/load.ts'), import('../scenario/run.ts'), import('../scenario/build.ts'), import('../scenario/askedFor.ts'), import('../engine/arrivalsEnd.ts'),
    import('../report/unaskedText.ts'), import('../sweep/strategyReader.ts'),
  ])
  const reader = new StrategyReader({ isTrusted: options.trusted === true, signal: signalOf(options) })
  try {
    const { resolved, strategies, store } = await prepareScenario(loadScenario(file), () => {}, { importFile: reader.read, isServed: true })
    const built = buildSession(resolved, strategies, store)
    const endedUs = arrivalsEndUs(built.config)
    const end = endedUs === null ? null : { atUs: endedUs, arrivals: resolved.arrivals.max! }
    const cohorts = resolved.bettors.filter(choosesMarkets).map((cohort) => {
      const { markets, youngShare } = askedFor(built, cohort)
      return { cohort: cohort.name, service: cohort.service, markets, youngShare, text: askText(cohort.name, '', markets, youngShare) }
    })
    return { cohorts, arrivalsEnd: end === null ? null : { ...end, text: arrivalsEndText(end) } }
  } finally {
    await reader.close()
  }
}
