import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeBettor, fakeMaker, bettor, maker } from '../../src/index.ts'
import { HandlerMistakes } from '../../src/scenario/knownHandlers.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { importOf } from '../../src/scenario/strategies.ts'
import { loadNamedStrategy, writtenValues } from '../../src/scenario/tradedStrategy.ts'
import { callStrategy } from '../../src/trade/strategyFailure.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { newFolder, put, SMALL } from './small.ts'

const SCENE = SMALL.replace('max: 200', 'max: 20')

/** What a run ends with whose seats have a maker or a bettor of these files, '' for nothing. `folder` stands in place of the folder's path. */
async function endOf(files: Readonly<Record<string, string>>, isTrusted: boolean, from: string | RegExp = 'use: fixed-margin', to = 'use: ./mine.ts'): Promise<string> {
  const folder = newFolder()
  for (const [name, text] of Object.entries(files)) put(folder, name, text)
  const loaded = loadScenario(put(folder, 'small.yaml', SCENE.replace(from, to)))
  const prepared = await prepareScenario(loaded, undefined, { importFile: importOf(isTrusted) })
  try {
    await runScenario(loaded, prepared, { target: { path: join(folder, 'run'), force: false, numbered: false } })
    return ''
  } catch (error) {
    if (!(error instanceof HandlerMistakes)) throw error
    return error.describe().replaceAll(folder, 'folder')
  }
}

const MAKER = (handlers: string): string => `import { maker } from 'parlor'

export default maker({}, () => ({
  ${handlers}
}))
`

describe.each([['in a room', false], ['trusted', true]])('handlers that there are not, %s,', (_, isTrusted) => {
  it('are refused at their line, with what was meant', async () => {
    const said = await endOf({ 'mine.ts': MAKER('onReqest(request, desk) { desk.pass("never") },') }, isTrusted)
    expect(said).toMatch(/^folder\/mine\.ts:4:3: a maker has no handler onReqest; did you mean onRequest\?\n {2}hint: handlers of a maker: onRequest, onLater, /)
    expect(said).toContain('> 4 |   onReqest(request, desk)')
  })

  it('are told of all at once, and in the file that has them', async () => {
    const files = { 'mine.ts': "import { maker } from 'parlor'\nimport { handlers } from './more.ts'\nexport default maker({}, () => handlers)\n", 'more.ts': 'export const handlers = {\n  onAck() {},\n  onAcks() {},\n  onFire: () => {},\n} as object\n' }
    const said = await endOf(files, isTrusted)
    expect(said).toMatch(/^folder\/more\.ts:3:3: a maker has no handler onAcks; did you mean onAck\?\n/)
    expect(said).toMatch(/^folder\/more\.ts:4:3: a maker has no handler onFire\n/m)
    expect(said).toMatch(/2 mistakes$/)
  })

  it('are those of the other role, and those that a class inherits', async () => {
    const file = "import { bettor } from 'parlor'\nclass Base { onDecision() {} onRequest() {} }\nclass Mine extends Base { onArrival() {} }\nexport default bettor({}, () => new Mine())\n"
    expect(await endOf({ 'mine.ts': file }, isTrusted, 'kind: noise, n', 'use: ./mine.ts, n')).toMatch(/^folder\/mine\.ts:2:30: onRequest is a handler of a maker, and this is a bettor\n/)
  })

  it('are none of a strategy’s own methods and values, and handlers are made once for each seat', async () => {
    const file = `import { maker } from 'parlor'
let seats = 0
export default maker({}, () => {
  if (++seats > 1) throw new Error('created again')
  return { online() {}, once: 1, onHold: true, priceOf: () => 0.5, On() {}, onRequest(request, desk) { desk.pass(String(this.priceOf())) } } as object
})
`
    expect(await endOf({ 'mine.ts': file }, isTrusted)).toBe('')
  })

  it('are refused to a client of a served session', async () => {
    const file = put(newFolder(), 'mine.ts', MAKER('onAkc() {},'))
    const { strategy: { create } } = await loadNamedStrategy(file, importOf(isTrusted))
    const make = create as (values: object, seat: object) => object
    expect(() => callStrategy({ role: 'maker', name: 'mine' }, 'create', () => make({}, { name: 'mine', capitalMicros: 1, random: () => 0.5 }))).toThrow(HandlerMistakes)
  })
})

describe('a fake', () => {
  const OTHERS: object = { onReqest() {} }

  it('refuses a handler that there is not', () => {
    expect(() => fakeMaker(maker({}, () => OTHERS))).toThrow('a maker has no handler onReqest; did you mean onRequest?')
    expect(() => fakeBettor(bettor({}, () => ({ onArrival() {}, onDecision() {}, onOpen() {} })))).toThrow('a bettor has no handler onOpen; did you mean onOpened?')
  })

  it('refuses a parameter that there is not, and a value that is no number', () => {
    const one = maker({ margin: { default: 0.04, min: 0, max: 1, unit: 'fraction' } }, () => ({}))
    expect(() => fakeMaker(one, { params: { mragin: 0.02 } as object })).toThrow(InputError)
    expect(() => fakeMaker(one, { params: { mragin: 0.02 } as object })).toThrow('the strategy has no parameter mragin; did you mean margin?')
    expect(() => fakeMaker(one, { params: { margin: NaN } })).toThrow('the parameter margin is a number, not NaN')
    expect(() => fakeMaker(one, { params: { margin: '4%' } as object })).toThrow('the parameter margin is a number, not 4%')
    expect(() => fakeMaker(one, { params: { toString: 1 } as object })).toThrow('the strategy has no parameter toString')
  })
})

it('parlor trade says which parameter was meant', () => {
  expect(() => writtenValues({ margin: { default: 0.04, min: 0, max: 1, unit: 'fraction' } }, ['mragin=2%'])).toThrow('--set mragin=2%: the strategy has no such parameter; did you mean margin?')
})
