import { NONE } from '../../../src/unit/none.ts'
import { ChannelBit, Credential as Named, ScopeBit, StreamFlag } from '../../../src/venue/outcome/protocol/access.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { AccountRole, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, STREAM_EVENT_NAMES } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import { type Answer, isOfKind } from '../outcome/namedRows.ts'
import type { GateCommand } from './command.ts'
import type { Row } from './rows.ts'
import { endsAtUs, isIntegerIn, type State, type Stream, type Turn, unsignedZero, write } from './state.ts'

const { account: ACCOUNT, maker: MAKER, market: MARKET } = ChannelBit
const has = (mask: number, bit: number): boolean => (mask & bit) !== 0
const isCursor = (cursor: number): boolean => Number.isSafeInteger(cursor) && cursor >= 0

/** The stream commands that meet the check of the subprotocol. */
export const isSubscription = (op: number): boolean => op === OutcomeOp.openStream || op === OutcomeOp.openMarketStream

/** Whether an event is one of a stream. */
export function isFor({ channels, account }: Pick<Stream, 'channels' | 'account'>, event: Row): boolean {
  if (isOfKind(event, OutcomeEvent.rfqCreated)) return has(channels, MAKER)
  if (isOfKind(event, OutcomeEvent.quoteCreated)) return has(channels, ACCOUNT) && event.owner === account
  if (isOfKind(event, OutcomeEvent.quoteAccepted)) return has(channels, MAKER) && event.maker === account
  const isOperation = isOfKind(event, OutcomeEvent.operationStarted) || isOfKind(event, OutcomeEvent.operationUpdated)
  return isOperation && ((has(channels, ACCOUNT) && event.account === account) || (has(channels, MAKER) && event.maker === account))
}

/** Whether the session or key of a stream is over, also before its row: it gets no event then. */
export function isOver(state: Pick<State, 'credentials'>, { credential }: Stream, profile: OutcomeGateProfile, nowUs: number): boolean {
  const own = state.credentials.get(credential)
  return own !== undefined && nowUs >= endsAtUs(own, profile)
}

/** Keeps the events among the venue's rows, and sends them. */
export function publish(turn: Turn, rows: readonly Row[]): void {
  const { state, profile } = turn
  for (const row of rows) {
    if (STREAM_EVENT_NAMES[row.kind] === undefined) continue
    state.log = [...state.log, row]
    for (const stream of [...state.streams.values()].filter((one) => isFor(one, row) && !isOver(state, one, profile, turn.nowUs))) {
      if (!stream.isPaced) state.streams.set(stream.number, { ...stream, applied: row.seq })
      else if (stream.unread.length >= profile.backlogMax) close(turn, stream, OutcomeCode.slowConsumer, row.cause)
      else state.streams.set(stream.number, { ...stream, unread: [...stream.unread, row.seq] })
    }
  }
}

/** When an event is no longer kept. */
export const keptUntilUs = (event: Row, replayWindowMs: number): number => event.atUs + replayWindowMs * 1000

/** Drops the events whose time is over. */
export function forgetEvents({ state, profile, nowUs }: Turn): void {
  const over = state.log.filter((event) => nowUs >= keptUntilUs(event, profile.replayWindowMs))
  state.log = state.log.slice(over.length)
  state.horizon = over.at(-1)?.seq ?? state.horizon
}

export function close(turn: Turn, stream: Stream, code: number, cause = turn.cause): void {
  turn.state.streams.delete(stream.number)
  write(turn, OutcomeEvent.streamClosed, { account: shownAccount(stream), stream: stream.number, reason: code, appliedCursor: stream.applied }, cause)
}

/** Closes the streams that are meant, by number. */
export function closeAll(turn: Turn, isMeant: (stream: Stream) => boolean, code: number): void {
  for (const stream of [...turn.state.streams.values()].filter(isMeant)) close(turn, stream, code)
}

export function beat(turn: Turn, stream: Stream): void {
  write(turn, OutcomeEvent.streamHeartbeat, { account: shownAccount(stream), stream: stream.number, newestCursor: turn.state.newest })
  turn.state.streams.set(stream.number, { ...stream, nextBeatUs: turn.nowUs + stream.beatMs * 1000 })
}

const shownAccount = ({ channels, account }: Stream): number => (channels === MARKET ? NONE : account)

/** What a stream without a cursor begins with. */
export interface StreamSnapshot {
  readonly items: number
  readonly bytes: number
}

export function snapshotOf({ view, profile }: Pick<Turn, 'view' | 'profile'>, account: number, channels: number): StreamSnapshot {
  const newest = (numbers: readonly number[]): readonly number[] => numbers.slice(-profile.snapshotItemsMax)
  let items = 0
  let legs = 0
  if (has(channels, ACCOUNT)) {
    const rfqs = newest(view.openRfqsOf(account))
    const positions = newest(view.positionsOf(account))
    items += rfqs.length + positions.length + newest(view.operationsOf(account)).length
    for (const number of rfqs) legs += view.rfq(number)!.legs.length
    for (const number of positions) legs += view.position(number)!.legs.length
  }
  if (has(channels, MAKER)) items += newest(view.liveQuotesOf(account)).length
  return { items, bytes: 512 + 256 * items + 96 * legs }
}

