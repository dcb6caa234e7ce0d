import { existsSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { importOf } from '../../src/scenario/strategies.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { mistakes, newFolder, prepared, put, SMALL } from './small.ts'
import { CLIMB_ALL, reach } from './stackEnd.ts'

/** The maker in whose seat each strategy of this file sits. */
const SEAT = '{ name: visitor, use: silent, capital: 50000 USDC }'
const SCENE = SMALL.replace('max: 200', 'max: 40').replace('makers:\n', `makers:\n  - ${SEAT}\n`)

interface Played {
  readonly digest: string | null
  /** What ended the session, '' for nothing. */
  readonly message: string
  /** What the strategy wrote through Node's own `fs`, null where it could not. */
  readonly escaped: string | null
}

/** A session with a strategy file in the seat, or one with `silent` there. */
async function played(strategy: string | null, more: Readonly<Record<string, string>> = {}, importFile = importOf(false)): Promise<Played> {
  const folder = newFolder()
  const escape = join(folder, 'escaped')
  const scene = put(folder, 'small.yaml', strategy === null ? SCENE : SCENE.replace('use: silent', 'use: ./visitor.ts'))
  if (strategy !== null) put(folder, 'visitor.ts', strategy.includes('reach(') ? strategy + reach(escape) : strategy)
  for (const [name, text] of Object.entries(more)) put(folder, name, text)
  const loaded = loadScenario(scene)
  const run = prepareScenario(loaded, undefined, { importFile }).then((prepared) => runScenario(loaded, prepared, { target: { path: join(folder, 'run'), force: false, numbered: false } }))
  const { digest, message } = await run.then(({ manifest }) => ({ digest: manifest.digest, message: '' }), (error: unknown) => ({ digest: null, message: (error as Error).message }))
  // A promise that was left rejected is told of in these turns.
  await setImmediate()
  await setImmediate()
  return { digest, message, escaped: existsSync(escape) ? readFileSync(escape, 'utf8') : null }
}

async function digestWith(strategy: string | null, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { digest, message, escaped } = await played(strategy, more)
  expect([message, escaped]).toEqual(['', null])
  return digest!
}

const visitor = (body: string, above = ''): string => `import { maker } from 'parlor'
${above}
export default maker({}, (p, seat) => ({
  onRequest(request, desk) {
    ${body}
  },
}))
`

/** Each line must throw by itself. */
const refusing = (...lines: readonly string[]): string =>
  visitor(lines.map((line) => `{ let isThrough = true; try { ${line} } catch { isThrough = false } if (isThrough) throw new Error(${JSON.stringify(`got through: ${line}`)}) }`).join('\n    '))

/** Each line is tried by itself, and whatever is refused is let go. */
const trying = (...lines: readonly string[]): string => visitor(lines.map((line) => `try { ${line} } catch {}`).join('\n    '))

async function failureWith(strategy: string, more?: Readonly<Record<string, string>>): Promise<string> {
  const { message, escaped } = await played(strategy, more)
  expect(escaped).toBeNull()
  return message
}

let silent: string
beforeAll(async () => { silent = await digestWith(null) })

describe('a strategy in its room changes no row beside what its commands do', () => {
  it.each([
    ['looks for later prices and other seats', refusing('desk.board.ticks', 'desk.book.wake(1e18)', 'desk.port.seats', 'desk.wake(1e18)', 'request.row.bestOddsE4 = 1', 'request.legs.row.count')],
    ['writes to what it is given, and traps it', refusing(
      'request.request = 0', 'request.legs.count = 0', "Object.defineProperty(request, 'request', { get: () => 0 })", 'desk.quote = () => {}', 'seat.random = () => 0', 'seat.random.kept = 1',
      'Object.setPrototypeOf(desk, null)', "Object.defineProperty(Object.getPrototypeOf(desk), 'nowUs', { value: 0 })", 'delete Object.getPrototypeOf(request).request',
      'Object.getPrototypeOf(request.legs).market = () => 0',
    )],
    ['patches what programs share', refusing(
      'Object.prototype.polluted = 1', "Object.defineProperty(Object.prototype, 'op', { get: () => 1 })", 'Array.prototype.sort = () => []', 'Math.floor = () => 0',
      'Array.prototype.push = () => 0', 'Map.prototype.get = () => undefined', 'Float64Array.prototype.fill = () => 0', 'globalThis.Object = null', 'JSON.stringify = () => ""',
      'Function.prototype.call = () => 0', 'Reflect.apply = () => 0', 'Promise.prototype.then = null', 'Object.getPrototypeOf(function * () {}).prototype = null',
      'Object.getPrototypeOf([][Symbol.iterator]()).next = null', "Object.getPrototypeOf('a'.matchAll(/a/g)).next = null",
    )],
    ['climbs from what it is given to a maker of functions', refusing(
      "desk.constructor.constructor('return 1')()", "desk.quote.constructor('return 1')()", "request.legs.markets.constructor.constructor('return 1')()",
      "seat.random.constructor('return 1')()", "(async () => {}).constructor('return 1')()", "(function * () {}).constructor('return 1')()",
      "globalThis.constructor.constructor('return 1')()", "eval('1')",
    )],
    ['climbs from errors and their frames', refusing(
      "try { desk.quote({}, { probability: 0.5, validUs: 1e6 }) } catch (error) { error.constructor.constructor('return 1')() }",
      "try { desk.legPrice(request.legs, 1e9, { priceType: 'ask', maxAgeUs: 1 }) } catch (error) { Object.getPrototypeOf(error).constructor.constructor('return 1')() }",
      'Error.prepareStackTrace = (error, frames) => frames[0].getThis()', 'Error.captureStackTrace({})',
    )],
    ['hands over what calls it back, and is called once', visitor(`
    let calls = 0
    const maxAgeUs = { valueOf: () => { calls++; return 1e12 } }
    desk.price(request.legs, { priceType: 'ask', maxAgeUs })
    if (calls !== 1) throw new Error('called ' + calls + ' times')`)],
    ['has a realm of its own, from which no object of the engine is reached', visitor(`
    const seen = new Set()
    const waiting = [desk, request, request.legs, request.legs.markets, seat, globalThis]
    try { desk.legPrice(request.legs, 1e9, { priceType: 'ask', maxAgeUs: 1 }) } catch (error) { waiting.push(error) }
    while (waiting.length > 0) {
      const value = waiting.pop()
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
      seen.add(value)
      const root = typeof value === 'function' ? Function.prototype : Object.prototype
      if (value !== root && !root.isPrototypeOf(value) && Object.getPrototypeOf(value) !== null) throw new Error('of another realm: ' + String(value))
      waiting.push(Object.getPrototypeOf(value))
      for (const key of Reflect.ownKeys(value)) {
        const { value: held, get, set } = Object.getOwnPropertyDescriptor(value, key)
        waiting.push(held, get, set)
      }
    }
    if (seen.size < 500) throw new Error('only ' + seen.size + ' were looked at')`)],
    ['climbs to Node from what it is given', trying(
      "reach(desk, 'desk')", "reach(desk.quote, 'method')", "reach(request.legs.markets, 'list')", "reach(seat, 'seat')", "reach(seat.random, 'draw')", "reach(p, 'parameters')",
      "reach(globalThis, 'global')", "reach(console.log, 'console')", "reach(maker, 'parlor')", "reach(arguments, 'arguments')",
      "try { desk.quote({}, { probability: 0.5, validUs: 1e6 }) } catch (error) { reach(error, 'refusal') }",
      "try { Object.defineProperty(Error, 'prepareStackTrace', { value: (error, frames) => reach(frames, 'frames') }) } catch {} new Error().stack",
    )],
    ['keeps a state, and gives names that prototypes have to what it makes', `import { maker } from 'parlor'
export default maker({}, () => {
  const state = { toString: null, seen: 0 }
  return {
    state,
    onRequest() {
      const own = {}
      own.toString = () => 'its own'
      own.constructor = null
      if (String(own) !== 'its own' || own.constructor !== null || ++state.seen < 1) throw new Error('it was not kept')
    },
  }
})
`],
    ['keeps views for later', visitor('kept.push(request, desk); kept[0].request; kept[0].legs.markets; kept[1].nowUs', 'const kept = []')],
  ])('that %s', async (_, strategy) => {
    expect(await digestWith(strategy)).toBe(silent)
  })

  it('that leaves promises, of which none calls it back', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => { write.mockRestore() })
    expect(await digestWith(visitor("Promise.resolve().then(() => { console.log('it is called back') }); new Promise(() => {})"))).toBe(silent)
    expect(write.mock.calls).toEqual([])
  })

  it('whose handlers find what was made beside them, also in a field that no other code sees', async () => {
    const strategy = "import { maker } from 'parlor'\nclass Counting {\n  #calls = 0\n  onRequest() { this.#calls++ }\n}\nexport default maker({}, () => new Counting())\n"
    expect(await digestWith(strategy)).toBe(silent)
  })

  it('with modules beside it, which it shares with nobody', async () => {
    const strategy = visitor('shown.push(request.request)', "import { shown } from './kept.ts'")
    expect(await digestWith(strategy, { 'kept.ts': 'export const shown: number[] = []\n' })).toBe(silent)
  })
})

