import { type Row, rowOfKind } from '../../../src/venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../src/venue/eventRows.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { BestQuoteChanged, ParlayEvent, type ParlayKind, Reply } from '../../../src/venue/parlay/protocol/events.ts'
import type { Answer, Channel, Exchange } from '../../../src/serve/exchange.ts'
import type { HandlerSite, MakeHandler, ServiceHandler } from '../../../src/serve/serviceHandler.ts'

const text = (status: number, body: string): Answer => ({ status, headers: [['content-type', 'text/plain']], body })

/**
 * A service of four calls, for tests of what lies below handlers. `POST /quote` quotes on the request that the body names, `POST /ask` asks for
 * prices; both are answered with the reply's code, and its request. `GET /later` is answered a second later. `GET /events` and `/socket` tell of every request
 * that reaches the maker, and of changes of best quotes.
 */
export class TinyHandler implements ServiceHandler {
  private readonly site: HandlerSite
  private readonly channels = new Set<Channel>()
  private readonly accounts: Readonly<Record<string, number>>
  rows = 0
  lastSeq = 0

  constructor(site: HandlerSite) {
    this.site = site
    this.accounts = Object.fromEntries(site.seats.map(({ role, account }) => [role, account]))
  }

  call(exchange: Exchange, answer: (answer: Answer) => void): void {
    const { site } = this
    const body = new TextDecoder().decode(exchange.body)
    if (exchange.path === '/later') return site.later(site.nowUs + 1_000_000, () => answer(text(200, String(site.nowUs))))
    if (exchange.path === '/throw') throw new Error('a handler at fault')
    if (exchange.path === '/size') return answer(text(200, String(exchange.body.length)))
    if (exchange.path === '/echo') return answer(text(200, JSON.stringify({ ...exchange, body })))
    if (exchange.path !== '/quote' && exchange.path !== '/ask') return answer(text(404, exchange.path))
    const call = exchange.path === '/quote'
      ? { op: ParlayOp.submitQuote, fields: JSON.parse(body) as Record<string, number> }
      : { op: ParlayOp.createRequest, fields: { betMicros: 5_000_000 }, legs: JSON.parse(body) as [number, number][] }
    site.send(exchange.path === '/quote' ? this.accounts['maker']! : this.accounts['bettor']!, call, {
      answered: (rows: EventRows, reply: Row<'parlay.reply'>) => {
        answer(text(200, `${rows.read(reply, Reply.code)} ${rows.read(reply, Reply.request)}`))
      },
      told: () => {},
    })
  }

  open(exchange: Exchange, channel: Channel): void {
    if (exchange.path === '/refused') return channel.refuse(text(403, 'no'))
    channel.onFrame = (data) => channel.send(`heard ${new TextDecoder().decode(data)}`)
    channel.onClose = () => { this.channels.delete(channel) }
    channel.accept()
    this.channels.add(channel)
  }

  take(events: Parameters<ServiceHandler['take']>[0], row: Parameters<ServiceHandler['take']>[1]): void {
    this.rows++
    const seq = events.read(row, EventCell.seq)
    if (seq <= this.lastSeq) throw new Error(`row ${seq} after row ${this.lastSeq}`)
    this.lastSeq = seq
    const kind = events.kindOf(row) as ParlayKind
    if (kind !== ParlayEvent.bestQuoteChanged) return
    const best = rowOfKind(row, kind)
    this.say({ best: events.read(best, BestQuoteChanged.request), oddsE4: events.read(best, BestQuoteChanged.oddsE4) })
  }

  told(...[seat, message]: Parameters<ServiceHandler['told']>): void {
    if (message.kind !== 'onRequest') return
    const { request, version, betMicros } = message.view
    this.say({ to: seat.name, request, version, betMicros })
  }

  private say(data: object): void {
    for (const channel of this.channels) channel.send(channel.kind === 'events' ? `data: ${JSON.stringify(data)}\n\n` : JSON.stringify(data))
  }

  credentialsOf(...[seat]: Parameters<ServiceHandler['credentialsOf']>): Readonly<Record<string, string>> {
    return { apiKey: `key-of-${seat.name}` }
  }

  drain(): void {
    for (const channel of this.channels) channel.close(1012, 'CONNECTION_DRAIN')
  }
}

export const tinyHandler: MakeHandler = (site) => new TinyHandler(site)
