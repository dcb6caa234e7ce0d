import { leagueAnswer as answerOf, leagueText as textOf } from '../report/leagueText.ts'
import type { LeagueResult } from '../sweep/leagueResult.ts'

/**
 * All of a league as aligned text, as `parlor league --full` prints it.
 *
 * @param result what `league` returns
 * @returns the text
 * @example
 * console.log(leagueText((await league(loadScenario('scenarios/league.yaml', { set: ['league.replications=2'] }))).result))
 */
export const leagueText = (result: LeagueResult): string => textOf(result)

/**
 * What a league says in a few lines, as `parlor league` prints it: the entries by rank, and whether the lead of the first tells it from the second.
 *
 * @param result what `league` returns
 * @returns the text
 * @example
 * console.log(leagueAnswer((await league(loadScenario('scenarios/league.yaml', { set: ['league.replications=2'] }))).result))
 */
export const leagueAnswer = (result: LeagueResult): string => answerOf(result)
