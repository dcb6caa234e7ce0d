import { parentPort, threadId } from 'node:worker_threads'
import { listenToCalls } from '../scenario/callWatch.ts'
import { onRejected, playersOf, type Rejection, RejectedPromise } from '../scenario/rejections.ts'
import { ownSourceTree, type PreparedScenario } from '../scenario/run.ts'
import { nameSources } from '../scenario/sourcePlaces.ts'
import { importOf, type Role, type Strategy } from '../scenario/strategies.ts'
import { type OpenHandle, OpenHandles } from './openHandles.ts'
import { Points } from './points.ts'
import { playSession, type SessionAnswer, type SessionNotice, type SessionOrder } from './session.ts'

/** Memory of modules that are imported anew for each session is never freed. After so many sessions it is some 20 MB. */
const SESSIONS_MAX = 1000

nameSources()

/** Points of this thread, which stays warm between tasks. */
const points = new Points(loadedOnce, () => {}, callsOf)
const sourceTree = ownSourceTree()
const leftovers = new OpenHandles()
/** What the present session, or loading before it, left rejected. */
const rejections: Rejection[] = []
/** What is played, or was last. */
let playing: PreparedScenario | null = null
onRejected(() => playersOf(playing), (rejection) => { rejections.push(rejection) })
let sessions = 0
/** The name of the present order. */
let orderName = ''
let isTrusted = false

/**
 * Plays a task in a worker of the pool. The arrays of its scores are copied to the caller, because moving them would slow down all later
 * sessions of this thread (docs/decisions/0014).
 */
export async function playTask(order: SessionOrder): Promise<SessionAnswer> {
  ;({ name: orderName, isTrusted } = order)
  await leftovers.start()
  // One that comes between two sessions is nobody's, and nobody waits for this thread then.
  rejections.length = 0
  const played = await playSession({ points, sourceTree, begins }, order)
  const left = await leftovers.found()
  const [rejected] = rejections
  const answer = played.kind !== 'played' ? played : rejected !== undefined ? await answerOfRejected(rejected, order) : left !== null ? answerOfLeft(left) : played
  if (left !== null || rejected !== undefined || ++sessions === SESSIONS_MAX) {
    notify({ name: orderName, kind: 'ends', answer })
    process.exit(0)
  }
  return answer
}

function begins(prepared: PreparedScenario | null): void {
  playing = prepared
  callsOf(prepared === null ? [] : [...prepared.resolved.makers, ...prepared.resolved.bettors].map(({ name }) => name))
}

/** From now on strategies of these participants may be called. */
function callsOf(names: readonly string[]): void {
  notify({ name: orderName, kind: 'begins', thread: threadId, calls: listenToCalls(names) })
}

/** Loading a strategy file counts against the time limit. Reading a history does not. */
async function loadedOnce(path: string, role: Role | undefined): Promise<Strategy> {
  begins(null)
  const strategy = await importOf(isTrusted)(path, role)
  notify({ name: orderName, kind: 'rests' })
  return strategy
}

/** The answer of a session that left something running, which could have changed the answer a moment later. */
const answerOfLeft = ({ what, who }: OpenHandle): SessionAnswer =>
  ({ kind: 'strategy', who, message: `${who === null ? 'a strategy' : `strategy of ${who}`} left ${what} running when its session had ended` })

async function answerOfRejected(rejection: Rejection, { spec }: SessionOrder): Promise<SessionAnswer> {
  const { participant, message } = new RejectedPromise(rejection, playersOf(await points.of(spec)))
  return { kind: 'strategy', who: participant, message }
}

function notify(notice: SessionNotice): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker has no origin
  parentPort!.postMessage(notice)
}
