import { expect, it, vi } from 'vitest'
import type { Session } from '../../src/engine/session.ts'
import { play } from '../../src/scenario/play.ts'

it.each([[128], [512]])('the event loop has a turn at fixed steps, by no clock, with chunks of %i steps', async (chunkSteps) => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(0)
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  const turnsBefore: [step: number, turns: number][] = []
  let steps = 0
  const session = {
    chunkSteps, nowUs: 0, counts: { arrivals: 0, commands: 0 },
    run(played: number) {
      if (steps % 4096 === 0 || turns !== turnsBefore.at(-1)?.[1]) turnsBefore.push([steps, turns])
      steps += played
      return steps < 3 * 4096 + 1024
    },
  } as unknown as Session
  await play(session, [], { startUs: 0, untilUs: 1, arrivalsMax: null })
  clearImmediate(next)
  now.mockRestore()
  expect(turnsBefore).toEqual([[0, 0], [4096, 1], [8192, 2], [12288, 3]])
})
