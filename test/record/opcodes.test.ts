import { describe, expect, it } from 'vitest'
import { journalTable } from '../../src/record/logTables.ts'
import { type Opcode, opcodes } from '../../src/record/opcodes.ts'
import { COMMAND_FIELDS as OUTCOME_FIELDS, OUTCOME_OP_NAMES } from '../../src/venue/outcome/protocol/commands.ts'
import { COMMAND_FIELDS as PARLAY_FIELDS, PARLAY_OP_NAMES } from '../../src/venue/parlay/protocol/commands.ts'

const all = opcodes()
const COLUMNS = journalTable().spec.columns.map(({ name }) => name)
const SETS = { parlay: PARLAY_FIELDS, outcome: OUTCOME_FIELDS } as const

describe('the opcodes of the dictionary', () => {
  it('are those of the services, each once', () => {
    const said = (service: Opcode['service']): string[] => all.filter((one) => one.service === service).map(({ op }) => op)
    expect(said('parlay').toSorted()).toEqual(Object.values(PARLAY_OP_NAMES).toSorted())
    expect(said('outcome').toSorted()).toEqual(Object.values(OUTCOME_OP_NAMES).toSorted())
  })

  it('name columns of the journal, and fields of the protocol', () => {
    for (const { service, fields } of all) {
      for (const { column, field, about } of fields) {
        expect(COLUMNS).toContain(column)
        expect(about.length).toBeGreaterThan(1)
        if (column === 'more') expect(SETS[service]).toContain(field)
      }
    }
  })

  it('say what a number means where the protocol numbers words', () => {
    const of = (service: string, op: string, at: string): string => all.find((one) => one.service === service && one.op === op)!.fields.find(({ column }) => column === at)!.about
    expect(of('parlay', 'resolveMarket', 'value')).toBe('0 NO, 1 YES, 2 void')
    expect(of('outcome', 'setFault', 'value')).toContain('4 chainDropped')
    expect(of('parlay', 'createKey', 'value')).toContain('1024 mm:quote')
  })
})
