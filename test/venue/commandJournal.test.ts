import { describe, expect, it } from 'vitest'
import { OutcomeCommand } from '../../src/venue/outcome/protocol/commands.ts'
import { OutcomeJournal } from '../../src/venue/outcome/protocol/journal.ts'
import { ParlayCommand } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayJournal } from '../../src/venue/parlay/protocol/journal.ts'

const T0 = 1_780_000_000_000_000
type AnyCommand = ParlayCommand | OutcomeCommand

/** A journal with room for one command, so that both arrays must grow, and commands for it. */
interface Kept {
  readonly journal: { readonly count: number; readonly poolCount: number; clear(): void; append(atUs: number, c: AnyCommand): void; read(row: number, c: AnyCommand): number }
  command(): AnyCommand
}

const SERVICES: readonly [string, () => Kept][] = [
  ['parlay', () => ({ journal: new ParlayJournal(3, 1) as Kept['journal'], command: () => new ParlayCommand() })],
  ['outcome', () => ({ journal: new OutcomeJournal(3, 1) as Kept['journal'], command: () => new OutcomeCommand() })],
]

/** Every number field of `c` with a value of its own, `legs` legs and `items` list entries. */
function distinct<C extends AnyCommand>(c: C, first: number, legs: number, items: number): C {
  c.reset(first, first + 1)
  let next = first + 2
  for (const [name, value] of Object.entries(c)) {
    if (typeof value === 'number' && !['op', 'account', 'legCount', 'listCount'].includes(name)) Object.assign(c, { [name]: next++ })
  }
  for (let i = 0; i < legs; i++) c.leg(next++, i % 2)
  for (let i = 0; i < items; i++) c.item(next++)
  return c
}

/** All that a command has. Legs and list entries beyond its counts are what an earlier command left. */
const shown = (c: AnyCommand): object => Object.fromEntries(Object.entries(c).map(([name, value]) =>
  [name, ArrayBuffer.isView(value) ? [...(value as Int32Array).subarray(0, name === 'list' ? c.listCount : c.legCount)] : value]))

describe.each(SERVICES)('the journal of the %s service', (_, made) => {
  it('INV-30 gives back every field, leg and list entry of each command, in the order applied', () => {
    const { journal, command } = made()
    const commands = [distinct(command(), 100, 2, 0), distinct(command(), 200, 0, 7), distinct(command(), 300, 5, 3), distinct(command(), 400, 0, 0)]
    commands.forEach((c, i) => journal.append(T0 + i, c))
    expect(journal.count).toBe(4)
    const back = command()
    commands.forEach((c, i) => {
      expect(journal.read(i, back)).toBe(T0 + i)
      expect(shown(back)).toEqual(shown(c))
    })
  })

  it('begins anew when it is cleared', () => {
    const { journal, command } = made()
    journal.append(T0, distinct(command(), 100, 3, 2))
    journal.clear()
    expect([journal.count, journal.poolCount]).toEqual([0, 0])
    journal.append(T0 + 9, distinct(command(), 500, 1, 1))
    const back = command()
    expect(journal.read(0, back)).toBe(T0 + 9)
    expect(shown(back)).toEqual(shown(distinct(command(), 500, 1, 1)))
  })
})
