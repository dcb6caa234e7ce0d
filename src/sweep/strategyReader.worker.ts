import { parentPort } from 'node:worker_threads'
import { checkHandlers } from '../scenario/madeHandlers.ts'
import { readyForRooms } from '../scenario/roomModules.ts'
import { onRejected, type Rejection, rejectionsTold } from '../scenario/rejections.ts'
import { nameSources, placeIn } from '../scenario/sourcePlaces.ts'
import { importOf, type Role, type Strategy } from '../scenario/strategies.ts'
import { InputError, type InputPosition } from '../unit/inputError.ts'

export interface StrategyOrder {
  readonly path: string
  readonly role: Role | undefined
  readonly isTrusted: boolean
  /** Whether its handlers are made too, as for a seat with its parameters' defaults. */
  readonly isCreated: boolean
}

/** What a file declares, or what is wrong with it. Errors are data, because their classes do not survive the message. */
export type StrategyAnswer =
  | { readonly role: Role; readonly parameters: Strategy['parameters']; readonly about?: string; readonly isTrusted: boolean }
  | { readonly message: string; readonly position: InputPosition | undefined; readonly hint: string | undefined }

nameSources()
/** What the present file left rejected. */
const rejections: Rejection[] = []
onRejected(() => [], (rejection) => { rejections.push(rejection) })

parentPort!.on('message', (order: StrategyOrder) => { void take(order) })

async function take(order: StrategyOrder): Promise<void> {
  // The start of this thread does not count against the time limit of the file.
  if (!order.isTrusted) await readyForRooms()
  post('begins')
  post(await answerTo(order))
}

function post(message: StrategyAnswer | 'begins'): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker has no origin
  parentPort!.postMessage(message)
}

async function answerTo({ path, role, isTrusted, isCreated }: StrategyOrder): Promise<StrategyAnswer> {
  try {
    rejections.length = 0
    const strategy = await importOf(isTrusted)(path, role)
    if (isCreated) checkHandlers(strategy, path)
    await rejectionsTold()
    const [rejected] = rejections
    if (rejected !== undefined) return { message: `the strategy does not load: it left a promise that was rejected: ${rejected.message}`, position: { file: path, ...placeIn(path, rejected.stack ?? '') }, hint: undefined }
    return { role: strategy.role, isTrusted, ...(typeof strategy.about === 'string' ? { about: strategy.about } : {}), parameters: Object.fromEntries(Object.entries(strategy.parameters).map(([name, parameter]) => [name, plain(parameter)])) }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const { message, position, hint } = error
    return { message, position, hint }
  }
}

/** The known fields alone: others might not survive the message. */
const plain = ({ default: value, min, max, unit, about }: Strategy['parameters'][string]): Strategy['parameters'][string] =>
  ({ default: value, min, max, unit, ...(typeof about === 'string' ? { about } : {}) })
