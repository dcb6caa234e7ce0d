import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { KEPT_NAMES } from '../../src/agent/roomNames.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { Room } from '../../src/scenario/room.ts'
import { roomModules } from '../../src/scenario/roomModules.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { newFolder, put, SMALL } from './small.ts'

const SCENE = SMALL.replace('max: 200', 'max: 40').replace('makers:\n', 'makers:\n  - { name: visitor, use: ./visitor.ts, capital: 50000 USDC }\n')

const visitor = (body: string, above = ''): string => `import { maker } from 'parlor'
${above}
export default maker({}, () => ({
  onRequest(request, desk) {
    ${body}
  },
}))
`

/** The message with which a session ends that has the strategy, '' for none. */
async function played(strategy: string): Promise<{ readonly message: string }> {
  const folder = newFolder()
  put(folder, 'visitor.ts', strategy)
  const loaded = loadScenario(put(folder, 'small.yaml', SCENE))
  return runScenario(loaded, await prepareScenario(loaded), { target: { path: join(folder, 'run'), force: false, numbered: false } })
    .then(() => ({ message: '' }), (error: unknown) => ({ message: (error as Error).message }))
}

/** Names of `KEPT_NAMES` that a room without permissions has not: each other one must be there, and none besides. */
const EXPECTED = Object.fromEntries(Object.entries(KEPT_NAMES)
  .filter(([path]) => !path.startsWith('Date'))
  .map(([path, names]) => [path, names.split(/\s+/).filter((name) => name !== '' && `${path} ${name}` !== 'Error.prototype stack').sort()]))

/** Walks all that the language leads to, and throws the names that are there and not expected, or the other way round. */
const COMPARING = visitor(`
    const expected = ${JSON.stringify(EXPECTED)}
    const nameOf = (key) => (typeof key === 'string' ? key : '@@' + key.description.replace('Symbol.', ''))
    const typeOf = Object.getPrototypeOf
    const unnamed = {
      'Object.getPrototypeOf(globalThis)': typeOf(globalThis), TypedArray: typeOf(Int8Array), AsyncFunction: (async () => {}).constructor,
      GeneratorFunction: (function * () {}).constructor, AsyncGeneratorFunction: (async function * () {}).constructor,
      ArrayIterator: typeOf([].values()), StringIterator: typeOf(''[Symbol.iterator]()), MapIterator: typeOf(new Map().keys()), SetIterator: typeOf(new Set().keys()),
      RegExpStringIterator: typeOf('a'.matchAll(/a/g)), WrappedIterator: typeOf(Iterator.from({ next() {} })), IteratorHelper: typeOf([].values().map(() => 0)),
      AsyncIterator: typeOf(typeOf((async function * () {}).prototype)),
    }
    const seen = new Set()
    const differences = []
    const waiting = [
      ['globalThis', globalThis], ['Object.prototype', Object.prototype], ['Function.prototype', Function.prototype], ['Iterator.prototype', Iterator.prototype],
      ...Object.entries(unnamed),
    ]
    for (const [path, object] of waiting) {
      if (Object(object) !== object || seen.has(object)) continue
      seen.add(object)
      const isEmpty = (key) => key !== 'undefined' && 'value' in Object.getOwnPropertyDescriptor(object, key) && object[key] === undefined
      const own = Reflect.ownKeys(object).filter((key) => !isEmpty(key) && !(object === globalThis && key === 'console'))
      const implied = ['constructor', '@@toStringTag', ...(typeof object === 'function' ? ['length', 'name', 'prototype'] : [])]
      const names = own.map(nameOf).filter((name) => !implied.includes(name)).sort()
      const isPlainFunction = typeof object === 'function' && !own.includes('prototype') && names.length === 0
      if (path in expected) {
        differences.push(...names.filter((name) => !expected[path].includes(name)).map((name) => path + ' has ' + name))
        differences.push(...expected[path].filter((name) => !names.includes(name)).map((name) => path + ' lacks ' + name))
        delete expected[path]
      } else if (!isPlainFunction) differences.push(path + ' is reached: ' + names.join(' '))
      for (const key of own) {
        const { value, get, set } = Object.getOwnPropertyDescriptor(object, key)
        const at = (path === 'globalThis' ? '' : path + '.') + nameOf(key)
        waiting.push([at, value], [at + ' (get)', get], [at + ' (set)', set])
      }
      waiting.push(['prototype of ' + path, typeOf(object)])
    }
    differences.push(...Object.keys(expected).map((path) => path + ' is not reached'))
    if (differences.length > 0) throw new Error(differences.join('; '))`)