export function openStream(turn: Turn, command: GateCommand): Answer {
  const { state, profile } = turn
  const { value: channels, value2: flags, cursor } = command
  const account = unsignedZero(command.account)
  const refusal = refusalOf(turn, account)
  if (refusal !== null) return refusal
  const isValid = isIntegerIn(channels, 1, ACCOUNT | MAKER) && isIntegerIn(flags, 0, StreamFlag.freshness | StreamFlag.paced)
  if (!isValid || (cursor !== NONE && !isCursor(cursor))) return { code: OutcomeCode.invalidSubscription }
  const scopes = state.credentials.get(command.credential)?.scopes
  const lacksScope = scopes !== undefined && !has(scopes, ScopeBit.accountStream)
  if (lacksScope || (has(channels, MAKER) && state.roles.get(account) !== AccountRole.maker)) return { code: OutcomeCode.subscriptionDenied }
  if (isReset(state, cursor)) return { code: OutcomeCode.cursorReset }
  const snapshot = snapshotOf(turn, account, channels)
  if (cursor === NONE && snapshot.bytes > profile.frameBytesMax) return { code: OutcomeCode.snapshotTooLarge }
  const isPaced = has(flags, StreamFlag.paced)
  const beatMs = has(flags, StreamFlag.freshness) ? profile.freshHeartbeatMs : profile.heartbeatMs
  return opened(turn, { account, credential: unsignedZero(command.credential), channels, isPaced, beatMs }, cursor, snapshot.items)
}

export function openMarketStream(turn: Turn, command: GateCommand): Answer {
  const { state, profile, nowUs } = turn
  const { list, value2: flags, cursor } = command
  const account = unsignedZero(command.account)
  const refusal = refusalOf(turn, account)
  if (refusal !== null) return refusal
  const isFresh = unsignedZero(flags) === StreamFlag.freshness
  const isValid = list.length >= 1 && list.length <= profile.marketOutcomesMax && [NONE, 0, StreamFlag.freshness].includes(flags)
  if (!isValid || (cursor !== NONE && !isCursor(cursor))) return { code: OutcomeCode.invalidSubscription }
  if (!list.every((outcome) => isListed(state, outcome, nowUs))) return { code: OutcomeCode.subscriptionDenied }
  if (isReset(state, cursor)) return { code: OutcomeCode.cursorReset }
  const stream = { account, credential: Named.none, channels: MARKET, isPaced: false, beatMs: isFresh ? profile.freshHeartbeatMs : profile.heartbeatMs }
  return opened(turn, stream, cursor, 0)
}

/** Listed, neither delisted nor resolved since, and not closed. */
export function isListed({ outcomes }: State, number: number, nowUs: number): boolean {
  const outcome = outcomes.get(number)
  return outcome !== undefined && outcome.isOffered && nowUs < outcome.closeUs
}

/** What is answered to the upgrade, before the first frame. */
function refusalOf({ state, profile }: Turn, account: number): Answer | null {
  if (state.isDraining) return { code: OutcomeCode.connectionDrain }
  if (streamsOf(state, account).length >= profile.streamsMax) return { code: OutcomeCode.connectionLimit }
  return null
}

const isReset = ({ horizon, newest }: State, cursor: number): boolean => cursor !== NONE && (cursor < horizon || cursor > newest)

/** The account's open streams, market data among them. */
export const streamsOf = (state: State, account: number): Stream[] =>
  [...state.streams.values()].filter((stream) => stream.account === account)

type Opening = Pick<Stream, 'account' | 'credential' | 'channels' | 'isPaced' | 'beatMs'>

function opened(turn: Turn, opening: Opening, cursor: number, items: number): Answer {
  const { state, profile, nowUs } = turn
  const isReplay = cursor !== NONE
  const replayed = isReplay && opening.channels !== MARKET
    ? state.log.filter((event) => event.seq > cursor && isFor(opening, event)).map(({ seq }) => seq) : []
  const first = isReplay ? unsignedZero(cursor) : state.newest
  const stream: Stream = {
    ...opening, number: ++state.lastStream, applied: opening.isPaced ? first : replayed.at(-1) ?? first,
    unread: opening.isPaced ? replayed : [], nextBeatUs: nowUs + opening.beatMs * 1000,
  }
  state.streams.set(stream.number, stream)
  const itemCount = isReplay ? replayed.length : items
  write(turn, OutcomeEvent.streamOpened, {
    account: shownAccount(stream), start: isReplay ? 1 : 0, stream: stream.number, channels: stream.channels, firstCursor: first, itemCount,
  })
  if (stream.unread.length > profile.backlogMax) close(turn, stream, OutcomeCode.slowConsumer)
  return { code: OutcomeCode.ok, stream: stream.number, firstCursor: first, itemCount }
}

export function closeStream(turn: Turn, command: GateCommand): Answer {
  const stream = turn.state.streams.get(command.value)
  if (stream?.account === command.account) close(turn, stream, OutcomeCode.ok)
  return { code: OutcomeCode.ok }
}

export function applyStream({ state }: Turn, { value, cursor }: GateCommand): Answer {
  const stream = state.streams.get(value)
  if (stream === undefined) return { code: OutcomeCode.notFound }
  if (!(isCursor(cursor) && cursor >= stream.applied && cursor <= state.newest)) return { code: OutcomeCode.invalidCursor }
  state.streams.set(value, { ...stream, applied: unsignedZero(cursor), unread: stream.unread.filter((seq) => seq > cursor) })
  return { code: OutcomeCode.ok }
}