/** A proxy whose traps and calls show the lists that they are called with. */
const TRAP = "const trap = new Proxy(function () {}, { apply: (target, self, list) => { reach(list, 'a list of arguments'); return 'x' } })"
const INSPECTED = "const evil = { [Symbol.for('nodejs.util.inspect.custom')]: (depth, options, inspect) => { reach(inspect, 'inspect'); return 'x' } }"
/** Climbs to the end of the stack and tries something at each step back. What it catches there is looked at below. */
const climbing = (attempt: string): string => visitor(`
    if (calls++ > 1) return
    const climb = () => {
      try { climb() } catch (error) { if (!(error instanceof Error)) found ??= error }
      if (found !== undefined) return
      try { ${attempt} } catch (error) { if (!(error instanceof Error)) found ??= error }
    }
    climb()
    if (found !== undefined) reach(found, 'the end of the stack')`, 'let calls = 0\nlet found')

describe('a strategy in its room gets no object of another realm', () => {
  it('which a strategy in no room gets by the same means', async () => {
    const { escaped } = await played(visitor("reach(desk, 'desk')"), {}, importOf(true))
    expect(escaped).toBe('desk')
  })

  it.each([
    ['from a handler that is a proxy', `export default maker({}, () => ({ onRequest: trap }))`],
    ['from a text of an error', `class Odd extends Error {}\nObject.defineProperty(Odd.prototype, 'toString', { value: trap })\nexport default maker({}, () => ({ onRequest() { new Odd('x').stack } }))`],
    ['from a getter of what it throws', "export default maker({}, () => ({ onRequest() { throw Object.defineProperty({}, 'message', { get: trap }) } }))"],
    ['from the text of what a promise is rejected with', "export default maker({}, () => ({ onRequest() { const f = () => {}; Object.defineProperty(f, 'toString', { value: trap }); Promise.reject(f) } }))"],
    ['from a getter of what a promise is rejected with', "export default maker({}, () => ({ onRequest() { Promise.reject(Object.defineProperty({}, 'message', { get: trap })) } }))"],
    ['from the prototype of a rejected promise', 'export default maker({}, () => ({ onRequest() { Object.setPrototypeOf(Promise.reject(1), new Proxy({}, { get: trap })) } }))'],
    ['from create', "export default { role: 'maker', parameters: {}, create: trap }"],
    ['from what a class makes of a promise', 'class Late extends Promise { static get [Symbol.species]() { return trap } }\nexport default maker({}, () => ({ onRequest() { Late.reject(1).then(trap, trap) } }))'],
  ])('%s', async (_, text) => {
    const { message, escaped } = await played(`import { maker } from 'parlor'\n${TRAP}\n${text}\n`)
    expect([escaped, message]).toEqual([null, expect.stringContaining('Proxy is not defined: a strategy works on plain objects')])
  })

  it.each([
    ['Node calls to show an object', `${INSPECTED}\nexport default maker({}, () => ({ onRequest() { throw evil } }))`],
    ['Node calls to show what a promise was rejected with', `${INSPECTED}\nexport default maker({}, () => ({ onRequest() { Promise.reject(evil) } }))`],
  ])('by what %s', async (_, text) => {
    const { message, escaped } = await played(`import { maker } from 'parlor'\n${text}\n`)
    expect([escaped, message]).toEqual([null, expect.stringContaining('the strategy does not load: TypeError')])
  })

  it.each([
    ["an error's stack is read", "new Error('x').stack"],
    ['an error of the language is read', 'try { null.x } catch (error) { error.stack }'],
    ['the desk is asked for a price', "desk.price(request.legs, { priceType: 'ask', maxAgeUs: 1 })"],
    ['views are read', 'request.bestOddsE4; request.legs.count; request.legs.markets; desk.nowUs; desk.freeMicros; desk.name'],
    ['a draw is made', 'seat.random()'],
    ['legs are asked for', 'request.legs.market(0); desk.exposure(request.legs).worst'],
    ['an error is made of a proxy of its own text', "throw Object.assign(new Error('x'), { toString() { throw {} } })"],
  ])('at the end of the stack, where %s', async (_, attempt) => {
    expect((await played(climbing(attempt))).escaped).toBeNull()
  })
})

