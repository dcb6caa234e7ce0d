import type { TaskFailure } from './task.ts'

/** What pools share that play the same tasks, on machines of their own. A task's file is that of `TaskStore`, with the same bytes whoever played it. */
export interface SharedTasks {
  /** Whether this pool plays a task. What others play it takes as they left it. */
  plays(id: string): boolean
  /** Null where there is none, or where this pool has no need of it. */
  fileOf(id: string): Promise<SharedFile | null>
  failureOf(id: string): Promise<TaskFailure | null>
  /** Leaves a task's file for the others. Throws Bug where another's is sound and differs in a byte. */
  keep(id: string, file: Uint8Array): Promise<void>
  /** Leaves word of a failure, which counts as long as nobody has played the task to its end. */
  keepFailure(failure: TaskFailure): Promise<void>
}

export interface SharedFile {
  readonly bytes: Uint8Array
  /** Where it lies, for people. */
  readonly place: string
}
