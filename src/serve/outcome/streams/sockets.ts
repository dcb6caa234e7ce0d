import { NONE } from '../../../unit/none.ts'
import { SECOND_US } from '../../../unit/time.ts'
import { type Row, rowAs, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows, readCell } from '../../../venue/eventRows.ts'
import { ScopeBit } from '../../../venue/outcome/protocol/access.ts'
import { OUTCOME_CODES, OutcomeCode } from '../../../venue/outcome/protocol/codes.ts'
import { CloseStream, OpenMarketStream, OpenStream, OutcomeCommand, OutcomeOp } from '../../../venue/outcome/protocol/commands.ts'
import { GATE_KINDS, OutcomeEvent, type OutcomeKind, Reply, StreamClosed, StreamHeartbeat, StreamReply } from '../../../venue/outcome/protocol/events.ts'
import { closeOf, type StreamClose } from '../../../venue/outcome/wire/errors.ts'
import { frameText, heartbeatFrame } from '../../../venue/outcome/wire/streamFrames.ts'
import type { TickHistory } from '../../../market/tickSource.ts'
import type { Answer, Channel, Exchange } from '../../exchange.ts'
import { valuesOf } from '../../headers.ts'
import { readJsonText } from '../../http/jsonText.ts'
import type { HandlerSite, SeatMessage } from '../../serviceHandler.ts'
import type { Caller } from '../caller.ts'
import type { Incoming } from '../incoming.ts'
import type { SentCalls } from '../sentCalls.ts'
import type { RfqRecord } from '../records/rfqs.ts'
import type { Served } from '../served.ts'
import { SUBPROTOCOL_NAME, subprotocolOf } from '../subprotocol.ts'
import { readMarketSubscribe, readSubscribe } from '../subscribe.ts'
import { AccountStreams } from './accountStreams.ts'
import { MarketStreams } from './marketStreams.ts'
import { type SeatStream, SeatStreams } from './seatStreams.ts'

/** A client for whom virtual time waits can bring its first frame with the upgrade, which has its place in a turn. */
const FIRST_FRAME = 'parlor-frame'
/** A client has so long to subscribe. */
const SUBSCRIBE_US = 10 * SECOND_US
/** Stands for the answer to an upgrade that is let in. */
const LET_IN: Answer = { status: 101, headers: [], body: '' }

/** Close codes of errors that the document's table has no close for (RFC 6455, and its registry): try again later, and a violation of policy. */
const TRY_AGAIN = 1013
const BY_POLICY = 1008

type SocketSite = Pick<HandlerSite, 'nowUs' | 'later' | 'isOpening' | 'isInTurns'>

/** One client's socket, from its upgrade on. */
interface Socket {
  readonly route: Incoming['route']
  readonly caller: Caller
  readonly channel: Channel
  /** Number of its stream; 0 while its subscription is under way, −1 before. */
  stream: number
  /** Its place on the stream of a maker's seat, which is no stream of its own. */
  seat: SeatStream | null
}

/** What was asked for in a first frame, as the service's command has it. */
interface Subscription {
  readonly cursor: number
  /** ChannelBit mask, 0 of prices. */
  readonly channels: number
  readonly write: (command: OutcomeCommand) => void
  /** Begins what the stream tells. */
  readonly begin: (number: number, firstCursor: number) => void
}

/** The sockets of the service: `/v1/stream` and `/v1/market-stream`. Who may open one, and what it is sent, the gate says. */
export class StreamSockets {
  private readonly open = new Set<Socket>()
  private readonly byStream = new Map<number, Socket>()
  private readonly command = new OutcomeCommand()
  private declare readonly site: SocketSite
  private declare readonly served: Served
  private declare readonly calls: SentCalls
  private declare readonly accounts: AccountStreams
  private declare readonly markets: MarketStreams
  private declare readonly seats: SeatStreams

  /** @param parts.makers accounts of makers that clients hold. */
  constructor(site: SocketSite, served: Served, calls: SentCalls, parts: { readonly clients: ReadonlySet<number>; readonly makers: ReadonlySet<number>; readonly ticks: TickHistory }) {
    const { clients, makers, ticks } = parts
    this.site = site
    this.served = served
    this.calls = calls
    this.accounts = new AccountStreams(served, clients)
    this.markets = new MarketStreams(site, served, ticks)
    this.seats = new SeatStreams(served, makers)
  }

