import { cpSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { main, programOf } from '../../src/cli/main.ts'
import { Interruption } from '../../src/cli/signals.ts'
import { newFolder, put, QUICKSTART_STORE, SMALL } from '../scenario/small.ts'
import { parlor, parlorHere } from './parlor.ts'

const change = (from: string | RegExp, to: string) => (folder: string): void => { put(folder, 'small.yaml', SMALL.replace(from, to)) }

type Case = readonly [string, (folder: string) => void, readonly string[], string]

/** In processes of their own: what loads strategy files, and a few to prove that it is the same there. */
const OUTSIDE: readonly Case[] = [
  ['a missing file', () => {}, ['run', 'none.yaml'], 'none.yaml: no such file'],
  ['a truncated Arrow file', (folder) => {
    cpSync(QUICKSTART_STORE, join(folder, 'cut'), { recursive: true })
    const part = join(folder, 'cut', 'parts', '2025-06-19.0.arrow')
    truncateSync(part, readFileSync(part).length >> 1)
    change(/store: [^,]*/, 'store: ./cut')(folder)
  }, ['run', 'small.yaml'], 'cut/parts/2025-06-19.0.arrow: '],
  ['an unknown key', change('n: 100', 'm: 100'), ['run', 'small.yaml'], 'small.yaml:8:20: bettors.0: unknown key m'],
  ['a file that is no strategy', (folder) => {
    put(folder, 'none.ts', 'export default 7\n')
    change('use: shade', 'use: ./none.ts')(folder)
  }, ['run', 'small.yaml'], 'none.ts: its default export is not a strategy'],
  ['a strategy with a syntax error', (folder) => {
    put(folder, 'none.ts', 'export default {\n\n')
    change('use: shade', 'use: ./none.ts')(folder)
  }, ['run', 'small.yaml'], 'none.ts:'],
  ['a bettor in a maker\'s place', (folder) => {
    put(folder, 'none.ts', "import { bettor } from 'parlor'\nexport default bettor({}, () => ({ onArrival() {}, onDecision() {} }))\n")
    change('use: shade', 'use: ./none.ts')(folder)
  }, ['run', 'small.yaml'], 'its default export has the role "bettor", expected a maker'],
  ['a handler that there is not', (folder) => {
    put(folder, 'mine.ts', "import { maker } from 'parlor'\nexport default maker({}, () => ({\n  onReqest() {},\n}) as object)\n")
    change('use: shade', 'use: ./mine.ts')(folder)
  }, ['run', 'small.yaml'], 'mine.ts:3:3: a maker has no handler onReqest; did you mean onRequest?'],
  ['a --set of an unknown key', change('', ''), ['run', 'small.yaml', '--set', 'makers.0.params.mrgin=5%'], 'makers.0.params: unknown key mrgin; did you mean margin?'],
  ['an unknown option', change('', ''), ['run', 'small.yaml', '--sede', '3'], "error: unknown option '--sede'"],
]

const INSIDE: readonly Case[] = [
  ['a stake of 0', change('n: 100,', 'n: 100, betMin: 0 USDC,'), ['run', 'small.yaml'], 'small.yaml:8:36: bettors.0.betMin: 0 USDC is not what the service takes'],
  ['odds that are NaN', change('2.1 }', '2.1, set: { oddsMax: .nan } }'), ['run', 'small.yaml'], 'expected decimal odds such as 2.5, got NaN'],
  ['a number that is NaN', change('n: 20,', 'n: .nan,'), ['run', 'small.yaml'], 'small.yaml:9:26: bettors.1.n: expected a whole number, got NaN'],
  ['an unknown setting', change('2.1 }', '2.1, set: { betMix: 1 USDC } }'), ['run', 'small.yaml'], 'services.parlay.set: unknown key betMix; did you mean betMin?'],
  ['a setting out of range', change('2.1 }', '2.1, set: { confirmation: 9s } }'), ['run', 'small.yaml'], 'services.parlay.set.confirmation: must be 5s to 8s, got "9s"'],
  ['a wrong --set path', change('', ''), ['run', 'small.yaml', '--set', 'makers.9.count=1'], '--set makers.9.count=1: makers has 2 entries'],
  ['more than 10,000 makers', change('makers:', `makers:${"\n  - { use: silent, count: 1000 }".repeat(10)}`), ['run', 'small.yaml'], 'makers: there are 10,003 makers, and a scenario has 10,000 at most'],
  ['a name that colours the terminal', change('use: shade', 'use: "s\\e[31m\\a\\u202e\\x9b"'), ['run', 'small.yaml'], 'no maker strategy named s\\u001b[31m\\u0007\\u202e\\u009b\n'],
  ['a folder that is no run', () => {}, ['verify', '/nowhere'], 'not a complete run: there is no manifest'],
  ['an unknown format', () => {}, ['import', 'tsv', 'x.csv', '--into', 'y'], 'no format tsv'],
]

describe('wrong input', () => {
  it.each(INSIDE)('%s ends in one message and code 2', async (_, setUp, args, message) => {
    const folder = newFolder()
    setUp(folder)
    const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      const code = await main([...args.map((arg) => (arg === 'small.yaml' ? join(folder, arg) : arg)), ...(args[0] === 'run' ? ['--out', join(folder, 'out')] : [])])
      expect(code).toBe(2)
      expect(err.mock.calls.map(([text]) => String(text)).join('')).toContain(message)
      expect(existsSync(join(folder, 'out'))).toBe(false)
    } finally {
      err.mockRestore()
    }
  })

  it.each(OUTSIDE)('%s ends in one message and code 2, and leaves nothing', async (_, setUp, args, message) => {
    const folder = newFolder()
    setUp(folder)
    const { code, out, err } = await parlor(folder, ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).not.toMatch(/^\s+at /m)
    expect(existsSync(join(folder, 'runs'))).toBe(false)
  })

  it('is one JSON document for machines', async () => {
    const folder = newFolder()
    change('n: 100', 'm: 100')(folder)
    const { code, out } = await parlor(folder, 'run', 'small.yaml', '--json')
    expect(code).toBe(2)
    const { error } = JSON.parse(out)
    expect(error.kind).toBe('input')
    expect(error.mistakes.map(({ position, path }: { position: object; path: string }) => ({ ...position, path }))).toEqual([
      { file: 'small.yaml', line: 8, column: 5, path: 'bettors.0.n' }, { file: 'small.yaml', line: 8, column: 20, path: 'bettors.0' },
    ])
  })
})

