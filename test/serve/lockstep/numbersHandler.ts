import type { ExternalCall } from '../../../src/engine/externalCalls.ts'
import type { Answer, Channel, Exchange } from '../../../src/serve/exchange.ts'
import type { ExternalSeat, HandlerSite, SeatMessage, ServiceHandler } from '../../../src/serve/serviceHandler.ts'
import { type Dialect, PARLAY } from '../../engine/outsidePlay.ts'

const text = (status: number, body: string): Answer => ({ status, headers: [['content-type', 'application/json']], body })

/**
 * A service in the session's own numbers, for tests of what lies below handlers. A client is who it says it is, by the header
 * `x-seat`. `POST /call` brings a command, `GET /events` tells of everything that reaches the seat, and `GET /edge` needs no command.
 */
export class NumbersHandler implements ServiceHandler {
  private readonly site: HandlerSite
  private readonly dialect: Dialect
  private readonly streams = new Map<string, Channel>()

  constructor(site: HandlerSite, dialect: Dialect = PARLAY) {
    this.site = site
    this.dialect = dialect
  }

  accountOf({ headers }: Exchange): number {
    const name = headers.find(([header]) => header === 'x-seat')?.[1]
    return this.site.seats.find((seat) => seat.name === name)?.account ?? -1
  }

  call(exchange: Exchange, answer: (answer: Answer) => void): void {
    if (exchange.path !== '/call') return answer(text(404, '{}'))
    const call = JSON.parse(new TextDecoder().decode(exchange.body)) as ExternalCall
    const action = this.dialect.actionOf(call, this.site.session)
    let body = ''
    this.site.send(this.accountOf(exchange), call, {
      // What is not a number is null.
      answered: (rows, reply) => { body = JSON.stringify(this.dialect.answerOf(rows, reply, call, action)) },
      told: () => answer(text(200, body)),
    })
  }

  open(exchange: Exchange, channel: Channel): void {
    const seat = this.site.seats.find(({ account }) => account === this.accountOf(exchange))!
    channel.accept()
    channel.onClose = () => { this.streams.delete(seat.name) }
    this.streams.set(seat.name, channel)
  }

  take(): void {}

  told(seat: ExternalSeat, message: SeatMessage): void {
    const told = this.dialect.toldOf(this.site.session, message)
    this.streams.get(seat.name)?.send(`data: ${JSON.stringify(told, (_, value: unknown) => (Number.isNaN(value) ? 'NaN' : value))}\n\n`)
  }

  credentialsOf({ name }: ExternalSeat): Readonly<Record<string, string>> {
    return { name }
  }

  drain(): void {
    for (const channel of this.streams.values()) channel.close(1001, 'over')
  }
}
