import { describe, expect, it } from 'vitest'
import { allSources, code, lineOf, type Source } from './sources.ts'

/** Where a session spends its time, and what it writes through. */
const HOT = ['unit', 'math', 'market', 'kernel', 'ledger', 'venue', 'agent', 'feed', 'engine', 'arrow', 'record']

const CLASS = /^(?:export )?(?:default )?(?:abstract )?class [^]*?^}/gm
/** A field of a class that begins as undefined: V8 then never learns what it holds (docs/performance.md). */
const BARE_FIELD = /^ {2}(?:(?:private|protected|public|override|static|accessor) )*(?:readonly )?#?\w+[!?]?(?:: (?:[^=;\n]|=>)+)?;?$/gm
const DECLARED_FIELD = /^ {2}(?:(?:private|protected|public|override) )*declare (?:readonly )?(\w+):/gm

const bareFields = ({ path, text }: Source): string[] => {
  const bare = code(text)
  return [...bare.matchAll(CLASS)].flatMap(({ 0: body, index }) =>
    [...body.matchAll(BARE_FIELD)].map((field) => `src/${path}:${lineOf(bare, index + field.index)} ${field[0].trim()}`))
}

/** Fields that are declared and that the class sets nowhere: the compiler does not look after those. */
const unsetFields = ({ path, text }: Source): string[] => {
  const bare = code(text)
  return [...bare.matchAll(CLASS)].flatMap(({ 0: body, index }) =>
    [...body.matchAll(DECLARED_FIELD)]
      .filter(({ 1: name }) => !new RegExp(`\\bthis\\.(?:\\w+ = this\\.)*${name} = `).test(body))
      .map((field) => `src/${path}:${lineOf(bare, index + field.index)} ${field[0].trim()}`))
}

const bareIn = (field: string): string[] => bareFields({ path: 'kernel/clock.ts', text: `class Clock {\n  ${field}\n}\n` })

describe('a field of a class on the hot path', () => {
  it('has its first value where it is written down, or is declared and gets it in the constructor', () => {
    const hot = allSources().filter(({ path }) => HOT.includes(path.split('/')[0]!))
    expect(hot.length).toBeGreaterThan(100)
    expect(hot.flatMap(bareFields)).toEqual([])
  })

  it('is set in its class when it is declared, for which the compiler does not ask', () => {
    const hot = allSources().filter(({ path }) => HOT.includes(path.split('/')[0]!))
    expect(hot.flatMap(unsetFields)).toEqual([])
    expect(unsetFields({ path: 'kernel/clock.ts', text: 'class Clock {\n  declare nowUs: number\n}\n' })).toEqual(['src/kernel/clock.ts:2 declare nowUs:'])
    expect(unsetFields({ path: 'kernel/clock.ts', text: 'class Clock {\n  declare nowUs: number\n  constructor() {\n    this.nowUs = 0\n  }\n}\n' })).toEqual([])
  })

  it.each(['words: Int32Array', 'private readonly transit: Transit', 'private onDone: (at: number) => void', 'nowUs!: number', 'kind', 'who?: string', 'static last: number', 'accessor nowUs: number'])('refuses %s', (field) => {
    expect(bareIn(field)).toHaveLength(1)
  })

  it.each([
    'words = new Int32Array(4)', 'declare words: Int32Array', 'private declare readonly transit: Transit', 'private nowUs = 0',
    'get nowUs(): number {', 'abstract take(): number', '}',
  ])('lets %s pass', (field) => {
    expect(bareIn(field)).toEqual([])
  })
})
