import { rowAs } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { EventCell } from '../../eventRows.ts'
import { ChannelBit, Credential, ScopeBit, StreamFlag } from '../protocol/access.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import { AccountRole, ApplyStream, CloseStream, OpenMarketStream, OpenStream, type OutcomeCommand } from '../protocol/commands.ts'
import { type Addressees, addressees, carries } from '../protocol/streamEvents.ts'
import { OutcomeEvent, StreamClosed, StreamHeartbeat, StreamOpened, StreamReply, StreamStart } from '../protocol/events.ts'
import { openReply, openRow, reply } from './rows.ts'
import { snapshotOf } from './snapshotItems.ts'
import { GateRank, type GateState } from './state.ts'

const CHANNELS_MAX = ChannelBit.account | ChannelBit.maker
const FLAGS_MAX = StreamFlag.freshness | StreamFlag.paced

const isCursor = (cursor: number): boolean => cursor === NONE || (Number.isSafeInteger(cursor) && cursor >= 0)

const isWithin = (value: number, min: number, max: number): boolean => Number.isInteger(value) && value >= min && value <= max

export function openStream(s: GateState, c: OutcomeCommand): void {
  const { [OpenStream.channels]: channels, [OpenStream.flags]: flags, cursor } = c
  const refusal = refusalOfConnection(s, c)
  if (refusal !== OutcomeCode.ok) return reply(s, c, refusal)
  if (!isWithin(channels, 1, CHANNELS_MAX) || !isWithin(flags, 0, FLAGS_MAX) || !isCursor(cursor)) {
    return reply(s, c, OutcomeCode.invalidSubscription)
  }
  if (isDenied(s, c)) return reply(s, c, OutcomeCode.subscriptionDenied)
  if (isReset(s, cursor)) return reply(s, c, OutcomeCode.cursorReset)
  const replayed = cursor === NONE ? [] : s.log.after(cursor, channels, c.account)
  let items = replayed.length
  if (cursor === NONE) {
    const snapshot = snapshotOf(s, c.account, channels)
    if (snapshot.bytes > s.profile.frameBytesMax) return reply(s, c, OutcomeCode.snapshotTooLarge)
    items = snapshot.items
  }
  const heartbeatUs = (flags & StreamFlag.freshness) === 0 ? s.heartbeatUs : s.freshHeartbeatUs
  const slot = begin(s, c, c.credential, channels, heartbeatUs, items)
  const number = s.streams.number[slot]!
  if ((flags & StreamFlag.paced) !== 0) pace(s, slot, replayed)
  else if (replayed.length > 0) s.streams.appliedCursor[slot] = replayed.at(-1)!
  replyOpened(s, c, number, items)
}

/** The client of a stream reads when it wants to. What is replayed to it comes first. */
function pace(s: GateState, slot: number, replayed: number[]): void {
  s.streams.isPaced[slot] = 1
  s.streams.backlogs[slot] = replayed
  if (replayed.length > s.profile.backlogMax) close(s, slot, OutcomeCode.slowConsumer)
}

/** The public price stream, which needs no credential (OM-069, OM-161). */
export function openMarketStream(s: GateState, c: OutcomeCommand): void {
  const refusal = refusalOfConnection(s, c)
  if (refusal !== OutcomeCode.ok) return reply(s, c, refusal)
  const { [OpenMarketStream.flags]: flags } = c
  const hasFlags = flags === NONE || isWithin(flags, 0, StreamFlag.freshness)
  if (!isWithin(c.listCount, 1, s.profile.marketOutcomesMax) || !hasFlags || !isCursor(c.cursor)) return reply(s, c, OutcomeCode.invalidSubscription)
  for (let i = 0; i < c.listCount; i++) if (!s.view.isListed(c.list[i]!)) return reply(s, c, OutcomeCode.subscriptionDenied)
  if (isReset(s, c.cursor)) return reply(s, c, OutcomeCode.cursorReset)
  const heartbeatUs = flags === StreamFlag.freshness ? s.freshHeartbeatUs : s.heartbeatUs
  const slot = begin(s, c, NONE, ChannelBit.market, heartbeatUs, 0)
  replyOpened(s, c, s.streams.number[slot]!, 0)
}

/** Whether a channel is closed to the credential, by a key's scope or the account's role. */
function isDenied(s: GateState, c: OutcomeCommand): boolean {
  const isUnscoped = c.credential !== Credential.app && (s.credentials.scopes[s.credentials.rowOf(c.credential)]! & ScopeBit.accountStream) === 0
  return isUnscoped || ((c[OpenStream.channels] & ChannelBit.maker) !== 0 && s.view.balance(c.account).role !== AccountRole.maker)
}

/** Why the socket's upgrade is refused, before any frame is read (OM-217, OM-234). */
function refusalOfConnection(s: GateState, { account }: OutcomeCommand): number {
  if (s.isDraining === 1) return OutcomeCode.connectionDrain
  return s.streams.of(account).length >= s.profile.streamsMax ? OutcomeCode.connectionLimit : OutcomeCode.ok
}

/** Whether a stream cannot go on from the cursor (OM-156, OM-198). */
function isReset(s: GateState, cursor: number): boolean {
  if (cursor === NONE) return false
  s.log.forget(s.nowUs, s.replayWindowUs)
  return cursor < s.log.horizon || cursor > s.newestSeq
}

