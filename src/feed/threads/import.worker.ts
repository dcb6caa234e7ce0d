import { parentPort } from 'node:worker_threads'
import { InputError } from '../../unit/inputError.ts'
import { type ImportTask, mistakeOf, type TaskAnswer, TaskDoer } from './importTask.ts'

const doer = new TaskDoer()

parentPort!.on('message', (task: ImportTask) => { void take(task) })

async function take({ name, order, room }: ImportTask): Promise<void> {
  try {
    const result = await doer.do(name, withBuffers(order) as never, room)
    post({ result }, buffersOf(result))
  } catch (error) {
    // Any other error is a bug, and ends the thread.
    if (!(error instanceof InputError)) throw error
    post({ mistake: mistakeOf(error) }, [])
  }
}

function post(answer: TaskAnswer, moved: readonly ArrayBuffer[]): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker has no origin
  parentPort!.postMessage(answer, [...moved])
}

/** What was a Buffer arrives as an Uint8Array. */
function withBuffers(order: unknown): unknown {
  const { file } = order as { readonly file?: { readonly head: Uint8Array } }
  return file === undefined ? order : { ...(order as object), file: { ...file, head: Buffer.from(file.head) } }
}

/** The buffers of columns, which are moved and not copied. */
function buffersOf(result: object): ArrayBuffer[] {
  const { ticks } = result as { readonly ticks?: Readonly<Record<string, Float64Array<ArrayBuffer>>> }
  return typeof ticks === 'object' ? [...new Set(Object.values(ticks).map(({ buffer }) => buffer))] : []
}