describe('a strategy in its room gets no object of another realm from what it is given at the end of the stack', () => {
  const QUOTING = "onRequest(request, desk) { desk.quote(request, { probability: 0.05, validUs: 8_000_000 }) },"

  it.each([
    ['a maker’s desk', 'onRequest(request, desk) { climbAll(desk) }'],
    ['its seat', 'onRequest() { climbAll(seat) }'], ['its console', 'onRequest() { climbAll(console) }'],
    ['an exposure', 'onRequest(request, desk) { climbAll(desk.exposure(request.legs)) }'],
    ['a request', 'onRequest(request) { climbAll(request) }'],
    ['legs', 'onRequest(request) { climbAll(request.legs) }'],
    ['an acknowledgement', `${QUOTING} onAck(ack) { climbAll(ack) }`],
    ['a selection', `${QUOTING} onSelected(selection) { climbAll(selection) }`],
    ['a position', `${QUOTING} onSettled(position) { climbAll(position) }`],
  ])('of %s', async (_, handlers) => {
    const { message, escaped } = await played(`import { maker } from 'parlor'\n${CLIMB_ALL}\nexport default maker({}, (p, seat) => ({ ${handlers}, onEnd() { if (climbed === 0) throw new Error('was not called') } }))\n`)
    expect([escaped, message]).toEqual([null, expect.not.stringContaining('was not called')])
  })
})

