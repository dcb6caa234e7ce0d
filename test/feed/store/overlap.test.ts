import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importData } from '../../../src/actions/importData.ts'
import type { OverlapRule } from '../../../src/feed/store/overlap.ts'
import { readStore } from '../../../src/feed/store/readStore.ts'
import { madeFolder } from './made.ts'
import { DAY, draftOf, type Row, rowsOf, writeRows } from './rows.ts'

const bidsOf = (path: string): number[] => rowsOf(readStore(path).ticks).map(([, , bid]) => bid)

describe('ticks of one market and instant that a store has and an import brings', () => {
  const rows = (bids: readonly number[]): Row[] => bids.map((bid) => [DAY, 0, bid, 9, 3, 4, 5])
  async function added(stored: readonly number[], brought: readonly number[], overlap?: OverlapRule, runRows?: number): Promise<number[] | string> {
    const path = join(madeFolder(), 'store')
    await writeRows(path, [draftOf('a')], rows(stored))
    try {
      await writeRows(path, [draftOf('a')], rows(brought), { isAdded: true, overlap, runRows })
    } catch (error) {
      return (error as Error).message.split(' are')[0]!
    }
    return bidsOf(path)
  }

  it.each<[readonly number[], readonly number[], number[] | string, number[], number[]]>([
    // Store, import, and what the store has then: by default, by first, and by last.
    [[1], [1], [1], [1], [1]],
    [[1], [2], '1 ticks', [1], [1, 2]],
    [[1], [2, 1], '2 ticks', [1], [1, 2, 1]],
    [[1, 2], [2, 1], '1 ticks', [1, 2], [1, 2, 1]],
    [[1, 2], [1, 2], [1, 2], [1, 2], [1, 2]],
    [[1, 2], [2], [1, 2], [1, 2], [1, 2]],
    [[1, 2], [1], [1, 2], [1, 2], [1, 2, 1]],
    [[1], [1, 2], '1 ticks', [1], [1, 2]],
    [[1, 2, 1], [1, 1], '1 ticks', [1, 2, 1], [1, 2, 1, 1]],
  ])('are compared as sequences: %j and %j', async (stored, brought, byDefault, first, last) => {
    expect([await added(stored, brought), await added(stored, brought, 'first'), await added(stored, brought, 'last')]).toEqual([byDefault, first, last])
  })

  it('are compared as sequences where they come in several runs', async () => {
    expect(await added([1], [2, 3, 1], 'last', 1)).toEqual([1, 2, 3, 1])
    expect(await added([1, 2, 3], [1, 2, 3], 'refuse', 2)).toEqual([1, 2, 3])
  })

  it('leave the ticks of other markets in their order', async () => {
    const path = join(madeFolder(), 'store')
    const [a, b] = [draftOf('a'), draftOf('b')]
    const of = (market: number, bid: number): Row => [DAY, market, bid, 9, 3, 4, 5]
    await writeRows(path, [a, b], [of(0, 1)])
    await writeRows(path, [a, b], [of(1, 7), of(0, 1), of(1, 8)], { isAdded: true })
    expect(bidsOf(path)).toEqual([1, 7, 8])
  })
})

describe('ticks of one market and instant in files of one import', () => {
  const MAPPING = 'files:\n  - { kind: quotes, market: t, time: at, bid: bid, ask: ask }\n'
  async function imported(files: Readonly<Record<string, readonly string[]>>, overlap?: 'first' | 'last') {
    const folder = madeFolder()
    writeFileSync(join(folder, 'map.yaml'), MAPPING)
    for (const [name, quotes] of Object.entries(files)) {
      writeFileSync(join(folder, name), `t,at,bid,ask\n${quotes.map((quote) => `A,2025-06-19T10:00:${quote.replace(' ', 'Z,')},0.9\n`).join('')}`)
    }
    const into = join(folder, 'store')
    const { report } = await importData('csv', Object.keys(files).map((name) => join(folder, name)), { into, map: join(folder, 'map.yaml'), ...(overlap === undefined ? {} : { overlap }) })
    return { cents: bidsOf(into).map((bid) => bid / 10_000), coverage: report!.coverage }
  }

  it('are one where they are equal', async () => {
    const { cents, coverage } = await imported({ 'a.csv': ['00 0.1', '01 0.2', '01 0.3', '02 0.4'], 'b.csv': ['01 0.2', '01 0.3', '02 0.4', '03 0.5'] })
    expect(cents).toEqual([10, 20, 30, 40, 50])
    expect(coverage).toMatchObject({ 'ticks that an earlier file had': 3 })
  })

  it('are refused where they differ, with file and row, unless it is said which holds', async () => {
    const files = { 'a.csv': ['00 0.1', '01 0.2'], 'b.csv': ['01 0.2', '00 0.3', '02 0.4'] }
    await expect(imported(files)).rejects.toMatchObject({
      message: expect.stringMatching(/^1 ticks are others than an earlier file has .* of A at 2025-06-19T10:00:00.000000Z \(.*b\.csv:3\), against \(.*a\.csv:2\)$/), position: { file: expect.stringMatching(/b\.csv$/), line: 3 },
      hint: '--overlap first keeps those of the earlier file, --overlap last lets these follow them',
    })
    expect(await imported(files, 'first')).toMatchObject({ cents: [10, 20, 40], coverage: { 'ticks that contradict earlier ones': 1 } })
    expect(await imported(files, 'last')).toMatchObject({ cents: [10, 30, 20, 40], coverage: { 'ticks that contradict earlier ones': 1 } })
  })

  it('may go on in the next file of a recorder, or be several in one file', async () => {
    expect((await imported({ 'a.csv': ['00 0.1', '01 0.2', '01 0.3'], 'b.csv': ['01 0.4', '01 0.2', '02 0.5'] })).cents).toEqual([10, 20, 30, 40, 20, 50])
  })
})
