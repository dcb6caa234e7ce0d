import { fileOfPromise } from './room.ts'

const TEXT_MAX = 2000

/**
 * Tells of promises that strategies of this thread left rejected: whose file it was, null where that is not known, and what they were
 * rejected with. In a thread where nobody listens such a promise ends the thread.
 */
export function onRejected(tell: (file: string | null, message: string) => void): void {
  process.on('unhandledRejection', (reason, promise) => {
    tell(fileOfPromise(promise), `it left a promise that was rejected: ${textOf(reason)}`)
  })
}

function textOf(reason: unknown): string {
  try {
    const text: unknown = typeof reason === 'object' && reason !== null ? Reflect.get(reason, 'message') : String(reason)
    return typeof text === 'string' ? text.slice(0, TEXT_MAX) : 'something that is no error'
  } catch {
    return 'something that is no error'
  }
}
