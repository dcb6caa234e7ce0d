import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { importOf } from '../../src/scenario/strategies.ts'
import { mistakes, newFolder, prepared, put, SMALL } from './small.ts'

/** The maker in whose seat each strategy of this file sits. */
const SEAT = '{ name: visitor, use: silent, capital: 50000 USDC }'
const SCENE = SMALL.replace('max: 200', 'max: 40').replace('makers:\n', `makers:\n  - ${SEAT}\n`)

/** The digest of a session with a strategy file in the seat, or of one with `silent` there. */
async function digestWith(strategy: string | null, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = newFolder()
  const scene = put(folder, 'small.yaml', strategy === null ? SCENE : SCENE.replace('use: silent', 'use: ./visitor.ts'))
  if (strategy !== null) put(folder, 'visitor.ts', strategy)
  for (const [name, text] of Object.entries(more)) put(folder, name, text)
  const loaded = loadScenario(scene)
  const { manifest } = await runScenario(loaded, await prepareScenario(loaded), { target: { path: join(folder, 'run'), force: false, numbered: false } })
  return manifest.digest
}

const visitor = (body: string, above = ''): string => `import { maker } from 'parlor'
${above}
export default maker({}, (p, seat) => ({
  onRequest(request, desk) {
    ${body}
  },
}))
`

/** Each line is tried by itself, and whatever is refused is let go. */
const trying = (...lines: readonly string[]): string => visitor(lines.map((line) => `try { ${line} } catch {}`).join('\n    '))

const failureWith = (strategy: string, more?: Readonly<Record<string, string>>): Promise<string> => digestWith(strategy, more).then(() => 'nothing', (error: unknown) => (error as Error).message)

let silent: string
beforeAll(async () => { silent = await digestWith(null) })

describe('a strategy in its room changes no row beside what its commands do', () => {
  it.each([
    ['looks for later prices and other seats', trying('desk.board.ticks', 'desk.port.seats', 'desk.wake(1e18)', 'desk.book.wake(1e18)', 'request.row.bestOddsE4 = 1')],
    ['writes, freezes and traps what it is given', trying(
      'Object.freeze(request)', 'request.legs.count = 0', "Object.defineProperty(request, 'request', { get: () => 0 })", 'desk.quote = () => {}',
      'Object.setPrototypeOf(desk, null)', "Object.defineProperty(Object.getPrototypeOf(desk), 'nowUs', { value: 0 })", 'delete Object.getPrototypeOf(request).request',
    )],
    ['patches what programs share', trying(
      'Object.prototype.polluted = 1', "Object.defineProperty(Object.prototype, 'op', { get: () => 1 })", 'Array.prototype.sort = () => []', 'Math.floor = () => 0',
      'Array.prototype.push = () => 0', 'Map.prototype.get = () => undefined', 'Float64Array.prototype.fill = () => 0', 'globalThis.Object = null', 'JSON.stringify = () => ""',
      'Function.prototype.call = () => 0', 'Reflect.apply = () => 0', 'Array[Symbol.species] = null', 'Promise.prototype.then = null',
    )],
    ['climbs from what it is given to a function maker', trying(
      "desk.constructor.constructor('return process')().exit(3)", "desk.quote.constructor('return process')().exit(3)", "request.legs.markets.constructor.constructor('return process')().exit(3)",
      "seat.random.constructor('return process')().exit(3)", "(async () => {}).constructor('return process')()", "(function * () {}).constructor('return process')().next().value.exit(3)",
      "globalThis.constructor.constructor('return process')().exit(3)",
    )],
    ['climbs from errors and their frames', trying(
      "try { desk.quote({}, { probability: 0.5, validUs: 1e6 }) } catch (error) { error.constructor.constructor('return process')().exit(3) }",
      "try { desk.legPrice(request.legs, 1e9, { priceType: 'ask', maxAgeUs: 1 }) } catch (error) { Object.getPrototypeOf(error).constructor.constructor('return process')().exit(3) }",
      'Error.prepareStackTrace = (error, frames) => frames[0].getThis().process.exit(3); new Error().stack', 'Error.captureStackTrace({})',
    )],
    ['leaves promises that nobody waits for', trying('Promise.resolve().then(() => { for (;;) {} })', 'new Promise(() => {})')],
    ['keeps views for later', visitor('const kept = globalThis.kept ?? request; try { kept.request; } catch {}')],
    ['makes subclasses of what is shared', trying('class Mine extends Array { static get [Symbol.species]() { throw 1 } } new Mine(3).map(() => 1)', 'class Late extends Promise {} Late.resolve(1)')],
    ['hands over what calls it back', trying("desk.price(request.legs, { priceType: 'ask', maxAgeUs: { valueOf: () => { desk.pass('again'); return 1 } } })")],
  ])('that %s', async (_, strategy) => {
    expect(await digestWith(strategy)).toBe(silent)
  })

  it('with modules beside it, which it shares with nobody', async () => {
    const strategy = visitor('shown.push(request.request)', "import { shown } from './kept.ts'")
    expect(await digestWith(strategy, { 'kept.ts': 'export const shown: number[] = []\n' })).toBe(silent)
  })
})

