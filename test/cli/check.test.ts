import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder, put } from '../scenario/small.ts'
import { parlorHere } from './parlor.ts'

const MAKER = `import { maker, pct, SECOND_US, usd } from 'parlor'

export default maker({ margin: pct(4), cap: usd(200) }, (p) => ({
  onRequest(request, desk) {
    console.log(request.legs.count)
    desk.quote(request, { probability: 0.5 * (1 + p.margin), validUs: 8 * SECOND_US })
  },
}))
`
const folder = newFolder()
const check = async (text: string, ...more: readonly string[]) => {
  put(folder, 'mine.ts', text)
  return parlorHere(folder, 'check', 'mine.ts', ...more)
}

describe('parlor check', () => {
  it('finds nothing wrong with a strategy that is right, wherever it lies', async () => {
    expect(await check(MAKER)).toMatchObject({ code: 0, out: '1 file: nothing is wrong\n', err: '' })
    expect(await check(MAKER, '--json')).toMatchObject({ code: 0, out: `${JSON.stringify({ ok: true, mistakes: [] }, null, 2)}\n` })
  })

  it('says where a unit is wrong, and in which file that a strategy imports', async () => {
    const { code, out, err } = await check(MAKER.replace('8 * SECOND_US', 'p.cap'))
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^mine\.ts:6:62: TS2322: Type 'UsdMicros' is not assignable to type 'Us'\.\n(?: {2}.*\n)+1 mistake\n$/)
    put(folder, 'beside.ts', 'export const half: string = 0.5\n')
    const imported = await check(MAKER.replace('\n\n', "\nimport { half } from './beside.ts'\nvoid half\n"), '--json')
    expect(imported.code).toBe(2)
    expect(JSON.parse(imported.out)).toEqual({
      ok: false, mistakes: [{ file: 'beside.ts', line: 1, column: 14, code: 'TS2322', message: "Type 'number' is not assignable to type 'string'." }],
    })
  })

  it('refuses a handler that there is not, as a run does, with its place', async () => {
    const { code, err } = await check(MAKER.replace('  onRequest', '  onReqest() {},\n  onRequest'))
    expect(code).toBe(2)
    expect(err).toMatch(/^mine\.ts:4:3: a maker has no handler onReqest; did you mean onRequest\?\n {2}hint: handlers of a maker: onRequest, /)
    expect(err).toMatch(/\n1 mistake\n$/)
  })

  it('refuses a file that does not load, and one that makes no handlers', async () => {
    expect((await check(`${MAKER}\nthrow new Error('not today')\n`)).err).toMatch(/^mine\.ts.*does not load.*not today/)
    const made = await check(MAKER.replace('=> ({', "=> { if (p.margin > 0) throw new RangeError('too dear'); return {").replace(/\}\)\)\n$/, '} })\n'))
    expect(made.code).toBe(2)
    expect(made.err).toMatch(/^mine\.ts:3:\d+: the strategy makes no handlers: its create throws RangeError: too dear\n/)
    expect((await check('export default 1\n')).err).toMatch(/^mine\.ts: its default export is not a strategy\n/)
  })

  it('says a mistake of syntax once, in the words of the compiler', async () => {
    const { code, err } = await check(MAKER.replace('8 * SECOND_US', '8 *'))
    expect(code).toBe(2)
    expect(err).toMatch(/^mine\.ts:6:\d+: TS1109: Expression expected\.\n1 mistake\n$/)
  })

  it('refuses a file that is nested too deep, and one that imports such a file, without the compiler', async () => {
    put(folder, 'deep.ts', `export const deep = ${'['.repeat(60_000)}${']'.repeat(60_000)}\n`)
    const { code, err } = await check(`import { deep } from './deep.ts'\nvoid deep\n${MAKER}`)
    expect(code).toBe(2)
    expect(err).toMatch(/^deep\.ts: the strategy does not load: it is nested too deep\n {2}hint: .*\n1 mistake\n$/)
  })

  it('refuses a file that is not there', async () => {
    expect(await parlorHere(folder, 'check', 'absent.ts')).toMatchObject({ code: 2, err: expect.stringMatching(/^absent\.ts: there is no file here\n/) })
  })

  it('names files as they lie from where it is called', async () => {
    put(folder, 'mine.ts', MAKER.replace('8 * SECOND_US', 'p.cap'))
    const elsewhere = newFolder()
    const { err } = await parlorHere(elsewhere, 'check', `${folder}/mine.ts`)
    expect(err.startsWith(`${relative(elsewhere, `${folder}/mine.ts`)}:6:62: TS2322`)).toBe(true)
  })
})
