import { shortReason } from '../score/figureBasis.ts'
import type { Interval } from '../stats/interval.ts'
import type { LeagueEntry } from '../sweep/leagueResult.ts'
import type { SweepPoint } from '../sweep/sweep.ts'

/** Why a league's intervals of cash are missing, and with them p-values where cash ranks. Null where none is. */
export const shortOfLeague = (entries: readonly LeagueEntry[]): string | null => shortReason(entries.flatMap(({ figures }): Interval[] =>
  (figures === null ? [] : [...Object.values(figures.profit).filter((interval) => interval !== null), figures.hold, ...(figures.toLeader === null ? [] : [figures.toLeader.difference, figures.toLeader.beside])])))

/** Why a sweep's intervals of cash are missing. Null where none is. */
export const shortOfSweep = (points: readonly SweepPoint[]): string | null =>
  shortReason(points.flatMap(({ makers }) => makers.flatMap(({ figures }) => Object.values(figures))))