describe('a room has the names of the list', () => {
  it('which has none that depends on more than a run\'s inputs, acts outside of a call or reads bits', () => {
    const never: Readonly<Record<string, string>> = {
      globalThis: 'Date Intl Temporal ShadowRealm gc Atomics ArrayBuffer SharedArrayBuffer DataView WeakRef FinalizationRegistry WebAssembly eval escape unescape Proxy',
      Math: 'random', Symbol: 'for keyFor', Error: 'captureStackTrace prepareStackTrace', 'TypedArray.prototype': 'toLocaleString',
      'String.prototype': 'localeCompare toLocaleLowerCase toLocaleUpperCase', 'Date.prototype': 'toLocaleString toLocaleDateString toLocaleTimeString',
      'Number.prototype': 'toLocaleString', 'BigInt.prototype': 'toLocaleString', 'Array.prototype': 'toLocaleString', 'Object.prototype': 'toLocaleString',
    }
    for (const [path, names] of Object.entries(never)) {
      const kept = KEPT_NAMES[path]!.split(/\s+/)
      expect([path, names.split(' ').filter((name) => kept.includes(name))]).toEqual([path, []])
    }
  })

  it('and no others', async () => {
    expect((await played(COMPARING)).message).toBe('')
  })

  it('and no others in a Node that has more', async () => {
    const folder = newFolder()
    put(folder, 'visitor.ts', COMPARING)
    const scene = put(folder, 'small.yaml', SCENE)
    const flags = ['--harmony-temporal', '--harmony-shadow-realm', '--expose-gc']
    const node = promisify(execFile)
    const { stdout } = await node(process.execPath, [...flags, '-p', '[typeof Temporal, typeof ShadowRealm, typeof gc].join()'])
    expect(stdout.trim()).toBe('object,function,function')
    await node(process.execPath, [...flags, 'bin/parlor.mjs', 'run', scene, '--out', join(folder, 'run')])
  })
})

describe('no number is read as bits in a room', () => {
  it.each([
    ['by a buffer', 'new Uint32Array(new Float64Array(1).buffer)', 'buffer is not there: typed arrays hold numbers'],
    ['by a buffer of its own', 'new ArrayBuffer(8)', 'ArrayBuffer is not defined: typed arrays hold numbers'],
    ['by a view of any kind', 'new DataView({})', 'DataView is not defined: typed arrays hold numbers'],
    ['by shared memory', 'new SharedArrayBuffer(8)', 'SharedArrayBuffer is not defined'],
  ])('%s', async (_, body, message) => {
    expect((await played(visitor(body))).message).toContain(message)
  })

  it('nor while the file is evaluated', async () => {
    const path = put(newFolder(), 'mine.ts', `import { maker } from 'parlor'
let about = ''
try { about = String(new Uint32Array(new Float64Array(1).buffer)) } catch (error) { about = (error as Error).message }
export default maker({}, () => ({}), { about })
`)
    expect((await Room.evaluating(pathToFileURL(path).href, await roomModules(path), []))?.about).toContain('buffer is not there: typed arrays hold numbers')
  })

  it('by a constructor that a typed array names for its parts', async () => {
    const { message } = await played(visitor(`
    const floats = new Float64Array([1, 2])
    const found = []
    function Species(...given) { found.push(...given); return new Uint32Array(8) }
    Object.defineProperty(floats, 'constructor', { value: { [Symbol.species]: Species } })
    class Own extends Float64Array { static get [Symbol.species]() { return Species } }
    for (const one of [floats, new Own(2)]) {
      if (!(one.subarray(0) instanceof Float64Array)) throw new Error('another kind')
      one.slice(0)
      one.map((x) => x)
      one.filter(() => true)
    }
    Uint32Array.from(floats)
    new Uint32Array(floats).set(floats)
    if (found.length < 6 || found.some((given) => typeof given !== 'number')) throw new Error('found ' + found.map(String).join())`))
    expect(message).toBe('')
  })

  it('and typed arrays work as ever', async () => {
    const { message } = await played(visitor(`
    const floats = Float64Array.of(1.5, -2.5, NaN, 4)
    const texts = [
      floats.subarray(1), floats.subarray(-3, -1), floats.subarray(3, 1), floats.subarray(1, 99).subarray(1.9), floats.slice(1, 2), floats.map((x) => 2 * x),
      new Int8Array([1, 2, 300]).subarray(2), new BigInt64Array([1n, -2n]).subarray('1'), new Uint8ClampedArray(floats).subarray(undefined, 2),
    ].map((part) => part.constructor.name + ' ' + part)
    const part = floats.subarray(1, 3)
    part[0] = 7
    floats[2] = 8
    texts.push(part, floats, part.byteOffset, floats.byteLength, part.length)
    try { floats.subarray.call([1]) } catch (error) { texts.push(error.message) }
    throw new Error(texts.join('|'))`))
    expect(message).toContain([
      'Float64Array -2.5,NaN,4', 'Float64Array -2.5,NaN', 'Float64Array ', 'Float64Array NaN,4', 'Float64Array -2.5', 'Float64Array 3,-5,NaN,8',
      'Int8Array 44', 'BigInt64Array -2', 'Uint8ClampedArray 2,0', '7,8', '1.5,7,8,4', '8', '32', '2',
    ].join('|'))
  })
})
