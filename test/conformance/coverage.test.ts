import { describe, expect, it } from 'vitest'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { idsOfTitle, provenIds, readChoices, readRules } from './coverage.ts'

const PAGE = fileURLToPath(new URL('../../docs/conformance/parlay.md', import.meta.url))
const CATALOGUE = fileURLToPath(new URL('../../../shared/spec/parlay-rules.csv', import.meta.url))

describe('conformance counting', () => {
  it('reads what was chosen for a gap, several to a row', () => {
    expect([...readChoices('| rule | chosen | where |\n|---|---|---|\n| PQ-001, PQ-002 | ten | here |\n| PQ-003 | a `b` | there |')])
      .toEqual([['PQ-001', 'ten'], ['PQ-002', 'ten'], ['PQ-003', 'a `b`']])
  })

  it('finds a recorded choice for every gap of the mechanics', (context) => {
    if (!existsSync(CATALOGUE)) {
      console.warn(`SKIPPED ${context.task.name}: no rule catalogue at ${CATALOGUE}`)
      context.skip()
    }
    const choices = readChoices(readFileSync(PAGE, 'utf8'))
    const gaps = readRules(CATALOGUE).filter(({ layer, kind }) => layer === 'mechanics' && kind === 'gap')
    expect(gaps).toHaveLength(27)
    expect(gaps.filter(({ id }) => !choices.has(id))).toEqual([])
  })

  it.each([
    ['PQ-042 refuses a bet', ['PQ-042']],
    ['PQ-042 PQ-166 INV-01 holds', ['PQ-042', 'PQ-166', 'INV-01']],
    ['refuses PQ-042', []],
    ['PQ-042', ['PQ-042']],
  ])('reads the ids at the head of %j', (title, ids) => {
    expect(idsOfTitle(title)).toEqual(ids)
  })

  it('counts an id only while every test that claims it passes', () => {
    const proven = provenIds([
      { title: 'PQ-001 a', status: 'passed' }, { title: 'PQ-002 a', status: 'passed' }, { title: 'PQ-002 b', status: 'failed' },
      { title: 'PQ-003 a', status: 'pending' },
    ])
    expect([...proven]).toEqual(['PQ-001'])
  })
})
