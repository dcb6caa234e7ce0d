import type { ToHttp } from '../../threadMessages.ts'

/** The socket on which a client is given its turns. */
export class ControlChannel {
  /** Its client has said that it is ready. */
  isReady = false
  private readonly id: number
  private readonly put: (message: ToHttp) => void

  constructor(id: number, put: (message: ToHttp) => void) {
    this.id = id
    this.put = put
  }

  accept(): void {
    this.put({ kind: 'accept', id: this.id, subprotocol: undefined, headers: [] })
  }

  send(text: string): void {
    this.put({ kind: 'send', ids: [this.id], text })
  }

  close(code: number, reason: string): void {
    this.put({ kind: 'close', id: this.id, code, reason })
  }
}
