import type { LeaguePlan } from './leaguePlan.ts'

/** Numbers of rivals by shares of demand. Empty where no band is asked for. */
export function bandPoints({ league: { bands }, sessions }: LeaguePlan): { readonly rivals: number; readonly demand: number }[] {
  if (bands?.rivals === undefined && bands?.demand === undefined) return []
  return (bands.rivals ?? [sessions.fieldSize]).flatMap((rivals) => (bands.demand ?? [1]).map((demand) => ({ rivals, demand })))
}

/** Margins of rivals, ascending. Empty where no break-even is asked for. */
export function marginPoints({ league: { bands } }: LeaguePlan): { readonly rivals: number; readonly margin: number }[] {
  const { aggressiveness } = bands ?? {}
  return aggressiveness === undefined ? [] : aggressiveness.margins.map((margin) => ({ rivals: aggressiveness.rivals, margin }))
}

/** Replications of each point of a band: the first ones of the league. */
export const bandReplications = ({ league: { bands, replications } }: LeaguePlan): number => Math.min(bands?.replications ?? replications, replications)

/** The most sessions that a league can have. Dropped and failed contestants play fewer. */
export function sessionsMax(plan: LeaguePlan): number {
  const { formats, contestants, league: { entries: { length: entries }, replications } } = plan
  const races = formats.filter((format) => format !== 'pairs').length * contestants.length * replications
  const pairs = formats.includes('pairs') ? (replications * entries * (entries - 1)) / 2 : 0
  return races + pairs + bandReplications(plan) * entries * (bandPoints(plan).length + marginPoints(plan).length)
}

/** Whether results decide who plays on: a race, a choice of variants before pairs or bands, or meetings that alone rank before bands. A failure always does. */
export function hasRounds({ league: { entries, racing, replications, bands }, formats, ranking }: LeaguePlan): boolean {
  const isTuned = entries.some(({ tune }) => Object.values(tune).some((values) => values.length > 1))
  const isRace = racing !== undefined && racing.after < replications
  return isRace || (isTuned && (formats.includes('pairs') || bands !== undefined)) || (ranking === 'pairs' && bands !== undefined)
}
