import type { Answer, Channel, Exchange, HeaderPairs } from '../../exchange.ts'
import { valuesOf } from '../../headers.ts'
import type { Line, ToHttp, ToSession } from '../../threadMessages.ts'
import { DESK_PATH } from '../deskFeed.ts'
import { PRICES_PATH } from '../priceFeed.ts'
import type { ServedSession } from '../servedSession.ts'
import { ControlChannel } from './controlChannel.ts'
import { type ClientFrame, clientFrameOf, wakeBodyOf } from './controlFrames.ts'
import type { Entry, OpenTurn, Party } from './party.ts'
import { PartyChannel } from './partyChannel.ts'
import { type CallNumber, isMisplaced, type TurnHeaders, turnHeadersOf } from './turnHeaders.ts'

/** Codes of a WebSocket that its client closes on purpose: as it should, because its page or program ends, and without a code. */
const LEAVING: ReadonlySet<number> = new Set([1000, 1001, 1005])

/** Most calls of one turn. */
const CALLS_MAX = 1000

/** Whoever gives clients their turns. */
export interface TurnGiver {
  readonly parties: readonly Party[]
  /** The call that is coming in. */
  readonly entering: CallNumber | null
  /** Nobody has a turn any more. */
  readonly isEnding: boolean
  /** Returns the number of the turn, or 0 where there is none. */
  begin(party: Party, why: string, terms?: { readonly of: CallNumber }): number
  callAgain(party: Party, of: CallNumber, when: { readonly atUs: number; readonly why: 'answer' | 'wake' }, woken: () => void): void
  comeBack(party: Party): void
  /** Its client says that it leaves. */
  quit(party: Party): void
  /** A client begins anew that knows nothing of what its party had. */
  replace(party: Party): void
}

type Opening = Extract<ToSession, { kind: 'open' }>
type KnownControl = { readonly party: Party; readonly control: ControlChannel }
type Known = { readonly party: Party; readonly channel: PartyChannel } | KnownControl

const JSON_BODY: HeaderPairs = [['content-type', 'application/json']]
const refusal = (status: number, message: string): Answer => ({ status, headers: JSON_BODY, body: JSON.stringify({ error: message }) })

/** What a call is answered with whose turn was dropped, or whose client left before the answer. */
const DROPPED = refusal(503, 'the client did not end its turn in time, and is out of the session')

const OVER = refusal(503, 'the session is over')

/** What clients of a session in lockstep send: each thing has its place in a turn of its client, or is refused and is no part of the session. */
export class Intake {
  private readonly served: ServedSession
  private readonly line: Line<ToSession, ToHttp>
  private readonly giver: TurnGiver
  private readonly shiftUs: number
  private channelCount = 0
  /** By connection. */
  private readonly ofConnection = new Map<number, Known>()
  /** Calls whose clients are to be called again. */
  private readonly asleep = new Set<number>()

  constructor(served: ServedSession, line: Line<ToSession, ToHttp>, giver: TurnGiver, shiftUs: number) {
    this.served = served
    this.line = line
    this.giver = giver
    this.shiftUs = shiftUs
  }

  hear(message: ToSession): void {
    const { id } = message
    switch (message.kind) {
      case 'call': return message.exchange.service === 'control' ? this.wakeCall(id, message.exchange) : this.call(id, message.exchange)
      case 'open': return message.exchange.service === 'control' ? this.openControl(id, message) : this.openChannel(id, message)
      case 'frame': return this.frame(this.ofConnection.get(id), message)
      case 'closed': this.closed(id, message.code)
    }
  }

  /** The session is over: nobody is called again. */
  end(): void {
    for (const id of this.asleep) this.answer(id, OVER)
  }

  private frame(known: Known | undefined, { data, isBinary }: Extract<ToSession, { kind: 'frame' }>): void {
    if (known === undefined) return
    if ('control' in known) this.controlFrame(known, data)
    else if (this.served.hasBegun) known.party.say({ frame: 'refused', reason: 'frames on a channel of a service come before time begins' })
    else this.served.hearing(() => { known.channel.onFrame(data, isBinary) })
  }

  private closed(id: number, code: number): void {
    const known = this.ofConnection.get(id)
    this.ofConnection.delete(id)
    if (known === undefined) return
    const { party } = known
    if ('control' in known) {
      if (party.control !== known.control) return
      party.control = null
      if (LEAVING.has(code) && party.isOnControl) this.giver.quit(party)
    } else if (known.channel.isOver(id)) {
      known.channel.lost()
      if (!this.served.hasBegun) this.closeEarly(party, known.channel)
    }
  }

