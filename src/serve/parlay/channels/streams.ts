import type { Channel } from '../../exchange.ts'

/** The open streams of server-sent events. */
export class Streams {
  /** Each with the account of the maker whose messages it carries, −1 for one that is told as things happen. */
  private readonly open = new Map<Channel, number>()

  /** @param maker −1: the stream is told as things happen. */
  add(channel: Channel, maker: number): void {
    this.open.set(channel, maker)
  }

  remove(channel: Channel): void {
    this.open.delete(channel)
  }

  /** Tells the streams of a maker, or with −1 those that are told as things happen. */
  tell(maker: number, textOf: () => string): void {
    let text: string | null = null
    for (const [channel, account] of this.open) {
      if (account !== maker) continue
      text ??= textOf()
      channel.send(text)
    }
  }

  /** Closes all of them. */
  closeAll(): void {
    for (const channel of this.open.keys()) channel.close(0, '')
    this.open.clear()
  }
}