describe('a strategy in its room is stopped by name', () => {
  const THREW = /^strategy of visitor threw in on(?:Request|Later) at \d+ µs: /

  it.each([
    ['reads the clock', 'Date.now()', 'Date is not defined: time is desk.nowUs'],
    ['draws unseeded', 'Math.random()', 'Math.random is not a function: a maker draws by seat.random()'],
    ['ends the process', 'process.exit(0)', 'process is not defined'],
    ['sets a timer', 'setTimeout(() => {}, 0)', 'setTimeout is not defined'],
    ['repeats for ever', 'setInterval(() => {}, 0)', 'setInterval is not defined'],
    ['reads files', "require('fs')", 'require is not defined'],
    ['asks the network', "fetch('http://localhost')", 'fetch is not defined'],
    ['makes functions of text', "new Function('return 1')()", 'Code generation from strings disallowed'],
    ['shares memory', 'new SharedArrayBuffer(8)', 'SharedArrayBuffer is not defined'],
    ['keeps something between sessions', 'globalThis.kept = request', 'Cannot add property kept'],
    ['forges legs', 'desk.exposure({ count: 1, markets: [0], sides: [1 / 3] })', 'legs are those of a view'],
    ['throws a proxy', 'throw new Proxy({}, { get() { throw 1 } })', 'it threw a proxy'],
    ['throws nothing', 'throw null', 'null'],
    ['throws an error that lies', "throw { get message() { for (const a of [1]) throw a }, name: 'Bug' }", 'it threw an object that is no error'],
    ['asks to be called again at once, for ever', 'desk.later(request, 0) },\n  onLater(request, desk) {\n    desk.later(request, 0)', 'it did not let time pass'],
    ['floods the service', 'for (let i = 0; i < 200_000; i++) desk.withdrawQuote(request)', 'it did not let time pass'],
    ['returns a promise', 'return Promise.resolve()', 'onRequest is no plain function: handlers answer at once'],
    ['overflows the stack', 'const f = () => f(); f()', 'Maximum call stack size exceeded'],
    ['overflows the stack in calls of the desk, climbs from the error, and hides it', `
      let isOut = false
      const climb = () => {
        try {
          climb()
        } catch {}
        try {
          desk.price(request.legs, { priceType: 'ask', maxAgeUs: 1 })
        } catch (error) {
          try {
            isOut ||= typeof error.constructor.constructor('return process')() === 'object'
          } catch {}
        }
      }
      climb()
      if (isOut) throw new Error('it is out')`, 'Maximum call stack size exceeded'],
  ])('that %s', async (_, body, message) => {
    const said = await failureWith(visitor(body))
    expect(said).toMatch(THREW)
    expect(said).toContain(message)
  })

  it.each([
    ['handlers behind a proxy', 'export default maker({}, () => new Proxy({}, {}))', 'handlers stand in a plain object'],
    ['a handler behind a getter', 'export default maker({}, () => ({ get onRequest() { return () => {} } }))', 'onRequest is no plain property'],
    ['an asynchronous handler', 'export default maker({}, () => ({ async onRequest() {} }))', 'onRequest is no plain function: handlers answer at once'],
    ['handlers that are yet to come', 'export default maker({}, async () => ({}))', 'create is async'],
    ['no handlers', 'export default maker({}, () => 5)', 'it returned no handlers'],
  ])('that has %s', async (_, text, message) => {
    expect(await failureWith(`import { maker } from 'parlor'\n${text}\n`)).toMatch(new RegExp(`^strategy of visitor threw in create at \\d+ µs: ${message}`))
  })

  it.each([
    ['imports a module of Node', "import { readFileSync } from 'node:fs'\n", 'a strategy imports parlor and files beside it, not node:fs'],
    ['imports a package', "import yaml from 'yaml'\n", 'a strategy imports parlor and files beside it, not yaml'],
    ['imports while it runs', "const a = import('./a.ts')\n", 'a strategy imports nothing while it runs'],
    ['waits while it loads', 'await new Promise(() => {})\n', 'await is only valid in async functions'],
    ['reads the clock while it loads', 'const now = Date.now()\n', 'Date is not defined'],
  ])('before it plays, where it %s', async (_, text, message) => {
    const said = await failureWith(`${text}${visitor('')}`)
    expect(said).toMatch(/^the strategy does not load: /)
    expect(said).toContain(message)
  })
})

