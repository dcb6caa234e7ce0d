import { expect, it } from 'vitest'
import type { PositionView } from '../../../src/agent/views.ts'
import { StandingNotes } from '../../../src/serve/session/standingNotes.ts'

const view = (position: number, isHolder = false, profitMicros = 0): PositionView => ({ position, isHolder, profitMicros }) as PositionView

it('of notes that are gone those stand whose positions have not ended, each seat’s and each side’s own', () => {
  const notes = new StandingNotes()
  notes.opened(3, 'a backs 1', 'a', view(1))
  notes.opened(4, 'b holds 1', 'b', view(1, true))
  notes.opened(5, 'a backs 2', 'a', view(2))
  notes.ended(6, 'a', view(1, false, -7))
  notes.resulted(7, 'market 9', 9)
  const standing = (from = 0) => notes.from(from).map(({ n, text }) => `${n} ${text}`)
  // None of these is gone yet, and then the first is.
  notes.goneTo(3)
  expect(standing()).toEqual([])
  notes.goneTo(4)
  expect(standing()).toEqual(['3 a backs 1'])
  notes.goneTo(6)
  expect([standing(), standing(5), notes.profitMicros('a')]).toEqual([['3 a backs 1', '4 b holds 1', '5 a backs 2'], ['5 a backs 2'], 0])
  notes.goneTo(100)
  expect([standing(), notes.profitMicros('a'), notes.profitMicros('b')]).toEqual([['4 b holds 1', '5 a backs 2', '7 market 9'], -7, 0])
  notes.ended(101, 'a', view(2, false, 10))
  notes.ended(102, 'b', view(1, true, 1))
  notes.goneTo(103)
  expect([standing(), notes.profitMicros('a'), notes.profitMicros('b')]).toEqual([['7 market 9'], 3, 1])
})
