/** Where a result is made of sessions that were played elsewhere. */
export interface MergeOptions {
  /** The folder, or `s3://BUCKET/FOLDER`, in which shards left their sessions, or the workers of `queue` leave them. Without `queue` the result is made of what lies there, and nothing is played. */
  readonly results?: string
  /** How many shards there are, so that those are named whose sessions are missing. */
  readonly shards?: number
}

/** Where sessions are played by the workers of a queue. */
export interface QueueOptions extends MergeOptions {
  /** The queue whose workers play the sessions (`parlor worker`), as `redis://localhost:6379`. They leave them in the folder `results`, which they see too. */
  readonly queue?: string
}