describe('a bettor in its room gets no object of another realm from what it is given at the end of the stack', () => {
  const ASKING = `onArrival(intent, desk) {
    intent.setLeg(0, 0, 1)
    intent.setLeg(1, 1, 1)
    intent.setLegCount(2)
    desk.requestQuote(intent, { betMicros: 5_000_000, minOddsE4: 10_001, decideInUs: 3_000_000 })
  }, onDecision(intent, desk) { if (intent.bestOddsE4 > 0) desk.commit(intent); else desk.cancelRequest(intent) },`

  it.each([
    ['its desk', 'onArrival(intent, desk) { climbAll(desk) }'], ['an intent', 'onArrival(intent) { climbAll(intent) }'], ['legs', 'onArrival(intent) { climbAll(intent.legs) }'],
    ['a holding', `${ASKING} onOpened(holding) { climbAll(holding) }`],
  ])('of %s', async (_, handlers) => {
    const folder = newFolder()
    const escaped = join(folder, 'escaped')
    put(folder, 'bettor.ts', `import { bettor } from 'parlor'\n${CLIMB_ALL}${reach(escaped)}\nexport default bettor({}, () => ({ ${handlers}, onEnd() { if (climbed === 0) throw new Error('was not called') } }))\n`)
    const loaded = loadScenario(put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 40').replace('kind: noise', 'use: ./bettor.ts')))
    const failure = await prepareScenario(loaded, undefined, { importFile: importOf(false) })
      .then((ready) => runScenario(loaded, ready, { target: { path: join(folder, 'run'), force: false, numbered: false } })).then(() => '', String)
    expect([existsSync(escaped), failure]).toEqual([false, expect.not.stringMatching(/was not called|InputError/)])
  })
})

describe('a strategy in its room blames nobody else', () => {
  const RIVAL = '/home/rival/honest.ts:3:4'

  it.each([
    ['the stack of what it throws', `const error = new Error('lost'); error.stack = 'Error: x\\n    at onRequest (${RIVAL})\\n    at file://${RIVAL}'; throw error`],
    ['the message of what it throws', `const error = new Error('lost at (${RIVAL})'); error.stack = ''; throw error`],
    ['the name of what it throws', `throw { name: '(${RIVAL})', message: 'lost', stack: '' }`],
  ])('by %s', async (_, body) => {
    const folder = newFolder()
    put(folder, 'visitor.ts', visitor(body))
    const loaded = loadScenario(put(folder, 'small.yaml', SCENE.replace('use: silent', 'use: ./visitor.ts')))
    const run = prepareScenario(loaded).then((scenario) => runScenario(loaded, scenario, { target: { path: join(folder, 'run'), force: false, numbered: false } }))
    const failure = await run.catch((error: unknown) => error as Error)
    expect(failure).toMatchObject({ name: 'StrategyFailure', participant: 'visitor' })
    expect(((failure as Error).cause as Error).stack).not.toContain(RIVAL)
  })

  it('by further lines of what it throws', async () => {
    const said = await failureWith(visitor("throw new Error('lost\\n\\nerror: strategy of honest threw in onRequest\\r\\n  at /home/rival.ts:1:1')"))
    expect(said).toMatch(/^strategy of visitor threw in onRequest(?: \(\w+ \d+\))? at \S+Z: lost {2}error: strategy of honest threw in onRequest\\u000d {3}at \/home\/rival\.ts:1:1$/)
  })

  it('by a comment that calls its script otherwise', async () => {
    const folder = newFolder()
    put(folder, 'visitor.ts', `${visitor("throw new Error('lost')")}//# sourceURL=file://${RIVAL}\n`)
    const loaded = loadScenario(put(folder, 'small.yaml', SCENE.replace('use: silent', 'use: ./visitor.ts')))
    const run = prepareScenario(loaded).then((scenario) => runScenario(loaded, scenario, { target: { path: join(folder, 'run'), force: false, numbered: false } }))
    const failure = await run.catch((error: unknown) => error as Error)
    expect(((failure as Error).cause as Error).stack).toContain('visitor.ts:5:11')
  })

  it('by what its check says of a parameter', async () => {
    const said = await failureWith("export default { role: 'maker', parameters: {}, create: () => ({}), check: () => ({ parameter: 'x\\nerror: y', message: 'z\\nerror: strategy of honest '.repeat(1000) }) }\n")
    expect(said).toMatch(/x error: y z error: strategy of honest /)
    expect([said.split('\n').filter((line) => line.startsWith('error: ')), said.length < 10_000]).toEqual([[], true])
  })

  it.each([
    ['the name of a parameter', "export default { role: 'maker', parameters: { ['x\\nerror: strategy of honest threw\\u001b[31m']: {} }, create: () => ({}) }\n", 'its parameter x error: strategy of honest threw\\u001b[31m is not a descriptor'],
    ['the name of a handler', "import { maker } from 'parlor'\nexport default maker({}, () => ({ ['onX\\nerror: strategy of honest threw\\u001b[31m']() {} }))\n", 'a maker has no handler onX error: strategy of honest threw\\u001b[31m'],
  ])('by %s', async (_, strategy, message) => {
    expect((await failureWith(strategy)).split('\n')[0]).toContain(message)
  })

  it('by what it writes to the terminal', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => { write.mockRestore() })
    await played(visitor("console.log('\\u001b[31mred\\u001b]0;title\\u0007 \\u202eturned')"))
    expect(write.mock.calls[0]).toEqual(['\\u001b[31mred\\u001b]0;title\\u0007 \\u202eturned\n'])
  })
})