  private closeEarly(party: Party, channel: PartyChannel): void {
    for (const [number, one] of party.channels) if (one === channel) party.channels.delete(number)
    this.served.hearing(() => { channel.onClose(1006) })
  }

  private answer(id: number, answer: Answer): void {
    this.line.say({ kind: 'answer', id, answer })
  }

  /** Who calls: by the secret of the control channel, or by the service's own credential. */
  private partyOf(exchange: Exchange): Party | undefined {
    if (exchange.service === 'control') return this.bearerOf(exchange)
    const [token] = valuesOf(exchange.headers, 'parlor-token')
    if (token !== undefined) return this.giver.parties.find((party) => party.isToken(token))
    const account = this.served.accountOf(exchange)
    return this.giver.parties.find((party) => party.service === exchange.service && party.account === account)
  }

  private bearerOf({ headers }: Exchange): Party | undefined {
    const token = /^bearer +(\S+)$/i.exec(valuesOf(headers, 'authorization')[0] ?? '')?.[1]
    return token === undefined ? undefined : this.giver.parties.find((party) => party.isToken(token))
  }

  /** What is wrong with a call of a party that is no part of its turn. It hears of it on its control channel too. */
  private refuse(id: number, party: Party | undefined, reason: string): void {
    if (this.giver.isEnding) return this.answer(id, OVER)
    party?.say({ frame: 'refused', reason })
    this.answer(id, refusal(409, reason))
  }

  private call(id: number, exchange: Exchange): void {
    const beside = this.beside(exchange)
    if (beside !== null) return this.answer(id, beside)
    this.number(id, exchange, (party, of) => {
      const answer = this.answerTo(id, party, of)
      return { enter: () => { this.served.call(exchange, answer) }, drop: () => { this.answer(id, DROPPED) } }
    })
  }

  /** Between its turns a client sees no more than in its last one, whenever the network brings the call. */
  private beside(exchange: Exchange): Answer | null {
    const { served } = this
    if (exchange.path !== PRICES_PATH && exchange.path !== DESK_PATH) return null
    const seen = this.partyOf(exchange)?.seen ?? null
    return served.prices(exchange, seen?.nowUs ?? served.nowUs) ?? served.desk(exchange, seen)
  }

  /** `POST /wake`: the wish of a client without a control channel to be called again. The answer is the turn. */
  private wakeCall(id: number, exchange: Exchange): void {
    if (exchange.method !== 'POST' || exchange.path !== '/wake') return this.answer(id, refusal(404, 'the control port has POST /wake, and a WebSocket at every path'))
    const frame = wakeBodyOf(exchange.body)
    if (frame === null) return this.refuse(id, this.bearerOf(exchange), 'a body with at_us is expected, µs on the wire\'s clock')
    this.number(id, exchange, (party, of) => {
      const answer = this.answerTo(id, party, of)
      return {
        enter: () => {
          this.asleep.add(id)
          this.callAt(party, of, { atUs: frame.at_us, why: 'answer' }, () => {
            this.asleep.delete(id)
            answer({ status: 200, headers: JSON_BODY, body: '{}' })
          })
        },
        drop: () => { this.answer(id, DROPPED) },
      }
    })
  }

  /** Gives something its place in a turn. */
  private number(id: number, exchange: Exchange, entryOf: (party: Party, of: CallNumber) => Entry): void {
    const party = this.partyOf(exchange)
    if (party === undefined) return this.refuse(id, undefined, 'the call is of no client of this session: it has the credential of none, and no Parlor-Token')
    const headers = turnHeadersOf(exchange.headers)
    if (isMisplaced(headers)) return this.refuse(id, party, headers.fault)
    const enter = (turn: OpenTurn): void => { this.place(id, party, headers, turn, entryOf) }
    if (headers.turn === null && party.turn === null) {
      // Who waits for answers alone needs no control channel: its first call says that it is there.
      if (party.state === 'coming' && party.control === null) party.state = 'here'
      if (party.state === 'away' || party.gone !== null) this.giver.comeBack(party)
      if (party.early.length >= CALLS_MAX) return this.refuse(id, party, `at most ${CALLS_MAX} calls wait for a turn`)
      party.early.push({ enter, drop: () => { this.answer(id, DROPPED) } })
      return
    }
    if (party.turn === null || (headers.turn ?? party.turn.n) !== party.turn.n) {
      return this.refuse(id, party, party.turn === null ? 'the client has no turn' : `the client's turn is ${party.turn.n}`)
    }
    enter(party.turn)
  }

