import { parentPort } from 'node:worker_threads'
import { readyForRooms } from '../scenario/roomModules.ts'
import { nameSources } from '../scenario/sourcePlaces.ts'
import { importOf, type Role, type Strategy } from '../scenario/strategies.ts'
import { InputError, type InputPosition } from '../unit/inputError.ts'

export interface StrategyOrder {
  readonly path: string
  readonly role: Role | undefined
  readonly isTrusted: boolean
}

/** What a file declares, or what is wrong with it. Errors are data, because their classes do not survive the message. */
export type StrategyAnswer =
  | { readonly role: Role; readonly parameters: Strategy['parameters']; readonly isTrusted: boolean }
  | { readonly message: string; readonly position: InputPosition | undefined; readonly hint: string | undefined }

nameSources()

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

async function answerTo({ path, role, isTrusted }: StrategyOrder): Promise<StrategyAnswer> {
  try {
    const strategy = await importOf(isTrusted)(path, role)
    return { role: strategy.role, isTrusted, parameters: Object.fromEntries(Object.entries(strategy.parameters).map(([name, parameter]) => [name, plain(parameter)])) }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const { message, position, hint } = error
    return { message, position, hint }
  }
}

/** The known fields alone: others might not survive the message. */
const plain = ({ default: value, min, max, unit, about }: Strategy['parameters'][string]): Strategy['parameters'][string] =>
  ({ default: value, min, max, unit, ...(typeof about === 'string' ? { about } : {}) })
