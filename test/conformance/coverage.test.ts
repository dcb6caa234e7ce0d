import { describe, expect, it } from 'vitest'
import { idsOfTitle, provenIds } from './coverage.ts'

describe('conformance counting', () => {
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
