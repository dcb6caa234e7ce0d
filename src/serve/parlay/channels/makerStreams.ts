/**
 * Which makers hold a stream open, on however many connections. A connection that is being opened is held too, so that the end of another does
 * not take away from under it what the gate has opened for it.
 */
export class MakerStreams {
  private readonly held = new Map<number, number>()
  private readonly live = new Set<number>()
  private declare readonly closed: (account: number) => void

  /** @param closed is called when a maker that was live holds no stream any more. */
  constructor(closed: (account: number) => void) {
    this.closed = closed
  }

  /** A connection of the account is being opened. */
  hold(account: number): void {
    this.held.set(account, (this.held.get(account) ?? 0) + 1)
  }

  /** The gate has opened the stream. */
  opened(account: number): void {
    this.live.add(account)
  }

  /** A connection that was held has ended, or was refused. */
  release(account: number): void {
    const left = this.held.get(account)! - 1
    if (left > 0) {
      this.held.set(account, left)
      return
    }
    this.held.delete(account)
    if (this.live.delete(account)) this.closed(account)
  }
}
