import { nameSources as name } from '../scenario/sourcePlaces.ts'
import { isThreadLeft as isLeft } from '../scenario/workerThread.ts'

/** Makes the stack traces of this thread name the sources and strategies that people wrote, in place of the bundle. */
export const nameSources = (): void => { name() }

/** Whether a thread was told to end and still runs. Node waits for it, and V8 stops no built-in function before that one returns. */
export const isThreadLeft = (): boolean => isLeft()