  private place(id: number, party: Party, { call, isLast, holds }: TurnHeaders, turn: OpenTurn, entryOf: (party: Party, of: CallNumber) => Entry): void {
    const reason = faultOf(turn, call, isLast)
    if (reason !== null) return this.refuse(id, party, reason)
    turn.entries.set(call, entryOf(party, { turn: turn.n, call }))
    if (isLast) turn.calls = call
    if (holds) turn.holds = true
  }

  /** Answers a call when its answer has come down the way, which is a turn of its client. */
  private answerTo(id: number, party: Party, of: CallNumber): (answer: Answer) => void {
    const { stay } = party
    const drop = (): void => { this.answer(id, DROPPED) }
    party.waiting.add(drop)
    const give = (answer: Answer): void => {
      if (!party.waiting.delete(drop)) return
      const n = party.stay === stay ? this.giver.begin(party, 'answer', { of }) : 0
      this.answer(id, n === 0 ? answer : { ...answer, headers: [...answer.headers, ...this.turnHeaders(n)] })
    }
    return (answer) => { this.whenOver(party, () => { give(answer) }) }
  }

  private turnHeaders(n: number): [string, string][] {
    return [['parlor-turn', String(n)], ['parlor-at', String(this.served.session.nowUs + this.shiftUs)]]
  }

  /** No call is answered in its own turn: what needed no way is answered behind it, at its instant. */
  private whenOver(party: Party, give: () => void): void {
    const { giver, giver: { entering } } = this
    if (entering === null) give()
    else giver.callAgain(party, entering, { atUs: this.served.session.nowUs, why: 'answer' }, give)
  }

  /** Calls the party again at an instant of the wire, or now when that instant is over. */
  private callAt(party: Party, of: CallNumber, { atUs, why }: { readonly atUs: number; readonly why: 'answer' | 'wake' }, woken: () => void): void {
    this.giver.callAgain(party, of, { atUs: Math.max(atUs - this.shiftUs, this.served.session.nowUs), why }, woken)
  }

  private openChannel(id: number, { exchange, channel: kind }: Opening): void {
    const [resumed] = valuesOf(exchange.headers, 'parlor-channel')
    if (resumed !== undefined) return this.resume(id, exchange, Number(resumed))
    if (this.served.hasBegun) {
      return this.number(id, exchange, (party, of) => ({
        enter: () => { this.served.open(exchange, this.channelOf(id, party, kind, of)) }, drop: () => { this.answer(id, DROPPED) },
      }))
    }
    const party = this.partyOf(exchange)
    if (party === undefined) return this.refuse(id, undefined, 'the channel is of no client of this session')
    this.served.open(exchange, this.channelOf(id, party, kind, null))
  }

  /** @param of null before time begins. */
  private channelOf(id: number, party: Party, kind: Channel['kind'], of: CallNumber | null): PartyChannel {
    const { stay } = party
    const drop = (): void => {
      this.answer(id, DROPPED)
      // Whatever opens it finds that it is over.
      channel.onClose(1001)
    }
    if (of !== null) party.waiting.add(drop)
    const channel = new PartyChannel(id, kind, {
      say: (message) => { this.line.say(message) },
      settled: (isOpen) => {
        if (party.stay !== stay) return []
        const number = isOpen ? ++this.channelCount : 0
        if (isOpen) {
          party.channels.set(number, channel)
          this.ofConnection.set(id, { party, channel })
        }
        if (of !== null) party.waiting.delete(drop)
        const n = of === null ? 0 : this.settledTurn(party, of)
        return [...(isOpen ? [['parlor-channel', String(number)] as const] : []), ...(n > 0 ? this.turnHeaders(n) : [])]
      },
    })
    return channel
  }

  /** The turn of a client whose channel was accepted or refused, 0 where it comes behind the call's own. */
  private settledTurn(party: Party, of: CallNumber): number {
    if (this.giver.entering === null) return this.giver.begin(party, 'answer', { of })
    this.whenOver(party, () => { this.giver.begin(party, 'answer', { of }) })
    return 0
  }

