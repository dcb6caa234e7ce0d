import type { Channel } from '../../exchange.ts'

/** The open streams of server-sent events. */
export class Streams {
  /** By the account of the maker whose messages they carry, −1 for those that are told as things happen. */
  private readonly open = new Map<number, Set<Channel>>()
  private readonly makers = new Map<Channel, number>()

  /** @param maker −1: the stream is told as things happen. */
  add(channel: Channel, maker: number): void {
    const streams = this.open.get(maker) ?? new Set()
    this.open.set(maker, streams.add(channel))
    this.makers.set(channel, maker)
  }

  remove(channel: Channel): void {
    const maker = this.makers.get(channel)
    if (maker === undefined) return
    this.makers.delete(channel)
    this.open.get(maker)!.delete(channel)
  }

  /** Tells the streams of a maker, or with −1 those that are told as things happen. */
  tell(maker: number, textOf: () => string): void {
    const streams = this.open.get(maker)
    if (streams === undefined || streams.size === 0) return
    const text = textOf()
    for (const channel of streams) channel.send(text)
  }

  /** Closes all of them. */
  closeAll(): void {
    for (const channel of this.makers.keys()) channel.close(0, '')
    this.open.clear()
    this.makers.clear()
  }
}
