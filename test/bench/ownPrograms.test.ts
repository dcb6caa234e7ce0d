import { expect, test } from 'vitest'
import { otherPrograms } from '../../bench/ownPrograms.ts'
import type { Room } from '../../bench/room.ts'

const played: (string | number)[][] = []
const room = {
  play: (...call: (string | number)[]) => {
    played.push(call)
    return { onOne: 2, onTwo: 3, ratio: 1.5 }
  },
} as unknown as Room
const { programs } = otherPrograms(room, { sweepTasks: 6, ticks: 1, arrowRows: 1 })

test('of figures in wall time only the ratio of two workers to one is compared', () => {
  const comparedBy = new Map(programs.flatMap(({ figures }) => figures.map((figure) => [figure.key, figure.comparedBy])))
  expect(['sweep.1', 'sweep.2', 'sweep.ratio', 'startUp', 'arrow'].map((key) => comparedBy.get(key)))
    .toEqual(['nothing', 'nothing', 'itself', 'nothing', 'calibration'])
})

test('one and two workers go first in turn', () => {
  played.length = 0
  const sweep = programs.find(({ figures }) => figures.some(({ key }) => key === 'sweep.ratio'))!
  for (let round = 0; round < 3; round++) expect(sweep.run()).toEqual({ 'sweep.1': 2, 'sweep.2': 3, 'sweep.ratio': 1.5, 'sweep.machine': 1.5 })
  expect(played).toEqual([['sweep.ts', 6, 1], ['twice.ts'], ['sweep.ts', 6, 2], ['twice.ts'], ['sweep.ts', 6, 1], ['twice.ts']])
})
