import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { moduleGraph } from '../../src/scenario/moduleGraph.ts'
import { Room } from '../../src/scenario/room.ts'
import { roomModules } from '../../src/scenario/roomModules.ts'
import { loadStrategy, loadStrategyOfAnyRole } from '../../src/scenario/strategies.ts'
import { newFolder, put } from './small.ts'

const HEAD = "import { count, maker } from 'parlor'\n"
/** A maker that says an expression of itself. */
const saying = (expression: string): string => `${HEAD}export default maker({}, () => ({}), { about: ${expression} })\n`

/** What a maker in a room says of itself. */
async function said(path: string): Promise<unknown> {
  return (await Room.evaluating(pathToFileURL(path).href, await roomModules(path), []))?.about
}

describe('what runs in a room is what was parsed', () => {
  it.each(['mine.mjs', 'mine.js'])('so that %s has no <!-- but in texts and comments', async (name) => {
    const path = put(newFolder(), name, `${HEAD}let b = 2, a = 1 <!--b\nexport default maker({ a: count(a) }, () => ({}))\n`)
    await expect(loadStrategy(path, 'maker', '.')).rejects.toThrow(expect.objectContaining({
      message: 'the strategy does not load: Error: a strategy has no <!-- outside of texts and comments: write < !--', position: { file: path, line: 2, column: 18 },
    }))
    const sound = put(newFolder(), name, `// <!-- 1\n${saying("'<!--' + `<!--${/<!--/.test('<!--')}<!--` /* <!-- */")}`)
    expect(await said(sound)).toBe('<!--<!--true<!--')
  })

  it('and in TypeScript none at all', async () => {
    const path = put(newFolder(), 'mine.ts', `${HEAD}let b = 2\nconst a: boolean = 1 <!--b\nexport default maker({}, () => ({}))\n`)
    await expect(loadStrategy(path, 'maker', '.')).rejects.toThrow(expect.objectContaining({ position: expect.objectContaining({ line: 3 }) }))
  })

  it('so that a class may ask what is made of it', async () => {
    const path = put(newFolder(), 'mine.ts', `${HEAD}class A {\n  readonly own: boolean\n  constructor() { this.own = new.target === A }\n}\nexport default maker({}, () => ({}), { about: String(new A().own) })\n`)
    expect(await said(path)).toBe('true')
  })

  it('and a text stays what it is', async () => {
    expect(await said(put(newFolder(), 'mine.js', saying(String.raw`"const a = await \u005f_vite_ssr_import__(" + "= await \u005f_vite_ssr_import__("`))))
      .toBe('const a = await __vite_ssr_import__(= await __vite_ssr_import__(')
  })

  it('also one with letters that a terminal acts on, of which the code that V8 may show has none', async () => {
    const path = put(newFolder(), 'mine.js', `/* \u001b[31m */\r\n${saying('"\u001b[31m\u202e" + `\u2028\r\n\u009b` + /\u0007/.test("\u0007")')}`)
    expect(await said(path)).toBe('\u001b[31m\u202e\u2028\n\u009btrue')
    const [{ code } = { code: '' }] = await roomModules(path)
    // oxlint-disable-next-line no-control-regex
    expect(code).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u202e]/)
  })
})

it('a file imports modules by a relative path, also out of its folder and through links, and all are in its digest', async () => {
  const folder = newFolder()
  const elsewhere = put(newFolder(), 'shared.ts', "export const shared: string = 'elsewhere'\n")
  put(folder, 'beside.ts', "export const beside = 'beside'\n")
  symlinkSync(elsewhere, join(folder, 'linked.ts'))
  const text = saying('beside + linked').replace(HEAD, `${HEAD}import { beside } from '../beside.ts'\nimport { shared as linked } from '../linked.ts'\n`)
  const path = put(folder, 'makers/mine.ts', text)
  expect(await said(path)).toBe('besideelsewhere')
  const before = moduleGraph(path)
  expect(before.files).toEqual(['../beside.ts', '../linked.ts', 'mine.ts'])
  put(join(elsewhere, '..'), 'shared.ts', "export const shared: string = 'edited'\n")
  expect(moduleGraph(path).digest).not.toBe(before.digest)
})

describe('a strategy that is none for any role is refused', () => {
  const made = (role: string): string => put(newFolder(), 'mine.js', `export default { role: ${role}, parameters: {}, create() {} }\n`)

  it.each([
    ["'judge'", 'its default export has the role "judge", expected a maker or bettor'],
    ['{}', 'its default export has the role a map, expected a maker or bettor'],
    ["'constructor'", 'its default export has the role "constructor", expected a maker or bettor'],
    ['undefined', 'its default export has the role nothing, expected a maker or bettor'],
  ])('of role %s', async (role, message) => {
    await expect(loadStrategyOfAnyRole(made(role))).rejects.toThrow(message)
  })

  it('and one of either role is not', async () => {
    for (const role of ['maker', 'bettor']) expect((await loadStrategyOfAnyRole(made(`'${role}'`))).strategy.role).toBe(role)
    await expect(loadStrategy(made("'maker'"), 'bettor', '.')).rejects.toThrow('its default export has the role "maker", expected a bettor')
  })
})

it.each(['constructor', 'hasOwnProperty', 'toString', '__proto__'])('no parameter is named %s, which every object has', async (name) => {
  const path = put(newFolder(), 'mine.js', `${HEAD}export default maker({ ['${name}']: count(3) }, () => ({}))\n`)
  await expect(loadStrategy(path, 'maker', '.')).rejects.toThrow(`its parameter ${name} has the name of what every object has: give it another`)
})
