import { move, transferableSymbol, valueSymbol } from 'piscina'
import { ownSourceTree } from '../scenario/run.ts'
import { Points } from './points.ts'
import { playSession, type SessionAnswer, type SessionOrder } from './session.ts'

/** Of this thread: it stays warm between tasks. */
const points = new Points()
const loaded = ownSourceTree()

/** Plays a task in a worker of the pool; the arrays of its scores are moved to the caller. */
export async function playTask(order: SessionOrder): Promise<unknown> {
  const answer: SessionAnswer = await playSession(points, loaded, order)
  if (answer.kind !== 'played') return answer
  const buffers = answer.scores.flatMap(({ sums, values }) => [sums.buffer, values.buffer])
  return move({ [transferableSymbol]: buffers, [valueSymbol]: answer })
}
