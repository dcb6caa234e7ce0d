import { execFileSync } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { InputError } from '../../../src/unit/inputError.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { importMapped, lines, mapped, shown, T0, written } from './mapped.ts'

const MS = T0 / 1000

describe('match', () => {
  const MATCHED = 'files: [{ kind: quotes, match: px.csv, market: m, time: { column: t, unit: ms }, bid: b }, { kind: trades, match: tr*.csv, market: m, time: { column: t, unit: ms }, price: p }]'
  const QUOTED = lines('m,t,b', `A,${MS},0.4`)
  const bidsFrom = async (path: string, input?: Readable) => shown(await importMapped(mappingOfText('mapping.yaml', MATCHED), [path], { input })).map(([, , bid]) => bid)

  test('looks at the own name of a file of an archive', async () => {
    const folder = written({ 'px.csv': QUOTED })
    execFileSync('tar', ['-czf', `${folder}/w.tgz`, '-C', folder, 'px.csv'])
    execFileSync('tar', ['-cf', `${folder}/deep.tar`, '-C', dirname(folder), `${basename(folder)}/px.csv`])
    for (const name of ['w.tgz', 'deep.tar', 'px.csv']) expect([name, await bidsFrom(`${folder}/${name}`)]).toEqual([name, [400_000]])
  })

  test('is not asked of standard input, whose columns tell what it is', async () => {
    expect(await bidsFrom('-', Readable.from([Buffer.from(QUOTED)]))).toEqual([400_000])
    await expect(bidsFrom('-', Readable.from([Buffer.from(lines('m,t', `A,${MS}`))]))).rejects.toThrow('no part of the mapping reads it: quotes: no column b; trades: no column p')
  })

  test('says which columns a file has that no part reads', async () => {
    const columns = Array.from({ length: 13 }, (_, i) => `c${i}`)
    const folder = written({ 'px.csv': QUOTED, 'few.csv': 'title\nm,t,b\n', 'many.csv': `${columns.join(',')}\n` })
    const yaml = MATCHED.replaceAll(/match: [^,]*, /g, '')
    const refusal = async (name: string) => importMapped(mappingOfText('mapping.yaml', yaml), [`${folder}/${name}`]).then(() => null, (error: unknown) => (error as InputError).hint)
    expect(await refusal('few.csv')).toMatch(/^its columns are title; give files/)
    expect(await refusal('many.csv')).toMatch(/^its columns are c0, .*, c11, …; give files/)
    const { report } = await importMapped(mappingOfText('mapping.yaml', yaml), [folder])
    expect(report.troubles.filter(({ kind }) => kind === 'file not read').map(({ about }) => about)).toEqual([expect.stringMatching(/; its columns are title$/), expect.stringMatching(/, c11, …$/)])
  })

  test('refuses a file of another name', async () => {
    await expect(bidsFrom(`${written({ 'other.csv': QUOTED })}/other.csv`)).rejects.toThrow('no pattern of the mapping fits its name')
  })
})

describe('a damaged row of a file that several parts read', () => {
  const PARTS = 'files: [{ kind: quotes, where: { k: q }, market: m, time: { column: t, unit: ms }, bid: b }, { kind: trades, where: { k: t }, market: m, time: { column: t, unit: ms }, price: p }]'

  test.each([
    ['q.ndjson', lines(`{"k":"q","m":"A","t":${MS},"b":0.4,"p":null}`, '{"k":', `{"k":"t","m":"B","t":${MS},"b":null,"p":0.3}`)],
    ['q.csv', lines('k,m,t,b,p', `q,A,${MS},0.4,`, 'q,A', `t,B,${MS},,0.3`)],
  ])('is one row set aside: %s', async (name, text) => {
    const { report } = await mapped(PARTS, { [name]: text })
    expect([report.inputRows, report.acceptedRows, report.quarantinedRows]).toEqual([3, 2, 1])
    expect(report.troubles.filter(({ handling }) => handling === 'quarantined').map(({ rows, firstRow }) => [rows, firstRow])).toEqual([[1, name === 'q.csv' ? 3 : 2]])
  })
})