describe('a name of a million letters', () => {
  const NAME = 'x'.repeat(1_000_000)

  it.each([
    ['a strategy', change('use: shade', `use: ${NAME}`)], ['a key', change('n: 100', `${NAME}: 100`)], ['a value', change('n: 100', `n: ${NAME}`)],
  ])('of %s is cut in every text of a mistake, for people and for machines', async (_, setUp) => {
    const folder = newFolder()
    setUp(folder)
    const { code, out, err } = await parlorHere(folder, 'run', 'small.yaml', '--json')
    expect([code, JSON.parse(out).error.kind]).toEqual([2, 'input'])
    for (const text of [out, err]) {
      // In words the ends are shown, and of the line of the file a part.
      expect(text).toMatch(/x{60}(…| … 998,\d{3} letters … x{900})/)
      expect([...text.matchAll(/ ([\d,]+) letters … x/g)].filter(([, count]) => !count!.startsWith('998,'))).toEqual([])
      expect(text).not.toMatch(/x{1001}/)
      // One mistake or two, each with its place, its setting, its message, its hint and some lines of the file.
      expect(text.length).toBeLessThan(15_000)
    }
  })

  it('of an option is cut too', async () => {
    const { code, out, err } = await parlorHere(newFolder(), 'run', `--${NAME}`, '--json')
    expect([code, out.length < 5_000, err.length < 5_000]).toEqual([2, true, true])
  })

  it('of a column leaves the other columns to be read', async () => {
    const folder = newFolder()
    put(folder, 'mine.ts', `import { maker, pct } from 'parlor'\nexport default maker({ margin: pct(4), ${NAME}: pct(5) }, () => ({ onRequest() {} }))\n`)
    const { code, out } = await parlorHere(folder, 'strategies', 'mine.ts')
    expect(code).toBe(0)
    expect(out.split('\n').filter((line) => line.length > 2_100)).toEqual([])
    expect(out).toMatch(/^ {2}x{248} … 999,502 letters … x{250} {2}5% /m)
  })
})

describe('every command', () => {
  it('has help with an example, and code 0', async () => {
    const commands = programOf(() => new Interruption()).commands.map((command) => command.name())
    expect(commands).toEqual(expect.arrayContaining(['run', 'verify', 'explain', 'strategies', 'schema', 'import', 'data']))
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      for (const command of commands) {
        write.mockClear()
        expect(await main([command, '--help'])).toBe(0)
        expect(write.mock.calls.map(([text]) => String(text)).join('')).toMatch(new RegExp(`Examples?:\\n {2}\\$ parlor ${command}`))
      }
    } finally {
      write.mockRestore()
    }
  })
})