  private resume(id: number, exchange: Exchange, number: number): void {
    const party = this.partyOf(exchange)
    const channel = party?.channels.get(number)
    const read = Number(valuesOf(exchange.headers, 'parlor-frames')[0] ?? NaN)
    if (party === undefined || channel === undefined || !Number.isSafeInteger(read) || !channel.resume(id, read)) {
      return this.refuse(id, party, 'no such channel: Parlor-Channel is its number, and Parlor-Frames how many of its frames have been read')
    }
    this.ofConnection.set(id, { party, channel })
  }

  private openControl(id: number, { exchange, channel: kind }: Opening): void {
    const party = this.bearerOf(exchange)
    if (party === undefined || kind !== 'socket') return this.answer(id, refusal(401, 'Authorization: Bearer with the control_token of a seat is expected'))
    party.control?.close(1000, 'another connection has taken its place')
    const control = new ControlChannel(id, (message) => { this.line.say(message) })
    party.control = control
    // Each connection says for itself that it is ready.
    if (!this.served.hasBegun) party.state = 'coming'
    this.ofConnection.set(id, { party, control })
    control.accept()
    const seats = party.seats.map(({ service, role, name }) => ({ service, role, name }))
    party.say({ frame: 'welcome', seats, at_us: this.served.nowUs + this.shiftUs, shift_us: this.shiftUs, has_begun: this.served.hasBegun })
    if (party.turn !== null) party.say(party.turn.frame)
  }

  /** A connection whose place another one has taken is heard no more. */
  private controlFrame({ party, control }: KnownControl, data: Uint8Array): void {
    if (party.control !== control) return
    const frame = clientFrameOf(data)
    const reason = frame === null ? 'the frame is none of ready, wake and done' : this.takeFrame(party, control, frame)
    if (reason !== null && !this.giver.isEnding) party.say({ frame: 'refused', reason })
  }

  /** What is wrong with a frame, or null. */
  private takeFrame(party: Party, control: ControlChannel, frame: ClientFrame): string | null {
    if (frame.frame === 'ready') {
      this.ready(party, control)
      return null
    }
    const { turn } = party
    if (turn === null || frame.n !== turn.n) return turn === null ? 'the client has no turn' : `the client's turn is ${turn.n}`
    return frame.frame === 'wake' ? this.wake(party, turn, frame) : endOf(turn, frame.calls)
  }

  /** The first `ready` of a connection is of a client that has no channel and waits for no answer yet. */
  private ready(party: Party, control: ControlChannel): void {
    const isAnew = this.served.hasBegun && !control.isReady
    control.isReady = party.isOnControl = true
    if (party.state === 'away') this.giver.comeBack(party)
    else if (isAnew) this.giver.replace(party)
    else party.state = 'here'
  }

  private wake(party: Party, turn: OpenTurn, { call, at_us }: Extract<ClientFrame, { frame: 'wake' }>): string | null {
    const reason = faultOf(turn, call)
    if (reason !== null) return reason
    const { stay } = party
    const of = { turn: turn.n, call }
    const enter = (): void => {
      this.callAt(party, of, { atUs: at_us, why: 'wake' }, () => { if (party.stay === stay) this.giver.begin(party, 'wake', { of }) })
    }
    turn.entries.set(call, { enter, drop: () => {} })
    return null
  }
}

/** The client of a turn says how many calls it has. Returns what is wrong with that, or null. */
function endOf(turn: OpenTurn, calls: number): string | null {
  if (turn.calls !== null) return 'the turn has been ended'
  if (calls > CALLS_MAX) return `a turn has at most ${CALLS_MAX} calls`
  if (hasAfter(turn, calls)) return `the turn has a call after number ${calls}`
  turn.calls = calls
  return null
}

const hasAfter = ({ entries }: OpenTurn, last: number): boolean => [...entries.keys()].some((call) => call > last)

/** Why a turn cannot take a call of a number, or null. `isLast`: the turn ends with it. */
function faultOf(turn: OpenTurn, call: number, isLast = false): string | null {
  const { entries, calls } = turn
  if (call > CALLS_MAX) return `a turn has at most ${CALLS_MAX} calls`
  if (entries.has(call)) return `call ${call} of the turn has come already`
  if (calls !== null && (call > calls || isLast)) return `the turn has been ended with ${calls} calls`
  if (isLast && hasAfter(turn, call)) return `the turn has a call after number ${call}`
  return null
}
