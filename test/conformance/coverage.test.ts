import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { readRules, type Rule } from '../../tools/docs/rules.ts'
import { allSources } from '../architecture/sources.ts'
import { CATALOGUES, failuresOf, idsOfTitle, namesRule, provenIds, readChoices, readUnseen, standingOf } from './coverage.ts'

/** Gap rows of each layer in each catalogue, as counted by hand. */
const GAPS: Readonly<Record<string, Readonly<Record<string, number>>>> = { parlay: { mechanics: 27, api: 36 }, outcome: { mechanics: 21, api: 22 } }

describe('conformance counting', () => {
  it('reads what was chosen for a gap, several to a row', () => {
    expect([...readChoices('| rule | chosen | where |\n|---|---|---|\n| PQ-001, PQ-002 | ten | here |\n| PQ-003 | a `b` | there |')])
      .toEqual([['PQ-001', 'ten'], ['PQ-002', 'ten'], ['PQ-003', 'a `b`']])
  })

  it.for(CATALOGUES.flatMap((catalogue) => ['mechanics', 'api'].map((part) => ({ ...catalogue, part }))))('finds a recorded choice for every gap of $service, $part', ({ service, rules, page, part }) => {
    const choices = readChoices(readFileSync(page, 'utf8'))
    const gaps = readRules(readFileSync(rules, 'utf8')).filter(({ layer, kind }) => layer === part && kind === 'gap')
    expect(gaps).toHaveLength(GAPS[service]![part]!)
    expect(gaps.filter(({ id }) => !choices.has(id))).toEqual([])
  })

  it('finds rules of the api in the table of what cannot be seen, each with its choice', () => {
    const api = CATALOGUES.flatMap(({ rules }) => readRules(readFileSync(rules, 'utf8'))).filter(({ layer }) => layer === 'api').map(({ id }) => id)
    expect([...readUnseen().keys()].filter((id) => !api.includes(id))).toEqual([])
    expect([...readUnseen().keys()]).toHaveLength(3)
  })

  it('counts a gap by its choice and what cannot be seen as chosen, unless it is proven, and a rule with neither as open', () => {
    const rule = (id: string, kind: string): Rule => ({ id, kind, layer: 'api' }) as Rule
    const rules = [rule('PQ-001', 'error'), rule('PQ-002', 'gap'), rule('PQ-003', 'gap'), rule('PQ-004', 'error'), rule('PQ-005', 'error'), rule('PQ-006', 'gap')]
    const choices = new Map(['PQ-002', 'PQ-003', 'PQ-004'].map((id) => [id, 'ten']))
    const { proven, chosen, open } = standingOf(rules, new Set(['PQ-001', 'PQ-002']), { choices, unseen: new Map([['PQ-005', 'none'], ['PQ-001', 'none']]) })
    const idsOf = (some: readonly Rule[]): string[] => some.map(({ id }) => id)
    expect([idsOf(proven), idsOf(chosen), idsOf(open)]).toEqual([['PQ-001', 'PQ-002'], ['PQ-003', 'PQ-005'], ['PQ-004', 'PQ-006']])
  })

  it.each([["it('PQ-042 refuses'", true], ["['OM-001', 1]", true], ['INV-30', true], ['SPQ-042', false], ['PQ-', false]])('finds out whether %j names a rule', (text, isNamed) => {
    expect(namesRule(text)).toBe(isNamed)
  })

  it.each([
    ['PQ-042 refuses a bet', ['PQ-042']],
    ['PQ-042 PQ-166 INV-01 holds', ['PQ-042', 'PQ-166', 'INV-01']],
    ['refuses PQ-042', []],
    ['PQ-042', ['PQ-042']],
    ['OM-250 INV-05 takes the fee', ['OM-250', 'INV-05']],
  ])('reads the ids at the head of %j', (title, ids) => {
    expect(idsOfTitle(title)).toEqual(ids)
  })

  it('finds no test that claims more than three rules', () => {
    expect(allSources('test').flatMap(({ text }) => text.match(/(?<=it(?:\.\w+)*\(|\]\)\()['`"](?:(?:PQ|OM|INV)-\d+ ){4}.*/gm) ?? [])).toEqual([])
  })

  it('counts an id only while every test that claims it passes', () => {
    const proven = provenIds([
      { title: 'PQ-001 a', status: 'passed' }, { title: 'PQ-002 a', status: 'passed' }, { title: 'PQ-002 b', status: 'failed' },
      { title: 'PQ-003 a', status: 'pending' },
    ])
    expect([...proven]).toEqual(['PQ-001'])
  })

  it('names each test that failed with why, and a file that failed outside of its tests', () => {
    const passed = { title: 'is well', status: 'passed', failureMessages: [] }
    expect(failuresOf(JSON.stringify({ testResults: [
      { name: 'a.test.ts', status: 'passed', message: '', assertionResults: [passed] },
      { name: 'b.test.ts', status: 'failed', message: '', assertionResults: [passed, { title: 'PQ-001 a', status: 'failed', failureMessages: ['1 is not 2'] }] },
      { name: 'c.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      { name: 'd.test.ts', status: 'failed', message: 'after the last test', assertionResults: [passed] },
    ] }))).toEqual(['b.test.ts: PQ-001 a\n1 is not 2', 'c.test.ts\nno such module', 'd.test.ts\nafter the last test'])
  })
})
