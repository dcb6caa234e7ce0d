/** What streams are told in one turn of the event loop, as a tree: streams that are told the same go the same way, and share its bytes. */
export class Told {
  private declare readonly before: Told | null
  private declare readonly added: string
  private next: Told | null = null
  private bytes: Buffer | null = null

  constructor(before: Told | null = null, added = '') {
    this.before = before
    this.added = added
  }

  /** What has been told once `text` has been told, too. */
  with(text: string): Told {
    if (this.next === null || this.next.added !== text) this.next = new Told(this, text)
    return this.next
  }

  get text(): string {
    let text = this.added
    for (let told = this.before; told !== null; told = told.before) text = told.added + text
    return text
  }

  /** The text as one chunk of a chunked body (RFC 9112, section 7.1). */
  get chunk(): Buffer {
    if (this.bytes !== null) return this.bytes
    const { text } = this
    return this.bytes = Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  }
}

/** A stream that has something to send. */
export interface Sender {
  sendOut(): void
}

/** Lets streams send at the end of a turn of the event loop what they have been told in it: one write to a connection costs as much as the rest of an event. */
export class Outbox {
  private first = new Told()
  private waiting: Sender[] = []

  /** The stream is called at the end of this turn. Returns what its texts are added to. */
  add(sender: Sender): Told {
    if (this.waiting.push(sender) === 1) setImmediate(() => { this.sendOut() })
    return this.first
  }

  private sendOut(): void {
    const { waiting } = this
    this.waiting = []
    this.first = new Told()
    for (const sender of waiting) sender.sendOut()
  }
}
