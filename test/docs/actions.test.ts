import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { actionsText, documentedActions, PAGE } from '../../tools/docs/actions.ts'

it('the page of the actions says what their sources say; `npm run docs:actions` writes it', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(actionsText())
})

it('an action is documented with what it takes, gives and throws', () => {
  const { signatures, parameters, returns, throws, example } = documentedActions().get('run')!
  expect(signatures).toEqual(['run(scenario: Scenario, options: StoredRunOptions): Promise<StoredRun>', 'run(scenario: Scenario, options?: RunOptions & { readonly out?: undefined }): Promise<RunInMemory>'])
  expect([parameters, returns]).toEqual([[{ name: 'scenario', about: 'what `loadScenario` returns' }], 'digest, counts and summary, and the folder or the tables'])
  expect(throws.map((text) => text.split(' ', 1)[0])).toEqual(['InputError', 'RunFailure', 'Interrupted'])
  expect(example).toContain("{ out: 'runs/stored'")
  expect(readFileSync(PAGE, 'utf8')).toContain('loadScenario(source: string | ScenarioText | ScenarioInput, options?: LoadScenarioOptions): Scenario\n')
})
