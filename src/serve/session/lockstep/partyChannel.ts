import type { Answer, Channel, HeaderPairs } from '../../exchange.ts'
import type { ToHttp } from '../../threadMessages.ts'

/** What a channel of a client has of whoever made it. */
interface ChannelEnds {
  readonly say: (message: ToHttp) => void
  /** The channel was accepted or refused. */
  readonly settled: (isOpen: boolean) => HeaderPairs
}

/**
 * A channel of a client in lockstep. A connection that is lost is no event: frames are kept until a turn has ended whose client had to read
 * them first, and go out again when it connects again.
 */
export class PartyChannel implements Channel {
  readonly kind: Channel['kind']
  /** How many frames have been sent. */
  sent = 0
  isOpen = false
  onFrame: Channel['onFrame'] = () => {}
  onClose: Channel['onClose'] = () => {}
  /** The last frames, those that may not have been read yet. */
  private kept: string[] = []
  /** Of its connection, null while there is none. */
  private id: number | null
  private headers: HeaderPairs = []
  private subprotocol: string | undefined
  /** How it was closed, null while it is not. */
  private end: { readonly code: number; readonly reason: string } | null = null
  private readonly ends: ChannelEnds

  constructor(id: number, kind: Channel['kind'], ends: ChannelEnds) {
    this.id = id
    this.kind = kind
    this.ends = ends
  }

  refuse(answer: Answer): void {
    const added = this.ends.settled(false)
    if (this.id !== null) this.ends.say({ kind: 'answer', id: this.id, answer: { ...answer, headers: [...answer.headers, ...added] } })
  }

  accept(subprotocol?: string, headers: HeaderPairs = []): void {
    this.isOpen = true
    this.subprotocol = subprotocol
    const added = this.ends.settled(true)
    this.headers = [...headers, ...added]
    if (this.id !== null) this.ends.say({ kind: 'accept', id: this.id, subprotocol, headers: this.headers })
  }

  send(text: string): void {
    this.sent++
    this.kept.push(text)
    if (this.id !== null) this.ends.say({ kind: 'send', ids: [this.id], text })
  }

  close(code: number, reason: string): void {
    this.isOpen = false
    this.end = { code, reason }
    if (this.id !== null) this.ends.say({ kind: 'close', id: this.id, code, reason })
    this.id = null
  }

  /** Its connection is `id`, or is lost. */
  isOver(id: number): boolean {
    return this.id === id
  }

  lost(): void {
    this.id = null
  }

  /**
   * It is connected again, by a client that has read so many frames. Where it has been closed meanwhile, the others still come, and then the
   * close. False when some of the others are not kept any more.
   */
  resume(id: number, read: number): boolean {
    const missing = this.sent - read
    if ((!this.isOpen && this.end === null) || missing < 0 || missing > this.kept.length) return false
    this.id = id
    this.ends.say({ kind: 'accept', id, subprotocol: this.subprotocol, headers: this.headers })
    for (const text of missing === 0 ? [] : this.kept.slice(-missing)) this.ends.say({ kind: 'send', ids: [id], text })
    if (this.end !== null) this.close(this.end.code, this.end.reason)
    return true
  }

  /** The client has read the first `count` frames. */
  wasRead(count: number): void {
    const unread = this.sent - count
    this.kept = unread === 0 ? [] : this.kept.slice(-unread)
  }
}
