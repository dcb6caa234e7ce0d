import { leagueText as textOf } from '../report/leagueText.ts'
import type { LeagueResult } from '../sweep/leagueResult.ts'

/**
 * The result of a league as aligned text, as `parlor league` prints it.
 *
 * @param result what `league` returns
 * @returns the text
 * @example
 * console.log(leagueText((await league(loadScenario('scenarios/league.yaml', { set: ['league.replications=2'] }))).result))
 */
export const leagueText = (result: LeagueResult): string => textOf(result)