it('the manifest names strategies that ran in no room, and no others', async () => {
  const { identityOf } = await import('../../src/scenario/run.ts')
  const folder = newFolder()
  put(folder, 'visitor.ts', "export default { role: 'maker', parameters: {}, create: () => ({ onRequest: () => { Date.now() } }) }\n")
  const loaded = loadScenario(put(folder, 'small.yaml', SCENE.replace('use: silent', 'use: ./visitor.ts')))
  const trustedIn = async (isTrusted: boolean) => identityOf(await prepareScenario(loaded, undefined, { importFile: importOf(isTrusted) })).trusted
  expect([await trustedIn(true), await trustedIn(false)]).toEqual([['./visitor.ts'], undefined])
})

describe('a strategy in its room has what the scenario allows, and no more', () => {
  const probe = visitor(`
    const clock = typeof Date === 'function' ? new Date(0).toISOString() : 'none'
    const random = typeof Math.random === 'function' ? Math.random() >= 0 : 'none'
    const more = ['Intl', 'setTimeout', 'process', 'require', 'fetch'].filter((name) => name in globalThis)
    const locale = typeof Date === 'function' && 'toLocaleString' in Object.getOwnPropertyDescriptors(Date.prototype)
    const frozen = typeof Date !== 'function' || Object.isFrozen(Date) && Object.isFrozen(Date.prototype)
    throw new Error(JSON.stringify([clock, random, more, locale, frozen]))`)

  it.each([
    ['[]', '["none","none",[],false,true]'],
    ['[clock]', '["1970-01-01T00:00:00.000Z","none",[],false,true]'],
    ['[random]', '["none",true,[],false,true]'],
    ['[random, clock, random]', '["1970-01-01T00:00:00.000Z",true,[],false,true]'],
  ])('of %s', async (allow, found) => {
    const folder = newFolder()
    put(folder, 'visitor.ts', probe)
    const loaded = loadScenario(put(folder, 'small.yaml', `${SCENE.replace('use: silent', 'use: ./visitor.ts')}strategies: { allow: ${allow} }\n`))
    const scenario = await prepareScenario(loaded, undefined, { importFile: importOf(false, loaded.file.strategies.allow) })
    const played = runScenario(loaded, scenario, { target: { path: join(folder, 'run'), force: false, numbered: false } })
    await expect(played).rejects.toThrow(found)
  })

  it.each([
    ['{ allow: [files] }', 'expected clock or random, got "files": a room has no files, network, timers or packages, and --trusted runs strategy files in none'],
    ['{ allow: clock }', 'expected a list of permissions, got "clock"'],
    ['{ callLimit: 99ms }', 'must be 100ms to 1d, got "99ms"'],
    ['{ memoryLimit: 127 MiB }', 'must be 128 MiB to 1024 GiB, got "127 MiB"'],
    ['{ memoryLimit: 1.5 MiB }', 'is finer than a MiB'],
    ['{ memoryLimit: 512 }', 'expected an amount of memory such as 512 MiB or 2 GiB, got 512'],
    ['{ actionsPerInstant: 0 }', 'must be 1 to 1000000000, got 0'],
    ['{ deny: [clock] }', 'unknown key deny'],
  ])('which is none of strategies: %s', async (section, message) => {
    expect(await mistakes(/$/, `strategies: ${section}\n`)).toEqual([expect.stringContaining(message)])
  })

  it('and a scenario that has the section with its defaults alone is the same', async () => {
    const identity = async (text: string) => (await prepared(text)).prepared.resolved
    expect(await identity(`${SMALL}strategies: { allow: [], actionsPerInstant: 100000, callLimit: 2s, memoryLimit: 2 GiB }\n`)).toEqual(await identity(SMALL))
    expect((await identity(`${SMALL}strategies: { actionsPerInstant: 99 }\n`)).strategies).toEqual({ actionsPerInstant: 99 })
  })
})
