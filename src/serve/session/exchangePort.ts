import type { Answer, Channel } from '../exchange.ts'
import type { Line, ToHttp, ToSession } from '../threadMessages.ts'
import type { ServedSession } from './servedSession.ts'
import type { Arrival } from './wallDriver.ts'

/** Makes arrivals of what the thread of HTTP says, and tells it what handlers say. `arrived` lets arrivals in, in their order. */
export function hearExchanges(served: ServedSession, line: Line<ToSession, ToHttp>, arrived: (arrival: Arrival) => void): void {
  const port = new ExchangePort(served, line)
  line.hear((message) => { arrived({ readMs: message.readMs, enter: () => { port.enter(message) } }) })
}

class ExchangePort {
  private readonly served: ServedSession
  private readonly line: Line<ToSession, ToHttp>
  private readonly channels = new Map<number, Channel>()

  constructor(served: ServedSession, line: Line<ToSession, ToHttp>) {
    this.served = served
    this.line = line
  }

  /** Precondition: the session stands. */
  enter(message: ToSession): void {
    const { id } = message
    switch (message.kind) {
      case 'call': {
        const answer = (answer: Answer): void => { this.line.say({ kind: 'answer', id, answer: this.dated(answer) }) }
        const beside = this.served.beside(message.exchange)
        return beside === null ? this.served.call(message.exchange, answer) : answer(beside)
      }
      case 'open': return this.served.open(message.exchange, this.channelOf(id, message.channel))
      case 'frame': return this.channels.get(id)?.onFrame(message.data, message.isBinary)
      case 'closed': {
        const channel = this.channels.get(id)
        this.channels.delete(id)
        channel?.onClose(message.code)
      }
    }
  }

  /** An answer with the session's instant, on the wire's clock: a client's own clock may be another one. */
  private dated(answer: Answer): Answer {
    return { ...answer, headers: [...answer.headers, ['parlor-at', String(this.served.nowUs + this.served.shiftUs)]] }
  }

  private channelOf(id: number, kind: Channel['kind']): Channel {
    const { line, channels } = this
    const isStream = kind === 'events' ? { isStream: true } as const : {}
    const channel: Channel = {
      kind,
      refuse: (answer) => {
        if (channels.delete(id)) line.say({ kind: 'answer', id, answer })
      },
      accept: (subprotocol, headers = []) => { line.say({ kind: 'accept', id, subprotocol, headers }) },
      send: (text) => { if (channels.has(id)) line.say({ kind: 'send', ids: [id], text, ...isStream }) },
      close: (code, reason) => {
        if (channels.delete(id)) line.say({ kind: 'close', id, code, reason })
      },
      onFrame: () => {}, onClose: () => {},
    }
    channels.set(id, channel)
    return channel
  }
}
