import type { Answer, Channel, HeaderPairs } from '../../src/serve/exchange.ts'

/** An answer as a client reads it. */
export interface Heard {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // oxlint-disable-next-line no-explicit-any
  readonly body: any
}

export const heardOf = ({ status, headers, body }: Answer): Heard =>
  ({ status, headers: Object.fromEntries(headers), text: body, body: body === '' ? null : JSON.parse(body) })

/** A channel that keeps what is said on it. */
export class TestChannel implements Channel {
  readonly sent: string[] = []
  refused: Heard | null = null
  accepted: Readonly<Record<string, string>> | null = null
  subprotocol: string | undefined
  closedWith: readonly [code: number, reason: string] | null = null
  onFrame: Channel['onFrame'] = () => {}
  onClose: Channel['onClose'] = () => {}
  declare readonly kind: Channel['kind']

  constructor(kind: Channel['kind']) {
    this.kind = kind
  }

  refuse(answer: Answer): void {
    this.refused = heardOf(answer)
  }

  accept(subprotocol?: string, headers: HeaderPairs = []): void {
    this.subprotocol = subprotocol
    this.accepted = Object.fromEntries(headers)
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(code: number, reason: string): void {
    this.closedWith = [code, reason]
  }

  say(frame: unknown, isBinary = false): void {
    this.onFrame(new TextEncoder().encode(typeof frame === 'string' ? frame : JSON.stringify(frame)), isBinary)
  }

  /** Frames of a socket. */
  // oxlint-disable-next-line no-explicit-any
  get frames(): any[] {
    return this.sent.map((text) => JSON.parse(text))
  }

  /** Events of a stream. */
  // oxlint-disable-next-line no-explicit-any
  get events(): { id: number; event: string; data: any }[] {
    return this.sent.map((text) => {
      const [, id, event, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.+)\n\n$/.exec(text)!
      return { id: Number(id), event: event!, data: JSON.parse(data!) }
    })
  }
}
