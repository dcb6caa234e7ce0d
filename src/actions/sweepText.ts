import { expectationLines, sweepAnswer as answerOf, sweepText as textOf } from '../report/sweepText.ts'
import type { SweepReport } from '../sweep/sweep.ts'

/**
 * All of a sweep as aligned text, as `parlor sweep --full` prints it: a row for each point and maker.
 *
 * @param result what `sweep` returns
 * @returns the text
 * @example
 * console.log(sweepText((await sweep(loadScenario('scenarios/quickstart.yaml'), { axes: { 'makers.0.params.margin': '2%..8%:3' }, replications: 2 })).result))
 */
export const sweepText = (result: SweepReport): string => textOf(result)

/** Whether what the scenario expects of its sweep holds, a line each. */
export const expectationTexts = (result: SweepReport): string[] => expectationLines(result)

/**
 * What a sweep says in about ten lines, as `parlor sweep` prints it: at which setting each maker earned most, how much more than at the baseline, and whether
 * that can be told from chance.
 *
 * @param result what `sweep` returns
 * @returns the text
 * @example
 * console.log(sweepAnswer((await sweep(loadScenario('scenarios/quickstart.yaml'), { axes: { 'makers.0.params.margin': '2%..8%:3' }, replications: 2 })).result))
 */
export const sweepAnswer = (result: SweepReport): string => answerOf(result)
