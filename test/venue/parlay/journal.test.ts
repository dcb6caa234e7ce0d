import { describe, expect, it } from 'vitest'
import { ParlayCommand } from '../../../src/venue/parlay/protocol/commands.ts'
import { ParlayJournal } from '../../../src/venue/parlay/protocol/journal.ts'
import { T0 } from './driver.ts'

/** Every number field of a command with a value of its own, `legs` legs and `items` list entries. */
function distinctCommand(first: number, legs: number, items: number): ParlayCommand {
  const c = new ParlayCommand().reset(first, first + 1)
  let next = first + 2
  for (const [name, value] of Object.entries(c)) {
    if (typeof value === 'number' && !['op', 'account', 'legCount', 'listCount'].includes(name)) Object.assign(c, { [name]: next++ })
  }
  for (let i = 0; i < legs; i++) c.leg(next++, i % 2)
  for (let i = 0; i < items; i++) c.item(next++)
  return c
}

const shown = (c: ParlayCommand): object => ({
  ...c, legMarkets: [...c.legMarkets.subarray(0, c.legCount)], legSides: [...c.legSides.subarray(0, c.legCount)],
  list: [...c.list.subarray(0, c.listCount)],
})

describe('a journal', () => {
  it('INV-30 gives back every field, leg and list entry of each command, in the order applied', () => {
    // Room for one command, so that both arrays must grow.
    const journal = new ParlayJournal(3, 1)
    const commands = [distinctCommand(100, 2, 0), distinctCommand(200, 0, 7), distinctCommand(300, 5, 3), distinctCommand(400, 0, 0)]
    commands.forEach((c, i) => journal.append(T0 + i, c))
    expect(journal.count).toBe(4)
    const back = new ParlayCommand()
    commands.forEach((c, i) => {
      expect(journal.read(i, back)).toBe(T0 + i)
      expect(shown(back)).toEqual(shown(c))
    })
  })

  it('begins anew when it is cleared', () => {
    const journal = new ParlayJournal(3, 1)
    journal.append(T0, distinctCommand(100, 3, 2))
    journal.clear()
    expect([journal.count, journal.poolCount]).toEqual([0, 0])
    journal.append(T0 + 9, distinctCommand(500, 1, 1))
    const back = new ParlayCommand()
    expect(journal.read(0, back)).toBe(T0 + 9)
    expect(shown(back)).toEqual(shown(distinctCommand(500, 1, 1)))
  })
})
