import { expect, test } from 'vitest'
import { lines, mapped, shown, troubles } from './mapped.ts'

test('a last line without an end is told of', async () => {
  const yaml = 'files: [{ kind: quotes, market: m, time: t, bid: b, ask: a }]'
  const rows = ['m,t,b,a', 'A,2025-06-19T19:00:00Z,0.4,0.51', 'A,2025-06-19T19:00:01Z,0.4,0.52']
  const whole = await mapped(yaml, { 'q.csv': lines(...rows) })
  for (const pieceSizes of [undefined, { csvBytes: 20, parquetRows: 1 }]) {
    const cut = await mapped(yaml, { 'q.csv': rows.join('\n').slice(0, -1) }, { pieceSizes })
    expect([troubles(whole), troubles(cut)]).toEqual([[], ['noted no line end: 1 from 3']])
    expect(shown(cut).at(-1)!.slice(2, 4)).toEqual([400_000, 500_000])
  }
  // Where the row is damaged it is set aside.
  expect(troubles(await mapped(yaml, { 'q.csv': rows.join('\n').slice(0, -6) }))).toEqual(['quarantined ragged row: 1 from 3'])
})
