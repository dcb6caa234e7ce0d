import { describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { identityOf } from '../../src/scenario/run.ts'
import { newFolder, prepared, put, SMALL } from './small.ts'

const withSection = (section: string): string => `${SMALL}sweep: ${section}\n`

function mistakeOf(section: string): string {
  try {
    loadScenario(put(newFolder(), 'small.yaml', withSection(section)))
  } catch (error) {
    if (error instanceof ScenarioMistakes) return error.describe()
    throw error
  }
  return ''
}

describe('the sweep section', () => {
  it('says axes as texts, whatever they are written as', () => {
    const section = '{ design: list, axes: { makers.0.params.margin: 2%..4%:3, makers.1.count: [1, 2, true] }, replications: 5 }'
    expect(loadScenario(put(newFolder(), 'small.yaml', withSection(section))).file.sweep).toEqual({
      design: 'list', replications: 5, expect: [],
      axes: [{ path: 'makers.0.params.margin', span: { values: ['2%', '3%', '4%'] } }, { path: 'makers.1.count', span: { values: ['1', '2', 'true'] } }],
    })
  })

  it('is no part of what a run is', async () => {
    const [plain, swept] = [await prepared(SMALL), await prepared(withSection('{ axes: { makers.0.params.margin: [2%, 4%] }, replications: 5 }'))]
    expect(identityOf(swept.prepared)).toEqual(identityOf(plain.prepared))
  })

  it.each([
    ['{ axes: { makers.0.params.margin: 8%..2% } }', 'sweep.axes.makers.0.params.margin: expected a range from the lower end to the higher'],
    ['{ axes: { makers.0.params.margin: [[1]] } }', 'or a list of values, got a list'],
    ['{ design: cube }', 'expected grid or list or random or sobol, got'],
    ['{ replications: 0 }', 'must be 1 to 100000'],
    ['{ axis: {} }', 'unknown key axis; did you mean axes?'],
  ])('is checked where it stands: %s', (section, message) => {
    const mistake = mistakeOf(section)
    expect(mistake).toContain(message)
    expect(mistake).toMatch(/small\.yaml:\d+:\d+/)
  })
})
