import { parentPort } from 'node:worker_threads'
import { nameSources } from '../scenario/sourcePlaces.ts'
import { freshImport, type Role, type Strategy } from '../scenario/strategies.ts'
import { InputError, type InputPosition } from '../unit/inputError.ts'

export interface StrategyOrder {
  readonly path: string
  readonly role: Role | undefined
}

/** What a file declares, or what is wrong with it. Errors are data, because their classes do not survive the message. */
export type StrategyAnswer =
  | { readonly role: Role; readonly parameters: Strategy['parameters'] }
  | { readonly message: string; readonly position: InputPosition | undefined; readonly hint: string | undefined }

nameSources()

parentPort!.on('message', ({ path, role }: StrategyOrder) => {
  // The start of this thread does not count against the time limit of the file.
  post('begins')
  void answerTo(path, role).then(post)
})

function post(message: StrategyAnswer | 'begins'): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker has no origin
  parentPort!.postMessage(message)
}

async function answerTo(path: string, role: Role | undefined): Promise<StrategyAnswer> {
  try {
    const strategy = await freshImport()(path, role)
    return { role: strategy.role, parameters: Object.fromEntries(Object.entries(strategy.parameters).map(([name, parameter]) => [name, plain(parameter)])) }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const { message, position, hint } = error
    return { message, position, hint }
  }
}

/** The known fields alone: others might not survive the message. */
const plain = ({ default: value, min, max, unit, about }: Strategy['parameters'][string]): Strategy['parameters'][string] =>
  ({ default: value, min, max, unit, ...(typeof about === 'string' ? { about } : {}) })
