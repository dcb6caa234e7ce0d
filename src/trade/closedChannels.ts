interface Closed {
  readonly path: string
  /** What the session says about it, which may be nothing. */
  readonly why: string
}

/**
 * Which channels the session goes on without. It closes all of them when it ends, and that is no news. The turn that comes next without a
 * channel says which of the two it was, since turns have the session's own order: a channel's close comes over a connection of its own, at any time.
 */
export class ClosedChannels {
  private readonly say: (text: string) => void
  /** Channels that have been opened, by their numbers, with how they were closed. */
  private readonly closed = new Map<string, Closed>()
  /** Open channels that the last turn did not count, with their paths. */
  private readonly uncounted = new Map<string, string>()
  private readonly told = new Set<string>()

  /** @param say hears of a channel once. */
  constructor(say: (text: string) => void) {
    this.say = say
  }

  /** The close of a channel has come. */
  add(number: string, closed: Closed): void {
    this.closed.set(number, closed)
    if (this.uncounted.has(number)) this.tell(number, closed)
  }

  /** A turn came with so many frames of each channel. `paths`: of the client's channels, by number. */
  turn(counts: Readonly<Record<string, number>>, paths: Iterable<readonly [number: string, path: string]>): void {
    this.uncounted.clear()
    for (const [number, path] of paths) {
      if (Object.hasOwn(counts, number)) continue
      this.uncounted.set(number, path)
      const closed = this.closed.get(number)
      if (closed !== undefined) this.tell(number, closed)
    }
  }

  /** The session is over: what closed before and has not come yet comes too late to say why. */
  over(): void {
    for (const [number, path] of this.uncounted) this.tell(number, { path, why: '' })
  }

  /** The client's channels are others now. */
  clear(): void {
    this.closed.clear()
    this.uncounted.clear()
    this.told.clear()
  }

  private tell(number: string, { path, why }: Closed): void {
    if (this.told.has(number)) return
    this.told.add(number)
    this.say(`the session has closed ${path}${why === '' ? '' : ` (${why})`}: nothing comes on it any more`)
  }
}
