import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { ownSourceTree } from '../scenario/run.ts'
import { Points } from './points.ts'
import { playSession, type SessionAnswer, type SessionNotice, type SessionOrder } from './session.ts'

/** Of this thread: it stays warm between tasks. */
const points = new Points()
const loaded = ownSourceTree()

/** Timers that keep a thread alive: what one of them throws would end the session that is played then. */
const timersRunning = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** Plays a task in a worker of the pool; the arrays of its scores are moved to the caller. */
export async function playTask(order: SessionOrder): Promise<unknown> {
  const notify = (kind: SessionNotice['kind']): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker has no origin
    parentPort!.postMessage({ folder: order.folder, kind } satisfies SessionNotice)
  }
  const before = timersRunning()
  const answer: SessionAnswer = await playSession(points, loaded, order, () => { notify('begins') })
  // A promise that a strategy left rejected ends this worker here, in the session whose strategy it was.
  await setImmediate()
  if (timersRunning() > before) {
    notify('leaves')
    process.exit(1)
  }
  if (answer.kind !== 'played') return answer
  const buffers = answer.scores.flatMap(({ sums, values }) => [sums.buffer, values.buffer])
  return move({ [transferableSymbol]: buffers, [valueSymbol]: answer })
}
