import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { moduleGraph } from '../../src/scenario/moduleGraph.ts'
import { refusalOf } from '../../src/scenario/nesting.ts'
import { loadStrategyOfAnyRole } from '../../src/scenario/strategies.ts'
import { newFolder, put } from './small.ts'

const DEEP = 20_000

/** A strategy file with something at its top. */
const fileOf = (top: string, name = 'mine.ts'): string => put(newFolder(), name, `import { maker } from 'parlor'\n${top}\nexport default maker({}, () => ({}))\n`)

describe('a file that would end the process that parses it is refused by name', () => {
  it.each([
    ['brackets', 'const a = ', '[', '1', ']'], ['parentheses', 'const a = ', '(', '1', ')'], ['blocks', '', '{', '', '}'], ['templates', 'const a = ', '`${', '1', '}`'], ['types', 'type A = ', 'A<', '1', '>'],
    ['statements', '', 'if(1)', ';', ''], ['functions', 'const a = ', 'a=>', '1', ''], ['choices', 'const a = ', '1?1:', '1', ''], ['assignments', 'let a; ', 'a=', '1', ''],
  ])('where it nests %s', (_, head, open, middle, close) => {
    const path = fileOf(`${head}${open.repeat(DEEP)}${middle}${close.repeat(DEEP)}`)
    expect(() => moduleGraph(path)).toThrow(expect.objectContaining({ name: 'InputError', message: 'the strategy does not load: it is nested too deep', position: { file: path } }))
  })

  it('where an imported one does, in JavaScript', async () => {
    const path = fileOf("import { a } from './deep.js'")
    put(join(path, '..'), 'deep.js', `export const a = ${'['.repeat(DEEP)}${']'.repeat(DEEP)}\n`)
    await expect(loadStrategyOfAnyRole(path)).rejects.toMatchObject({ message: 'the strategy does not load: it is nested too deep', position: { file: join(path, '..', 'deep.js') } })
  })
})

describe('what ended the process that parsed a file first is said of the file:', () => {
  it.each([
    ['the end of its stack', null, 'SIGSEGV', 'it is nested too deep'], ['an abort', null, 'SIGABRT', 'it is nested too deep'], ['a fault of the bus', null, 'SIGBUS', 'it is nested too deep'],
    ['the end of its stack on Windows', 0xC000_00FD, null, 'it is nested too deep'],
    ['a signal of another', null, 'SIGKILL', 'a process that parsed it ended with SIGKILL'], ['an exit', 7, null, 'a process that parsed it ended with code 7'], ['its own end', 0, null, null],
  ] as const)('%s', (_, status, signal, why) => {
    expect(refusalOf({ status, signal })?.why ?? null).toBe(why)
  })

  it('its time is over, or it has not begun', () => {
    const error = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code, syscall: 'spawnSync node' })
    expect(refusalOf({ status: null, signal: 'SIGKILL', error: error('ETIMEDOUT') })).toEqual({ why: 'parsing it did not end within 60 s' })
    expect(() => refusalOf({ status: null, signal: null, error: error('EAGAIN') })).toThrow('EAGAIN')
  })
})

describe('a file that is long is loaded', () => {
  it.each([
    ['with a thousand brackets in one another', `const a = ${'['.repeat(1000)}${']'.repeat(1000)}`],
    ['with five hundred functions', Array.from({ length: 500 }, (_, i) => `function f${i}(a: number): number {\n  return [a, (${i} + a) * 2].map((x) => x + 1)[0]!\n}`).join('\n')],
  ])('%s', async (_, top) => {
    expect((await loadStrategyOfAnyRole(fileOf(top))).strategy.role).toBe('maker')
  })

  it('or says what is wrong with it, and where', async () => {
    const path = fileOf(`${'// a remark\n'.repeat(2000)}const a = )`)
    await expect(loadStrategyOfAnyRole(path)).rejects.toMatchObject({ message: expect.stringMatching(/^the strategy does not load: SyntaxError/), position: { file: path, line: 2002 } })
  })
})
