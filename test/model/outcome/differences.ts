import { FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { OUTCOME_OP_NAMES } from '../../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_EVENT_NAMES } from '../../../src/venue/outcome/protocol/events.ts'
import type { ModelCommand } from './command.ts'
import type { Row } from './namedRows.ts'
import type { Posting } from './rows.ts'

/** Where two plain objects differ, or null. Their fields may stand in any order. */
export function differenceOf(expected: object | undefined, got: object | undefined): string | null {
  if (expected === undefined) return got === undefined ? null : 'only the venue has it'
  if (got === undefined) return 'only the model has it'
  const names = Object.keys(expected)
  for (const name of names) {
    const a = (expected as Record<string, unknown>)[name]
    const b = (got as Record<string, unknown>)[name]
    if (Object.is(a, b)) continue
    if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
      const inner = differenceOf(a, b)
      if (inner === null) continue
      return `${name}: ${inner}`
    }
    return `${name} is ${JSON.stringify(a)} in the model, ${JSON.stringify(b)} in the venue`
  }
  const further = Object.keys(got).length > names.length ? Object.keys(got).find((name) => !names.includes(name)) : undefined
  if (further !== undefined) return `${further} is in the venue alone`
  return null
}

const CODE_NAMES = Object.fromEntries(Object.entries(OutcomeCode).map(([name, code]) => [code, name]))

export function textOf(items: readonly (Row | Posting)[]): string {
  return items.map((item) => {
    const fields = Object.entries(item).filter(([, value]) => value !== -1).map(([name, value]) => {
      if (name === 'kind') return OUTCOME_EVENT_NAMES[value as number]
      if (name === 'code') return `code ${CODE_NAMES[value as number] ?? value}`
      return `${name} ${JSON.stringify(value)}`
    })
    return `  ${fields.join(', ')}`
  }).join('\n')
}

export function commandText(command: ModelCommand): string {
  const fields = Object.entries(command).filter(([name, value]) => name !== 'op' && value !== -1 && JSON.stringify(value) !== '[]')
  const side = command.op < FIRST_PARTICIPANT_OP ? 'operator' : 'participant'
  const shown = fields.map(([name, value]) => `${name} ${typeof value === 'number' ? value : JSON.stringify(value)}`)
  return `${OUTCOME_OP_NAMES[command.op] ?? `op ${command.op} (${side})`} ${shown.join(', ')}`
}