it('a strategy in its room that prints without end is cut short, by name, and plays on', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => { write.mockRestore() })
  expect(await digestWith(visitor("for (let i = 0; i < 10; i++) console.log('x'.repeat(1e6))"))).toBe(silent)
  const lines = write.mock.calls.map(([text]) => String(text))
  expect(lines).toHaveLength(50)
  expect(lines.at(-2)).toMatch(/^x+ … 998,000 letters … x+\n$/)
  expect(lines.at(-1)).toMatch(/\/visitor\.ts: it printed 50,000,000 letters, and what it prints from now on is left out\n$/)
})

describe('a strategy in its room is stopped by name', () => {
  const THREW = /^strategy of visitor threw in on(?:Request|Later|Ack)(?: \(\w+ \d+\))? at \S+Z: /

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
    ['reads a view after its handler', 'kept = request\n    desk.quote(request, { probability: 0.5, validUs: 8e6 })\n  },\n  onAck() {\n    kept.request', 'a view holds during its handler only'],
    ['forges a request', 'desk.quote({ request: 1, version: 1, legs: request.legs }, { probability: 0.5, validUs: 1e6 })', 'this is no request that a handler was given'],
    ['forges legs', 'desk.exposure({ count: 1, markets: [0], sides: [1 / 3] })', 'legs are those of a view'],
    ['asks for a price of no kind', "desk.price(request.legs, { priceType: 'asks', maxAgeUs: 1 })", "a priceType is bid, mid or ask, not 'asks'"],
    ['asks for a chance by a price of no kind', "desk.winProbability(request.legs, { priceType: 5, maxAgeUs: 1 })", 'a priceType is bid, mid or ask, not something else'],
    ["asks for a leg's price of no kind", "desk.legPrice(request.legs, 0, { priceType: 'Bid', maxAgeUs: 1 })", "a priceType is bid, mid or ask, not 'Bid'"],
    ['makes a proxy', 'throw new Proxy({}, { get() { throw 1 } })', 'Proxy is not defined'],
    ['throws what cannot be read', 'throw { get message() { throw this }, get name() { throw this }, get stack() { throw this } }', 'it threw an object that is no error'],
    ['throws a function', 'throw Object.assign(() => {}, { message: { toString() { throw 1 } } })', 'it threw an object that is no error'],
    ['throws from what the desk makes a number of', "desk.price(request.legs, { priceType: 'ask', maxAgeUs: { valueOf() { throw { message: 'thrown late' } } } })", 'thrown late'],
    ['throws nothing', 'throw null', 'null'],
    ['throws an error that lies', "throw { get message() { for (const a of [1]) throw a }, name: 'Bug' }", 'it threw an object that is no error'],
    ['asks to be called again at once, for ever', 'desk.later(request, 0) },\n  onLater(request, desk) {\n    desk.later(request, 0)', 'it did not let time pass'],
    ['floods the service', 'for (let i = 0; i < 200_000; i++) desk.withdrawQuote(request)', 'it did not let time pass'],
    ['returns a promise', 'return Promise.resolve()', 'onRequest is no plain function: handlers answer at once'],
    ['overflows the stack', 'const f = () => f(); f()', 'Maximum call stack size exceeded'],
    ['overflows the stack in calls of the desk, and hides it', `
      const climb = () => {
        try {
          climb()
        } catch {}
        try {
          desk.price(request.legs, { priceType: 'ask', maxAgeUs: 1 })
        } catch {}
      }
      climb()`, 'Maximum call stack size exceeded'],
  ])('that %s', async (_, body, message) => {
    const said = await failureWith(visitor(body, 'let kept'))
    expect(said).toMatch(THREW)
    expect(said).toContain(message)
  })

  it('that meets an error of the engine, hides it, and looks where it is from', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => { write.mockRestore() })
    const said = await failureWith(visitor(`
    try {
      for (let i = 0; i <= 100_000; i++) desk.withdrawQuote(request)
    } catch (error) {
      console.log(error instanceof Error ? 'its own' : 'of another realm')
    }`))
    expect(said).toMatch(THREW)
    expect(said).toContain('it did not let time pass')
    expect(write.mock.calls.map(([text]) => text)).toEqual(['its own\n'])
  })

  it.each([
    ['a state that is no object', 'export default maker({}, () => ({ state: 5 }))', 'state is no object'],
    ['a generator for a handler', 'export default maker({}, () => ({ * onRequest() {} }))', 'onRequest is no plain function: handlers answer at once'],
    ['a handler behind a getter', 'export default maker({}, () => ({ get onRequest() { return () => {} } }))', 'onRequest is no plain property'],
    ['an asynchronous handler', 'export default maker({}, () => ({ async onRequest() {} }))', 'onRequest is no plain function: handlers answer at once'],
    ['handlers that are yet to come', 'export default maker({}, async () => ({}))', 'create is async'],
    ['no handlers', 'export default maker({}, () => 5)', 'it returned no handlers'],
  ])('that has %s', async (_, text, message) => {
    expect(await failureWith(`import { maker } from 'parlor'\n${text}\n`)).toMatch(new RegExp(`^strategy of visitor threw in create(?: \\(\\w+ \\d+\\))? at \\S+Z: ${message}`))
  })

  it.each([
    ['imports a module of Node', "import { readFileSync } from 'node:fs'\n", 'a strategy imports parlor and files beside it, not node:fs'],
    ['imports a package', "import yaml from 'yaml'\n", 'a strategy imports parlor and files beside it, not yaml'],
    ['imports while it runs', "const a = import('./a.ts')\n", 'a strategy imports nothing while it runs'],
    ['names what the room names', 'const text = "= await __vite_ssr_import__("\n', 'names that begin with __vite_ssr_ are those of the room'],
    ['waits while it loads', 'await new Promise(() => {})\n', 'a strategy awaits nothing while it is loaded'],
    ['waits for the end of what it uses', 'await using held = null\n', 'a strategy awaits nothing while it is loaded'],
    ['has a text that a script would run', `import { pct } from 'parlor'\nawait /${'`'}/.source; "${'`'} ; var await; }); import('node:fs'); (function () { //"\n`, 'a strategy awaits nothing while it is loaded'],
    ['asks where it lies', 'const folder = import.meta.dirname\n', 'a strategy does not know where it lies: import.meta needs --trusted'],
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

describe('a strategy in its room plays the same however often it was asked about its parameters', () => {
  const folderOf = (strategy: string, seats: string): string => {
    const folder = newFolder()
    put(folder, 'visitor.ts', strategy)
    put(folder, 'small.yaml', seats)
    return folder
  }
  const run = async (folder: string) => {
    const loaded = loadScenario(join(folder, 'small.yaml'))
    return runScenario(loaded, await prepareScenario(loaded), { target: { path: join(folder, 'run'), force: false, numbered: false } })
  }
  const verdicts = async (folder: string) => (await verifyRun(join(folder, 'run'))).checks.filter(({ ok }) => !ok)

  it('so that verify, which asks nothing, plays the digest of a maker that counts its checks', async () => {
    const counting = `import { maker } from 'parlor'
let asked = 0
const made = maker({}, () => ({
  onRequest(request, desk) {
    desk.quote(request, { probability: 0.5 + asked / 100, validUs: 8_000_000 })
  },
}))
export default { ...made, check() { asked++ } }
`
    const folder = folderOf(counting, SCENE.replace('use: silent', 'use: ./visitor.ts'))
    const { manifest } = await run(folder)
    expect(manifest.digest).not.toBe(silent)
    expect(await verdicts(folder)).toEqual([])
    expect((await run(folderOf(counting.replace('check() { asked++ }', 'check() {}'), SCENE.replace('use: silent', 'use: ./visitor.ts')))).manifest.digest).toBe(manifest.digest)
  })

  it('so that a bettor which says another thing when it is asked again sees no further than the manifest says', async () => {
    const lying = `import { bettor } from 'parlor'
let asked = 0
export default bettor({}, () => ({
  onArrival(intent, desk) {
    if (!desk.pickLegs(intent, 2, 0.05, 1e12)) return
    for (let i = 0; i < 2; i++) {
      const [now, ahead] = [desk.legPrice(intent.legs, i, { priceType: 'mid', maxAgeUs: 1e15 }), desk.futurePrice(intent.legs, i)]
      if (now !== ahead) throw new Error('it sees ' + ahead + ' at ' + now)
    }
  },
  onDecision() {},
}), { horizonUs: () => (asked++ === 0 ? 0 : 3600e6) })
`
    const folder = folderOf(lying, SMALL.replace('{ kind: noise, n', '{ name: seer, use: ./visitor.ts, latency: { feed: 0ms }, n'))
    const { manifest: { identity } } = await run(folder)
    expect((identity.scenario as { oracles: unknown }).oracles).toContainEqual({ cohort: 'seer', horizonUs: 0 })
    expect(await verdicts(folder)).toEqual([])
  })
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
    ['{ looksAgain: 0 }', 'must be 1 to 1000000000, got 0'],
    ['{ deny: [clock] }', 'unknown key deny'],
  ])('which is none of strategies: %s', async (section, message) => {
    expect(await mistakes(/$/, `strategies: ${section}\n`)).toEqual([expect.stringContaining(message)])
  })

  it('and a scenario that has the section with its defaults alone is the same', async () => {
    const identity = async (text: string) => (await prepared(text)).prepared.resolved
    expect(await identity(`${SMALL}strategies: { allow: [], actionsPerInstant: 100000, looksAgain: 1000000, callLimit: 2s, memoryLimit: 2 GiB }\n`)).toEqual(await identity(SMALL))
    expect((await identity(`${SMALL}strategies: { actionsPerInstant: 99 }\n`)).strategies).toEqual({ actionsPerInstant: 99 })
    expect((await identity(`${SMALL}strategies: { looksAgain: 99 }\n`)).strategies).toEqual({ looksAgain: 99 })
  })
})
