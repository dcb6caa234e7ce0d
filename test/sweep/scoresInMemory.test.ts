import { describe, expect, it } from 'vitest'
import { identityOf, playInMemory, playInto, type PreparedScenario } from '../../src/scenario/run.ts'
import { SCORED_COLUMNS } from '../../src/score/scoredColumns.ts'
import { type Scores, scoresInMemory, scoresOf } from '../../src/score/scores.ts'
import { PINNED } from '../scenario/pinned.ts'
import { newFolder, prepared, SMALL } from '../scenario/small.ts'

/** Digest and scores of a session as a sweep keeps them, and of the same session as `parlor run` records it. */
async function bothOf(session: PreparedScenario): Promise<{ readonly inMemory: unknown; readonly recorded: unknown; readonly scores: readonly Scores[] }> {
  const { tables, ...played } = await playInMemory(session, identityOf(session), SCORED_COLUMNS)
  const scores = scoresInMemory(played, tables)
  const folder = newFolder()
  const { digest } = await playInto(folder, session, { isDurable: false })
  return { inMemory: { digest: played.digest, scores }, recorded: { digest, scores: scoresOf(folder) }, scores }
}

const OTHERS: readonly (readonly [about: string, text: string])[] = [
  ['marks at other horizons', `${SMALL}record: { marks: [5s, 2m], equityEvery: 20s }\n`],
  ['no samples of equity, so that holds tell the accounts of makers', `${SMALL}record: { equityEvery: 0s }\n`],
]

describe('scores of tables in memory are those of a full recording, each of them', () => {
  it.each([...PINNED.map(([about, text]) => [about, text] as const), ...OTHERS])('%s', async (_, text) => {
    const { inMemory, recorded, scores } = await bothOf((await prepared(text)).prepared)
    expect(inMemory).toEqual(recorded)
    // There is something to compare.
    for (const { sums, values } of scores) expect([sums.some((sum) => sum !== 0), values.some((value) => value > 0)]).toEqual([true, true])
  })
})
