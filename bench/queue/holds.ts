import { join } from 'node:path'
import type { FigureSpec, Program } from '../figures.ts'
import { type Room, works } from '../room.ts'
import { HOLD_SIZES, writeHoldModels } from './holdModel.ts'

export interface QueuePrograms {
  readonly programs: readonly Program[]
  readonly leftOut: readonly string[]
}

export interface HoldCounts {
  readonly measured: number
  readonly warm: number
}

/** Row titles by the keys that `hold.ts` knows the queues by. */
export const QUEUES: Readonly<Record<string, string>> = {
  wheel: 'timing wheel', heap: '4-ary heap on typed arrays', tinyqueue: 'tinyqueue', cpp: 'C++ std::priority_queue',
}

export const holdKey = (queue: string, size: number): string => `queue.${queue}.${size}`

/** The hold model on each queue, at each of its sizes. */
export function queuesIn(room: Room, { measured, warm }: HoldCounts): QueuePrograms {
  // Nothing is compiled in a measured process.
  room.play('queue/hold.ts', 'wheel', HOLD_SIZES[0], 1, 1)
  const checksums = new Map<number, number>()
  const program = (queue: string, line: (size: number) => Record<string, number>): Program => ({
    name: QUEUES[queue]!,
    figures: HOLD_SIZES.map((size): FigureSpec => ({
      key: holdKey(queue, size), name: `${QUEUES[queue]!} of ${size} events`, unit: 'million holds/s', better: 'more',
      comparedBy: queue === 'wheel' || queue === 'heap' ? 'calibration' : 'nothing',
    })),
    run: () => Object.fromEntries(HOLD_SIZES.map((size) => {
      const { millionHolds, checksum } = line(size)
      const expected = checksums.get(size) ?? checksum!
      if (checksum !== expected) throw new Error(`${QUEUES[queue]!} of ${size} events gives them in another order`)
      checksums.set(size, expected)
      return [holdKey(queue, size), millionHolds!]
    })),
  })
  const ours = ['wheel', 'heap', 'tinyqueue'].map((queue) => program(queue, (size) => room.play('queue/hold.ts', queue, size, measured, warm)))
  const binary = join(room.dir, 'priorityQueue')
  const source = join(import.meta.dirname, 'priorityQueue.cpp')
  if (!works('g++', ['-O3', '-march=native', '-o', binary, source])) {
    return { programs: ours, leftOut: ['std::priority_queue: g++ builds nothing here'] }
  }
  writeHoldModels(room.dir)
  return { programs: [...ours, program('cpp', (size) => room.run(binary, [room.dir, size, measured, warm]))], leftOut: [] }
}
