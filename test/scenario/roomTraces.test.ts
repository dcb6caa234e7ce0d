import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { loadStrategy } from '../../src/scenario/strategies.ts'
import { parlorHere } from '../cli/parlor.ts'
import { newFolder, put, SMALL } from './small.ts'

const SCENE = SMALL.replace('max: 200', 'max: 40').replace('use: fixed-margin', 'name: visitor, use: ./visitor.ts')

/** Quotes by the texts of every error that it can get hold of: at its loading, in `create`, in handlers, below calls of the desk and of the language. */
const TRACER = `import { maker } from 'parlor'
import { deep, hashOf } from './lib/traces.ts'

class Odd extends Error {}
const textOf = (act) => {
  try {
    return String(act())
  } catch (error) {
    return error.stack
  }
}
const loaded = new Error('loaded').stack + deep(30, () => new Error('deep').stack)

export default maker({}, (p, seat) => {
  const made = new Error('made').stack
  let kept
  return {
    onRequest(request, desk) {
      const texts = [
        loaded, made, new Error('own').stack, new Odd('odd').stack, textOf(() => null.x), textOf(() => absent), textOf(() => new Array(-1)), textOf(() => JSON.parse('{')),
        textOf(() => desk.quote({}, { probability: 0.5, validUs: 1 })), textOf(() => desk.price(request.legs, { priceType: 'none', maxAgeUs: 1 })),
        textOf(() => desk.legPrice(request.legs, 1e9, { priceType: 'ask', maxAgeUs: 1 })), textOf(() => kept?.request),
        textOf(() => [2, 1].sort(() => { throw new Error('below the language') })), textOf(() => new Function('1')), textOf(() => ({ get x() { return new Error('x').stack } }).x),
        deep(3, () => new Error('deeper').stack), deep(9, () => new Error('deeper').stack), textOf(() => seat.random.call(null, new Error('y').stack) && new Error('z').stack),
      ]
      kept = request
      desk.quote(request, { probability: 0.2 + (0.6 * hashOf(texts.join('\\n'))) / 2 ** 32, validUs: 8e6 })
    },
    onAck() {
      kept = { request: new Error('ack').stack }
    },
  }
})
`
const TRACES = `export const deep = (n: number, act: () => string): string => (n === 0 ? act() : \`\${deep(n - 1, act)}\`)
export function hashOf(text: string): number {
  let hash = 2166136261
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
  return hash >>> 0
}
`

/** A folder with the scenario and a strategy. */
function folderWith(below: string, visitor: string): string {
  const folder = join(newFolder(), below)
  put(folder, 'small.yaml', SCENE)
  put(folder, 'visitor.ts', visitor)
  put(folder, 'lib/traces.ts', TRACES)
  return folder
}

async function digestIn(folder: string): Promise<string> {
  const loaded = loadScenario(join(folder, 'small.yaml'))
  const scenario = await prepareScenario(loaded)
  const { manifest } = await runScenario(loaded, scenario, { target: { path: join(folder, 'run'), force: false, numbered: false } })
  return manifest.digest
}

/** What a strategy in the visitor's seat threw, and the places that its author is told of. */
async function thrownBy(visitor: string): Promise<{ readonly message: string; readonly stack: string; readonly folder: string }> {
  const folder = folderWith('', visitor)
  const { cause } = await digestIn(folder).then(() => { throw new Error('it played') }, (error: unknown) => error as { cause: Error })
  return { message: cause.message, stack: cause.stack!, folder }
}

describe('traces that a strategy reads are the same on every machine', () => {
  it('so that one which plays by them plays the same in every folder, and in the thread of a command', async () => {
    const [near, far] = [folderWith('a', TRACER), folderWith('folder of (somebody else)/with a long, long name/b', TRACER)]
    const digest = await digestIn(near)
    expect(await digestIn(far)).toBe(digest)
    const { code, out } = await parlorHere(far, 'run', 'small.yaml', '--out', 'commanded', '--json')
    expect([code, (JSON.parse(out) as { digest: string }).digest]).toEqual([0, digest])
    // The texts do count.
    expect(await digestIn(folderWith('a', TRACER.replace('deep(3,', 'deep(4,')))).not.toBe(digest)
  })

  it('and have its own files and the script of its room, however few calls of its own there are', async () => {
    const { message } = await thrownBy("import { maker } from 'parlor'\nexport default maker({}, () => ({\n  onRequest() { throw new Error(new Error('x').stack) },\n}))\n")
    const lines = message.split('\n')
    expect(lines[1]).toMatch(/^ {4}at \S*onRequest \(strategy:visitor\.ts:\d+:\d+\)$/)
    expect(lines.slice(2).filter((line) => !/^ {4}at \w+ \(parlor:room:\d+:\d+\)$/.test(line))).toEqual([])
    expect(lines).toHaveLength(11)
  })

  it.each([
    ['a handler', 'onRequest() {\n    null.x\n  }', ':4:10'],
    ['a getter that is read of what a handler threw', "onRequest() {\n    throw { get message() { return this.stack }, get stack() {\n      return new Error('x').stack } }\n  }", ':5:14'],
  ])('while the author of a strategy is told the real file and line of %s', async (_, handlers, place) => {
    const folder = folderWith('of (me)', `import { maker } from 'parlor'\nexport default maker({}, () => ({\n  ${handlers},\n}))\n`)
    const { code, err } = await parlorHere(folder, 'run', 'small.yaml')
    expect([code, err.split('\n')]).toEqual([1, expect.arrayContaining([`  at ${join(folder, 'visitor.ts')}${place}`])])
  })

  it('and of a mistake that V8 alone finds', async () => {
    const path = put(newFolder(), 'twice.js', 'let a = 1\nlet a = 2\n')
    await expect(loadStrategy(path, 'maker', '.')).rejects.toThrow(expect.objectContaining({ position: { file: path, line: 2, column: 5 } }))
  })

  it('and so in what it prints', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => { write.mockRestore() })
    const { message } = await thrownBy("import { maker } from 'parlor'\nexport default maker({}, () => ({\n  onRequest() {\n    console.log(new Error('x'), 'strategy:other.ts:1:1')\n    throw 'ended' },\n}))\n")
    expect(message).toBe('ended')
    expect(write.mock.calls).toHaveLength(1)
    expect(write.mock.calls[0]![0]).toMatch(/^Error: x\n {4}at Object\.onRequest \(file:\/\/\/.*visitor\.ts:4:17\)\n[^]* strategy:other\.ts:1:1\n$/)
  })
})