  /** A client asks for an upgrade. A subscription to nothing comes as far as any would: the gate finds nothing else wrong with it. */
  upgrade(incoming: Incoming, { headers }: Exchange, caller: Caller, channel: Channel): void {
    const { calls, command } = this
    const { route, fault } = incoming
    const socket: Socket = { route, caller, channel, stream: NONE, seat: null }
    const [first] = this.site.isInTurns === true ? valuesOf(headers, FIRST_FRAME) : []
    if (this.site.isOpening === true) return this.openEarly(socket, incoming, subprotocolOf(valuesOf(headers, 'sec-websocket-protocol')), first)
    let isGone = false
    channel.onClose = () => { isGone = true }
    this.reset(socket)
    command.version = subprotocolOf(valuesOf(headers, 'sec-websocket-protocol'))
    if (command.op === OutcomeOp.openStream) command[OpenStream.channels] = 0
    calls.sendAnswered(command, caller, (reply) => {
      if (readCell(reply, Reply.code) !== OutcomeCode.invalidSubscription) return calls.answerOfReply(incoming, caller.account, reply)
      return fault === null ? LET_IN : calls.refusal(fault.code, { violations: fault.violations })
    }, (answer) => {
      if (answer !== LET_IN) channel.refuse(answer)
      else if (!isGone) this.letIn(socket, first)
    })
  }

  /** Opens a socket before time begins. No call is made: what it subscribes to comes in with the first turn, and a maker's seat has its stream. */
  private openEarly(socket: Socket, { route, fault }: Incoming, subprotocol: number, first: string | undefined): void {
    const { calls, served: { gate } } = this
    const { caller: { credential, isKnown }, channel } = socket
    const refuse = (code: number): void => { channel.refuse(calls.refusal(code, fault === null ? {} : { violations: fault.violations })) }
    if (fault !== null) return refuse(fault.code)
    if (subprotocol === NONE) return refuse(OutcomeCode.subprotocolRequired)
    if (route.ops[0] === OutcomeOp.openStream) {
      const scopes = isKnown ? gate.credential(credential)?.scopes : undefined
      if (scopes === undefined) return refuse(OutcomeCode.unauthenticated)
      if ((scopes & ScopeBit.accountStream) === 0) return refuse(OutcomeCode.forbidden)
    }
    this.letIn(socket, first)
  }

  /** @param first the frame that the upgrade has brought. */
  private letIn(socket: Socket, first: string | undefined): void {
    const { channel } = socket
    this.open.add(socket)
    channel.onFrame = (data, isBinary) => { this.frame(socket, data, isBinary) }
    channel.onClose = () => { this.gone(socket) }
    channel.accept(SUBPROTOCOL_NAME)
    if (first !== undefined) this.frame(socket, new TextEncoder().encode(first), false)
    this.site.later(this.site.nowUs + SUBSCRIBE_US, () => {
      if (socket.stream === NONE && this.open.has(socket)) this.close(socket, OutcomeCode.invalidSubscription)
    })
  }

  /** The first frame subscribes, and there is nothing that others could say. */
  private frame(socket: Socket, data: Uint8Array, isBinary: boolean): void {
    if (!this.open.has(socket)) return
    const subscription = isBinary || socket.stream !== NONE || 'fault' in readJsonText(data) ? null : this.subscriptionOf(socket, new TextDecoder().decode(data))
    if (subscription === null) return this.close(socket, OutcomeCode.invalidSubscription)
    socket.stream = 0
    if (this.isOfSeat(socket)) return this.joinSeat(socket, subscription)
    const { command } = this
    this.reset(socket)
    command.version = subprotocolOf([SUBPROTOCOL_NAME])
    command.cursor = subscription.cursor
    subscription.write(command)
    this.calls.sendCommand(command, socket.caller, (reply) => {
      const code = readCell(reply, Reply.code)
      if (code !== OutcomeCode.ok) return { code }
      const opened = rowAs(StreamReply, reply)
      const number = readCell(opened, StreamReply.stream)
      // The client went while its subscription was on its way.
      if (!this.open.has(socket)) this.closeStream(socket, number)
      else this.begin(socket, subscription, number, readCell(opened, StreamReply.firstCursor))
      return { code }
    }, (made) => {
      if (made !== null && made.code !== OutcomeCode.ok) this.close(socket, made.code)
    })
  }

  private isOfSeat({ route, caller: { account } }: Socket): boolean {
    return this.site.isInTurns === true && route.ops[0] === OutcomeOp.openStream && this.seats.isMaker(account)
  }

  /** Virtual time waits for the client of a maker: what it is told has come down the way to its seat, in no order of cursors. */
  private joinSeat(socket: Socket, { cursor, channels }: Subscription): void {
    if (cursor !== NONE) return this.close(socket, OutcomeCode.cursorReset)
    const close = (code: number): void => {
      this.forget(socket)
      shut(socket, code)
    }
    const { accounts, seats } = this
    const { account } = socket.caller
    socket.seat = seats.add(account, channels, { tell: (text) => { socket.channel.send(text) }, close })
    if (socket.seat === null) this.close(socket, OutcomeCode.connectionDrain)
    else this.tell(socket, accounts.snapshot(seats.newest, channels, account))
  }

