import type { ExternalCall } from '../../../src/engine/externalCalls.ts'
import { actionOf, refusalOf } from '../../../src/engine/parlay/translation.ts'
import type { Answer, Channel, Exchange } from '../../../src/serve/exchange.ts'
import type { ExternalSeat, HandlerSite, SeatMessage, ServiceHandler } from '../../../src/serve/serviceHandler.ts'
import { type Row, rowAs } from '../../../src/venue/eventCells.ts'
import { MakerReply, Reply } from '../../../src/venue/parlay/protocol/events.ts'
import { toldOf } from '../../engine/outsideMaker.ts'
import type { EventRows } from '../../../src/venue/eventRows.ts'

const text = (status: number, body: string): Answer => ({ status, headers: [['content-type', 'application/json']], body })
const known = (value: number): number | null => (value < 0 ? null : value)

/**
 * The parlay service in the session's own numbers, for tests of what lies below handlers. A client is who it says it is, by the header
 * `x-seat`. `POST /call` brings a command, `GET /events` tells of everything that reaches the seat, and `GET /edge` needs no command.
 */
export class NumbersHandler implements ServiceHandler {
  private readonly site: HandlerSite
  private readonly streams = new Map<string, Channel>()

  constructor(site: HandlerSite) {
    this.site = site
  }

  accountOf({ headers }: Exchange): number {
    const name = headers.find(([header]) => header === 'x-seat')?.[1]
    return this.site.seats.find((seat) => seat.name === name)?.account ?? -1
  }

  call(exchange: Exchange, answer: (answer: Answer) => void): void {
    if (exchange.path !== '/call') return answer(text(404, '{}'))
    const call = JSON.parse(new TextDecoder().decode(exchange.body)) as ExternalCall
    let body = ''
    this.site.send(this.accountOf(exchange), call, {
      answered(rows: EventRows, reply: Row<'parlay.reply'>) {
        const code = rows.read(reply, Reply.code)
        const made = rowAs(MakerReply, reply)
        const refusal = refusalOf(actionOf(call.op), code, true)
        body = JSON.stringify({ code, refusal, request: known(rows.read(reply, Reply.request)), quote: known(rows.read(made, MakerReply.quote)), auction: known(rows.read(made, MakerReply.auction)) })
      },
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
    const { request = -1 } = message.view as { readonly request?: number }
    const isRequest = message.kind === 'onRequest' || message.kind === 'onBest'
    const told = toldOf(message, isRequest ? this.site.session.parlay!.venue.view.request(request)?.contentTag ?? -1 : -1)
    this.streams.get(seat.name)?.send(`data: ${JSON.stringify(told, (_, value: unknown) => (Number.isNaN(value) ? 'NaN' : value))}\n\n`)
  }

  credentialsOf({ name }: ExternalSeat): Readonly<Record<string, string>> {
    return { name }
  }

  drain(): void {
    for (const channel of this.streams.values()) channel.close(1001, 'over')
  }
}
