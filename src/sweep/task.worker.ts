import { parentPort } from 'node:worker_threads'
import { calledStrategy } from '../engine/calledStrategy.ts'
import { ownSourceTree } from '../scenario/run.ts'
import { nameSources } from '../scenario/sourcePlaces.ts'
import { freshImport, type Role, type Strategy } from '../scenario/strategies.ts'
import { type OpenHandle, OpenHandles } from './openHandles.ts'
import { Points } from './points.ts'
import { playSession, type SessionAnswer, type SessionNotice, type SessionOrder } from './session.ts'

/** Modules that are imported anew for each session are never given back: some 20 MB by then. */
const SESSIONS_MAX = 1000

nameSources()

/** Of this thread: it stays warm between tasks. */
const points = new Points(loadedOnce)
const sourceTree = ownSourceTree()
const leftovers = new OpenHandles()
let sessions = 0
/** Of the order that is worked on. */
let folder = ''

/**
 * Plays a task in a worker of the pool. The arrays of its scores are copied to the caller: moved, they would slow down all sessions that
 * this thread still plays (docs/decisions/0014).
 */
export async function playTask(order: SessionOrder): Promise<SessionAnswer> {
  folder = order.folder
  await leftovers.start()
  const played = await playSession({ points, sourceTree, begins }, order)
  const left = await leftovers.found()
  const answer = left === null ? played : answerOfLeft(left, played)
  if (left !== null || ++sessions === SESSIONS_MAX) {
    notify({ folder, kind: 'ends', answer })
    process.exit(0)
  }
  return answer
}

function begins(names: readonly string[]): void {
  calledStrategy.listen(names)
  notify({ folder, kind: 'begins', names, called: calledStrategy.cell })
}

/** A history may take as long as it likes to be read, a strategy file not. */
async function loadedOnce(path: string, role: Role | undefined): Promise<Strategy> {
  begins([])
  const strategy = await freshImport()(path, role)
  notify({ folder, kind: 'rests' })
  return strategy
}

/** What a session leaves running it might have answered differently to, a moment later. */
const answerOfLeft = ({ what, who }: OpenHandle, answer: SessionAnswer): SessionAnswer => (answer.kind !== 'played' ? answer
  : { kind: 'strategy', who, message: `${who === null ? 'a strategy' : `strategy of ${who}`} left ${what} running when its session had ended` })

function notify(notice: SessionNotice): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker has no origin
  parentPort!.postMessage(notice)
}
