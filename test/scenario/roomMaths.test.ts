import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import * as parlor from '../../src/index.ts'
import { Room } from '../../src/scenario/room.ts'
import { roomModules } from '../../src/scenario/roomModules.ts'
import { newFolder, put } from './small.ts'

/** Calls of what strategies reckon with, as a strategy writes them. */
const CALLS = [
  'jointProbability([0.41, 0.57, 0.73], 0.3)', 'jointProbability([0.41, 0.57, 0.73, 0.2], [1, 0.5, 0.1, 0.2, 0.5, 1, 0.1, 0.3, 0.1, 0.1, 1, 0.1, 0.2, 0.3, 0.1, 1])',
  'normalOrthant([0.1, -0.4, 0.9], 0.25)', 'bivariateNormal(0.3, -1.2, 0.8)', 'normalCdf(-3.3)', 'normalQuantile(0.031)',
  "fairProbability(0.43, 0.49, 'power')", 'fairProbabilities([0.43, 0.39, 0.29])', 'oddsE4FloorOfProbability(0.31)',
] as const
const MISTAKES = ['jointProbability([0.5, 2], 0.3)', 'bivariateNormal(0, 0, 3)', 'fairProbability(0.4, NaN)', 'oddsE4FloorOfProbability(0)'] as const
const NAMES = Object.keys(parlor).filter((name) => [...CALLS, ...MISTAKES].some((call) => call.startsWith(`${name}(`)))

const evaluate = (expression: string): unknown => new Function('parlor', `const { ${NAMES.join(', ')} } = parlor; return ${expression}`)(parlor)
const TOLD = (call: string): string => `(() => { try { return ${call} } catch (error) { return error.name + ': ' + error.message } })()`

/** What a strategy in a room gets of an expression. */
async function inRoom(expression: string): Promise<unknown> {
  const text = `import { maker, ${NAMES.join(', ')} } from 'parlor'\nexport default maker({}, () => ({}), { about: JSON.stringify(${expression}) })\n`
  const path = put(newFolder(), 'mine.js', text)
  return JSON.parse((await Room.evaluating(pathToFileURL(path).href, await roomModules(path), []))!.about as string)
}

it('a room reckons to the bit what is reckoned outside of it, as a test of a strategy does', async () => {
  const all = `[${CALLS.join(', ')}]`
  expect(await inRoom(all)).toEqual(JSON.parse(JSON.stringify(evaluate(all))))
})

it('a strategy\'s mistake is an Error of the strategy in a room and outside, and no bug of parlor', async () => {
  const all = `[${MISTAKES.map(TOLD).join(', ')}]`
  const messages = [
    'Error: probabilities[1] is a probability within 0 … 1, not 2', 'Error: rho is a correlation within −1 … 1, not 3',
    'Error: ask is a price within 0 … 1, not NaN', 'Error: probability is a finite number above 0, not 0',
  ]
  expect(evaluate(all)).toEqual(messages)
  expect(await inRoom(all)).toEqual(messages)
})