function begin(s: GateState, c: OutcomeCommand, credential: number, channels: number, heartbeatUs: number, items: number): number {
  const { streams, events } = s
  const firstCursor = firstCursorOf(s, c)
  const slot = streams.add(c.account, credential, channels, heartbeatUs, firstCursor)
  s.schedule(s.nowUs + heartbeatUs, GateRank.heartbeat, streams.number[slot]!)
  const row = openRow(s, OutcomeEvent.streamOpened, streams.shownAccount(slot))
  events.write(row, StreamOpened.start, c.cursor === NONE ? StreamStart.snapshot : StreamStart.replay)
  events.write(row, StreamOpened.stream, streams.number[slot]!)
  events.write(row, StreamOpened.channels, channels)
  events.write(row, StreamOpened.firstCursor, firstCursor)
  events.write(row, StreamOpened.itemCount, items)
  return slot
}

function replyOpened(s: GateState, c: OutcomeCommand, number: number, items: number): void {
  const row = rowAs(StreamReply, openReply(s, c, OutcomeCode.ok))
  s.events.write(row, StreamReply.stream, number)
  s.events.write(row, StreamReply.firstCursor, firstCursorOf(s, c))
  s.events.write(row, StreamReply.itemCount, items)
}

const firstCursorOf = (s: GateState, { cursor }: OutcomeCommand): number => (cursor === NONE ? s.newestSeq : cursor + 0)

/** The client of a stream went away. This cannot be refused. */
export function closeStream(s: GateState, c: OutcomeCommand): void {
  const slot = s.streams.index.slotOf(c[CloseStream.stream])
  if (slot !== NONE && s.streams.account[slot] === c.account) close(s, slot, OutcomeCode.ok)
  reply(s, c, OutcomeCode.ok)
}

/** The world says how far the client of a stream has read. */
export function applyStream(s: GateState, c: OutcomeCommand): void {
  const { streams } = s
  const slot = streams.index.slotOf(c[ApplyStream.stream])
  if (slot === NONE) return reply(s, c, OutcomeCode.notFound)
  const { cursor } = c
  if (!(Number.isSafeInteger(cursor) && cursor >= streams.appliedCursor[slot]! && cursor <= s.newestSeq)) {
    return reply(s, c, OutcomeCode.invalidCursor)
  }
  streams.appliedCursor[slot] = cursor + 0
  streams.backlogs[slot] = streams.backlogs[slot]!.filter((seq) => seq > cursor)
  reply(s, c, OutcomeCode.ok)
}

/** Closes the streams in the slots that `isMeant` picks, by number. */
export function closeStreams(s: GateState, code: number, isMeant: (slot: number) => boolean): void {
  for (const slot of s.streams.open.filter(isMeant)) close(s, slot, code)
}

function close(s: GateState, slot: number, code: number): void {
  const { streams, events } = s
  const row = openRow(s, OutcomeEvent.streamClosed, streams.shownAccount(slot))
  events.write(row, StreamClosed.reason, code)
  events.write(row, StreamClosed.stream, streams.number[slot]!)
  events.write(row, StreamClosed.appliedCursor, streams.appliedCursor[slot]!)
  streams.remove(slot)
}

export function heartbeatDue(s: GateState, number: number): void {
  const { streams, events } = s
  const slot = streams.index.slotOf(number)
  if (slot === NONE) return
  const row = openRow(s, OutcomeEvent.streamHeartbeat, streams.shownAccount(slot))
  events.write(row, StreamHeartbeat.stream, number)
  events.write(row, StreamHeartbeat.newestCursor, s.newestSeq)
  s.schedule(s.nowUs + streams.heartbeatUs[slot]!, GateRank.heartbeat, number)
}

const to: Addressees = { account: NONE, maker: NONE }

/** Keeps the events among the venue's rows `from` … `end − 1`, and sends each to the streams that carry it, by number. */
export function publish(s: GateState, from: number, end: number): void {
  const { events, log } = s
  for (let i = from; i < end; i++) {
    const row = events.row(i)
    if (!addressees(events, row, to)) continue
    const seq = events.read(row, EventCell.seq)
    log.append(seq, s.nowUs, to)
    if (s.streams.open.length > 0) send(s, seq, events.read(row, EventCell.cause))
  }
  log.forget(s.nowUs, s.replayWindowUs)
}

function send(s: GateState, seq: number, cause: number): void {
  const { streams } = s
  const { open } = streams
  for (let i = 0; i < open.length; i++) {
    const slot = open[i]!
    if (!carries(streams.channels[slot]!, streams.account[slot]!, to.account, to.maker)) continue
    // The venue's deadlines run before the end of a credential at their instant, which gets nothing from then on (INV-28).
    if (s.credentials.isOver(streams.credential[slot]!, s.nowUs, s.sessionIdleUs)) continue
    if (streams.isPaced[slot] === 0) streams.appliedCursor[slot] = seq
    else if (streams.backlogs[slot]!.length < s.profile.backlogMax) streams.backlogs[slot]!.push(seq)
    else {
      const before = s.cause
      s.cause = cause
      close(s, slot, OutcomeCode.slowConsumer)
      s.cause = before
      // The streams after it have moved up by one.
      i--
    }
  }
}
