import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Outbox, Told } from '../../../src/serve/http/outbox.ts'

/** A stream that notes what it sends. */
class Stream {
  told: Told | null = null
  readonly sent: Told[] = []
  private readonly outbox: Outbox

  constructor(outbox: Outbox) {
    this.outbox = outbox
  }

  tell(text: string): void {
    this.told = (this.told ?? this.outbox.add(this)).with(text)
  }

  sendOut(): void {
    this.sent.push(this.told!)
    this.told = null
  }
}

describe('what streams are told in one turn of the event loop', () => {
  it('goes out at its end in one chunk, which streams share that were told the same', async () => {
    const outbox = new Outbox()
    const [a, b, c] = [new Stream(outbox), new Stream(outbox), new Stream(outbox)]
    for (const stream of [a, b, c]) stream.tell('one\n\n')
    for (const stream of [a, b]) stream.tell('zwei é\n\n')
    c.tell('other\n\n')
    a.tell('last\n\n')
    expect([a, b, c].flatMap(({ sent }) => sent)).toEqual([])
    await turn()
    const chunks = [a, b, c].map(({ sent }) => sent.map(({ text, chunk }) => [text, chunk.toString()]))
    expect(chunks).toEqual([
      // Lengths are in hexadecimal digits, of bytes.
      [['one\n\nzwei é\n\nlast\n\n', '14\r\none\n\nzwei é\n\nlast\n\n\r\n']], [['one\n\nzwei é\n\n', 'e\r\none\n\nzwei é\n\n\r\n']], [['one\n\nother\n\n', 'c\r\none\n\nother\n\n\r\n']],
    ])
  })

  it('is one chunk of bytes for all of them, and another one in the next turn', async () => {
    const outbox = new Outbox()
    const streams = Array.from({ length: 3 }, () => new Stream(outbox))
    for (let i = 0; i < 2; i++) {
      for (const stream of streams) stream.tell('same')
      await turn()
    }
    const [first, second] = [0, 1].map((i) => new Set(streams.map(({ sent }) => sent[i]!.chunk)))
    expect([first!.size, second!.size, streams[0]!.sent.length]).toEqual([1, 1, 2])
    expect([...second!][0]!.toString()).toBe('4\r\nsame\r\n')
  })
})
