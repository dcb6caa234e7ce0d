import { shortReason } from '../score/figureBasis.ts'
import type { Summary } from '../score/summary.ts'
import type { Interval } from '../stats/interval.ts'
import { figureNamed } from '../sweep/figures.ts'
import type { LeagueResult } from '../sweep/leagueResult.ts'
import type { SweepPoint } from '../sweep/sweep.ts'

/** Why intervals are missing: of cash, and of figures up to the close. Null where none is. */
export interface ShortReasons {
  readonly cash: string | null
  readonly close: string | null
}

/** Why intervals of a run are missing. Where everything is in one settlement cluster, that. */
export function shortOfRun({ makers, requests: { clusters } }: Pick<Summary, 'makers' | 'requests'>): ShortReasons {
  if (clusters === 1) return { cash: 'everything is in one settlement cluster', close: 'everything is in one settlement cluster' }
  return {
    cash: shortReason(makers.flatMap(({ profit, hold }) => [profit, hold])), close: shortReason(makers.flatMap(({ luckAdjusted, expectedHold }) => [luckAdjusted, expectedHold])),
  }
}

/** Why intervals of a league are missing, and with them p-values of what ranks. */
export function shortOfLeague({ entries, ranking: { measure } }: Pick<LeagueResult, 'entries' | 'ranking'>): ShortReasons {
  const all = entries.flatMap(({ figures }) => (figures === null ? [] : [figures]))
  const differences = (of: typeof measure): Interval[] => all.flatMap(({ toLeader }) => (toLeader === null ? [] : [of === measure ? toLeader.difference : toLeader.beside]))
  const parts = (of: 'profit' | 'luckAdjusted'): Interval[] => all.flatMap((figures) => Object.values(figures[of]).filter((interval) => interval !== null))
  return {
    cash: shortReason([...parts('profit'), ...all.map(({ hold }) => hold), ...differences('cash')]),
    close: shortReason([...parts('luckAdjusted'), ...differences('luck-adjusted')]),
  }
}

/** Why intervals of a sweep are missing. */
export function shortOfSweep(points: readonly SweepPoint[]): ShortReasons {
  const all = points.flatMap(({ makers }) => makers.flatMap(({ figures }) => Object.entries(figures)))
  const reason = (isClose: boolean): string | null =>
    shortReason(all.flatMap(([name, interval]) => ((figureNamed(name)?.restsOn === 'close') === isClose ? [interval] : [])))
  return { cash: reason(false), close: reason(true) }
}
