import { describe, expect, it } from 'vitest'
import * as contract from '../../src/venue/contract.ts'
import * as outcome from '../../src/venue/outcome/protocol/commands.ts'
import * as parlay from '../../src/venue/parlay/protocol/commands.ts'
import { allSources, code } from './sources.ts'

/** Where all fields of a command count alike: the class, the journal, the fingerprint of a repeat, and what passes an operator's input on. */
const ALIKE = [
  'engine/config.ts', 'engine/serviceFrame.ts', 'record/journalFields.ts', 'venue/outcome/gate/idempotency.ts', 'venue/outcome/protocol/commands.ts',
  'venue/outcome/protocol/journal.ts', 'venue/outcome/protocol/terms.ts', 'venue/parlay/protocol/commands.ts', 'venue/parlay/protocol/journal.ts',
]
/** `InvalidField.value2` is the place that an answer points at. */
const UNNAMED = /(?<!InvalidField\.)\bvalue2\b|\b(?:c|command|terms|built)\.value\b|\bvalue\b[^;(){}]*\}(?:\s*=\s*(?:c|command|terms)\b|: (?:Parlay|Outcome)Command\b)/g

const readsUnnamed = (text: string): string[] => code(text).match(UNNAMED) ?? []

const kindsOf = (module: object): [string, string[]][] => Object.entries(module)
  .filter(([, names]) => typeof names === 'object' && Object.values(names).every((field) => field === 'value' || field === 'value2'))
  .map(([kind, names]) => [kind, Object.values(names as Record<string, string>)])

describe('the fields of a command that its kind names', () => {
  it('are read and written by these names alone', () => {
    const faults = allSources().filter(({ path }) => !ALIKE.includes(path) && path !== 'venue/outcome/protocol/codes.ts')
      .flatMap(({ path, text }) => readsUnnamed(text).map((found) => `src/${path}: ${found}`))
    expect(faults).toEqual([])
  })

  it.each([
    'if (c.value === 1) return', 'command.value2 = 0', 'terms.value = c[IssueKey.scopes]', 'const { value: owner } = c',
    'const { account, value } = command', 'const isRead = ({ op, value: route }: OutcomeCommand) => op === 1', 'send({ [SetFault.fault]: 1, value2: 1 })',
  ])('would be noticed in %s', (text) => {
    expect(readsUnnamed(text)).toHaveLength(1)
  })

  it.each(['read.value', 'refuseField(s, c, InvalidField.value2)', 'const { [SetFault.fault]: fault } = c', '// c.value', 'const { value } = quantity'])(
    'are not meant by %s', (text) => { expect(readsUnnamed(text)).toEqual([]) },
  )

  it.each([
    ['parlay', parlay, parlay.ParlayOp], ['outcome', outcome, outcome.OutcomeOp],
  ] as const)('belong to an opcode of the %s service, each to one name', (_service, module, ops) => {
    const kinds = kindsOf(module)
    expect(kinds.length).toBeGreaterThanOrEqual(10)
    for (const [kind, fields] of kinds) {
      expect(ops).toHaveProperty(kind[0]!.toLowerCase() + kind.slice(1))
      expect(new Set(fields).size).toBe(fields.length)
    }
    expect(kindsOf(contract).map(([kind]) => kind)).toEqual(['Resolve', 'SetFault'])
  })
})
