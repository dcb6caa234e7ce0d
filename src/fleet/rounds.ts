import type { TaskOutcome, TaskPool, TaskSpec } from '../sweep/task.ts'

/** Results of others decide what comes next, and are not there yet. */
export class RoundOver extends Error {
  override name = 'RoundOver'
}

/**
 * A pool of a shard, or of who reduces what shards left. It remembers which tasks of others have no result. Where results decide what is played
 * next (`hasRounds`), nothing is decided as long as one is missing: it throws RoundOver at the end of the round. Elsewhere all tasks are known at
 * once, and a shard plays its share of them in one go.
 */
export class RoundPool implements TaskPool {
  /** By identity, tasks of others without a result. */
  readonly missing = new Map<string, TaskSpec>()
  private readonly pool: TaskPool
  private readonly hasRounds: boolean

  constructor(pool: TaskPool, hasRounds: boolean) {
    this.pool = pool
    this.hasRounds = hasRounds
  }

  async * play(specs: readonly TaskSpec[]): AsyncGenerator<TaskOutcome> {
    // A round that was broken off by a session without an end has not looked at its last tasks.
    this.decide()
    for await (const outcome of this.pool.play(specs)) {
      if ('missing' in outcome) this.missing.set(outcome.missing, outcome.spec)
      yield outcome
    }
    this.decide()
  }

  forgo(id: string): void {
    this.missing.delete(id)
  }

  close(): Promise<void> {
    return this.pool.close()
  }

  private decide(): void {
    if (this.hasRounds && this.missing.size > 0) throw new RoundOver('results of others are missing')
  }
}
