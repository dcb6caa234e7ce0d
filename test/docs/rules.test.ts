import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readRules, RULE_PAGES, ruleText } from '../../tools/docs/rules.ts'

describe('the pages of rules', () => {
  it.for(RULE_PAGES)('say what the catalogue of the $service service says; `npm run docs:rules` writes them', (one, context) => {
    if (!existsSync(one.catalogue)) {
      console.warn(`SKIPPED ${context.task.name}: no rule catalogue at ${one.catalogue}`)
      context.skip()
    }
    expect(readFileSync(one.page, 'utf8')).toBe(ruleText(one, readFileSync(one.catalogue, 'utf8')))
  })

  it('are read back as they were written, by section', () => {
    const csv = 'id,section,kind,layer,rule\nPQ-001,One,state,mechanics,"A | b, <c>."\nPQ-002,One,gap,api,Nothing is said.\nPQ-003,Two,fee,mechanics,1 %\n'
    expect(readRules(ruleText({ service: 'parlay', title: 'a service' }, csv))).toEqual([
      { id: 'PQ-001', section: 'One', kind: 'state', layer: 'mechanics', rule: 'A | b, <c>.' },
      { id: 'PQ-002', section: 'One', kind: 'gap', layer: 'api', rule: 'Nothing is said.' },
      { id: 'PQ-003', section: 'Two', kind: 'fee', layer: 'mechanics', rule: '1 %' },
    ])
  })

  it('number the rules without a gap', () => {
    for (const { page } of RULE_PAGES) {
      const ids = readRules(readFileSync(page, 'utf8')).map(({ id }) => Number(id.slice(3)))
      expect(ids.toSorted((a, b) => a - b)).toEqual(ids.map((_, i) => i + 1))
    }
  })
})
