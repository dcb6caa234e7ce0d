import { afterEach, describe, expect, it, vi } from 'vitest'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import { FIRST_PARTICIPANT_OP } from '../../src/venue/contract.ts'
import * as outcome from '../../src/venue/outcome/protocol/commands.ts'
import * as parlay from '../../src/venue/parlay/protocol/commands.ts'
import { behindGate } from './curious.ts'
import { gateConfig } from './gateWorld.ts'

const SECONDS = 15
const UNSET = -1

type Named = Record<string, string>

/** The kinds of participants' commands, and the binding, which name fields. An operator's inputs are passed on whatever their kind is. */
const kindsOf = (module: object, ops: Readonly<Record<string, number>>): [string, Named][] => Object.entries(module).filter(([kind, names]) => {
  const op = ops[kind[0]!.toLowerCase() + kind.slice(1)]
  return op !== undefined && typeof names === 'object' && (op >= FIRST_PARTICIPANT_OP || kind === 'BindAccount')
}) as [string, Named][]

const KINDS = [...kindsOf(parlay, parlay.ParlayOp), ...kindsOf(outcome, outcome.OutcomeOp)]
const given = KINDS.map(([, names]) => ({ names, fields: { ...names } }))

/** Gives every name of every kind a field of its own, which is unset until a sender of that kind writes it. */
function setApart(): void {
  for (const [kind, names] of KINDS) for (const name of Object.keys(names)) names[name] = `${kind}.${name}`
  const fields = KINDS.flatMap(([, names]) => Object.values(names))
  for (const { prototype } of [parlay.ParlayCommand, outcome.OutcomeCommand]) {
    const { reset } = prototype as { reset(op: number, account: number): object }
    vi.spyOn(prototype as { reset(op: number, account: number): object }, 'reset').mockImplementation(function unset(this: object, op: number, account: number): object {
      for (const field of fields) (this as Record<string, number>)[field] = UNSET
      return reset.call(this, op, account)
    })
  }
}

afterEach(() => {
  for (const { names, fields } of given) Object.assign(names, fields)
  vi.restoreAllMocks()
})

function digestOf(config: typeof gateConfig | typeof behindGate): string {
  const digest = new Digest()
  new Session({ ...config(SECONDS), sinks: [digest] }).runToEnd()
  return digest.hex()
}

describe('a field of a command that its kind names', () => {
  it.each([['parlay', gateConfig], ['outcome', behindGate]] as const)(
    'is read by the name by which it was written, so that a field for each name changes nothing (%s)', (_service, config) => {
      const expected = digestOf(config)
      setApart()
      expect(digestOf(config)).toBe(expected)
    })
})