  private subscriptionOf(socket: Socket, text: string): Subscription | null {
    const { accounts, markets, served: { known, gateProfile } } = this
    const { caller: { account } } = socket
    if (socket.route.ops[0] === OutcomeOp.openStream) {
      const read = readSubscribe(text)
      if (!('ok' in read)) return null
      const { channels, flags, cursor } = read.ok
      return {
        cursor, channels,
        write: (command) => {
          command[OpenStream.channels] = channels
          command[OpenStream.flags] = flags
        },
        begin: (number, firstCursor) => {
          accounts.add(number, account, channels, (event) => { socket.channel.send(event) })
          if (cursor === NONE) this.tell(socket, accounts.snapshot(firstCursor, channels, account))
          else for (const event of accounts.after(cursor, channels, account)) socket.channel.send(event)
        },
      }
    }
    const read = readMarketSubscribe(text, gateProfile.marketOutcomesMax)
    if (!('ok' in read)) return null
    const { outcomeIds, flags, cursor } = read.ok
    const outcomes = outcomeIds.map((id) => known.outcome(id))
    return {
      cursor, channels: 0,
      write: (command) => {
        for (const outcome of outcomes) command.item(outcome)
        command[OpenMarketStream.flags] = flags
      },
      begin: (number, firstCursor) => { markets.add(number, outcomes, firstCursor, cursor !== NONE, (frame) => { this.tell(socket, frame) }) },
    }
  }

  private begin(socket: Socket, { begin }: Subscription, number: number, firstCursor: number): void {
    socket.stream = number
    this.byStream.set(number, socket)
    begin(number, firstCursor)
  }

  /** Sends a frame, or closes the socket because no frame may be so long (OM-240). */
  private tell(socket: Socket, frame: object): void {
    const text = frameText(frame, this.served.gateProfile.frameBytesMax)
    if (typeof text === 'string') socket.channel.send(text)
    else this.close(socket, text)
  }

  /** Every row of the service. */
  take(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as OutcomeKind
    this.markets.take(events, row, !GATE_KINDS.has(kind))
    const event = this.accounts.take(events, row)
    if (this.site.isInTurns === true) this.seats.take(events, row, event)
    if (kind === OutcomeEvent.streamHeartbeat) this.beat(events, rowOfKind(row, kind))
    else if (kind === OutcomeEvent.streamClosed) this.closed(events, rowOfKind(row, kind))
  }

  /** A message has reached the seat of an account. */
  told(account: number, message: SeatMessage): void {
    this.seats.told(account, message)
  }

  rfqPast(rfq: RfqRecord): void {
    this.seats.rfqPast(rfq)
  }

  private beat(events: EventRows, row: Row<'outcome.streamHeartbeat'>): void {
    const number = events.read(row, StreamHeartbeat.stream)
    const socket = this.byStream.get(number)
    if (socket === undefined) return
    const cursor = events.read(row, StreamHeartbeat.newestCursor)
    this.markets.beat(number, cursor)
    this.tell(socket, heartbeatFrame(this.served.identity, cursor, events.read(row, EventCell.atUs)))
  }

  private closed(events: EventRows, row: Row<'outcome.streamClosed'>): void {
    const number = events.read(row, StreamClosed.stream)
    const socket = this.byStream.get(number)
    if (socket === undefined) return
    this.accounts.closed(number, events.read(row, StreamClosed.appliedCursor))
    this.forget(socket)
    shut(socket, events.read(row, StreamClosed.reason))
  }

  /** The session is over. */
  drain(): void {
    // In the order of their streams, which is not that of the network.
    for (const socket of [...this.open].sort((a, b) => a.stream - b.stream)) this.close(socket, OutcomeCode.connectionDrain)
  }

  /** The service closes a socket, and its stream with it. */
  private close(socket: Socket, code: number): void {
    if (!this.open.has(socket)) return
    this.gone(socket)
    shut(socket, code)
  }

  /** The client of a socket is told nothing more. */
  private gone(socket: Socket): void {
    const { stream } = socket
    this.forget(socket)
    if (stream > 0) this.closeStream(socket, stream)
  }

  private forget(socket: Socket): void {
    this.open.delete(socket)
    this.byStream.delete(socket.stream)
    this.accounts.remove(socket.stream)
    this.markets.remove(socket.stream)
    if (socket.seat !== null) this.seats.remove(socket.seat)
  }

  private closeStream({ caller }: Socket, number: number): void {
    this.command.reset(OutcomeOp.closeStream, caller.account)
    this.command[CloseStream.stream] = number
    this.calls.sendCommand(this.command, caller, () => null, () => {})
  }

  private reset({ route, caller: { account, credential, origin } }: Socket): void {
    const { command } = this
    command.reset(route.ops[0]!, account)
    command.credential = credential
    command.origin = origin
  }
}

/** How a socket is closed with a code of the service (OM-175). */
function shutOf(code: number): StreamClose {
  const { close, code: reason, retry } = OUTCOME_CODES[code]!
  return code === OutcomeCode.ok || close !== 0 ? closeOf(code) : { code: retry === 'BACKOFF' ? TRY_AGAIN : BY_POLICY, reason }
}

function shut({ channel }: Socket, code: number): void {
  const close = shutOf(code)
  channel.close(close.code, close.reason)
}
