import { NONE } from '../../../src/unit/none.ts'
import { FIRST_GATE_OP, FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { ALL_SCOPES, ChannelBit, Credential as Named, GateFault, needsKey, Origin, READ_ROUTES, ReadRoute, ScopeBit, SCOPES_OF_ROLE, SUBPROTOCOL } from '../../../src/venue/outcome/protocol/access.ts'
import { ApplyStream, CloseStream, Drain, OutcomeOp, Resnapshot, RevokeKey } from '../../../src/venue/outcome/protocol/commands.ts'
import { cheapTermsTag } from '../../../src/venue/outcome/protocol/terms.ts'
import { commandOf, type GateCommand } from './command.ts'
import { isPublic, keyTermsOf, scopeOf } from './credentials.ts'
import { knownOf } from './idempotency.ts'
import type { Intent, IntentKind } from './intents.ts'
import { accountOf, ACCOUNTS, flawOf, type Maker, makerOf, pickOf, type Scene, STRANGER } from './scene.ts'
import { type Credential, isIntegerIn } from './state.ts'
import { keptUntilUs } from './streams.ts'
import { TRADES } from './tradeCommands.ts'

/** The command that an intent means now, with its credential and key. An intent that nothing is there for becomes another. */
export function concrete(intent: Intent, scene: Scene): GateCommand {
  let kind = intent.kind
  for (;;) {
    const made = { ...GATE, ...TRADES }[kind]!(intent, scene)
    if (typeof made === 'string') kind = made
    else return withPrincipal(withKey(commandOf(...made), intent, scene, kind), intent, scene)
  }
}

/** A repeat has its key already. */
function withKey(command: GateCommand, intent: Intent, { trade }: Scene, kind: IntentKind): GateCommand {
  if (kind === 'repeat') return command
  const { op, account } = command
  if (op === OutcomeOp.confirmQuote || op === OutcomeOp.declineQuote) return intent.key < 94 ? command : { ...command, key: trade.nextKey }
  if (!needsKey(op)) return intent.key < 90 ? command : { ...command, key: pickOf([1, -2, 0.5], intent.pick)! }
  if (intent.key < 86) return { ...command, key: trade.nextKey }
  const used = trade.keyed.filter((one) => one.account === account)
  if (intent.key < 93 && used.length > 0) return { ...command, key: pickOf(used, intent.pick)!.key }
  return { ...command, key: pickOf([NONE, -2, 0, -0, 0.5, NaN, 268_435_456, NONE, 268_435_455], intent.pick)! }
}

function withPrincipal(command: GateCommand, intent: Intent, scene: Scene): GateCommand {
  const isStranger = intent.credential === 99 && command.op !== OutcomeOp.applyStream
  const strangers = command.op < FIRST_PARTICIPANT_OP ? [-2, 16_777_216, 0.5, NaN, 16_777_215]
    : [-1, 16_777_216, 0.5, NaN, -0, ...(command.op < FIRST_GATE_OP ? [] : [16_777_215])]
  const account = isStranger ? pickOf(strangers, intent.pick)! : command.account
  const { credential, origin } = credentialFor(command, intent, scene)
  const isOwnOrigin = command.op === OutcomeOp.signIn || command.origin !== NONE
  return { ...command, account, credential, origin: isOwnOrigin ? command.origin : origin, source: intent.who % 3 }
}

/** Credential and origin of a call: mostly such that it passes. */
function credentialFor(command: GateCommand, intent: Intent, { state, profile }: Scene): { credential: number, origin: number } {
  const ownOrigin = intent.pick % Math.min(3, profile.allowedOrigins)
  const all = [...state.credentials.values()]
  const active = all.filter((one) => one.account === command.account && one.state === 'active')
  const scope = isPublic(command) ? 0 : scopeOf(command)
  const isForOwner = command.op === OutcomeOp.challengeKey || command.op === OutcomeOp.issueKey || command.op === OutcomeOp.revokeKey
  const needsSession = command.op === OutcomeOp.signOut
  const fit = active.filter((one) => (one.scopes & scope) === scope && !((isForOwner || needsSession) && one.kind === 'key'))
    .filter((one) => command.op !== OutcomeOp.issueKey || one.origin < profile.allowedOrigins)
  const of = (one: Credential | undefined, otherwise: number = Named.app) =>
    ({ credential: one?.number ?? otherwise, origin: one?.kind === 'session' ? one.origin : ownOrigin })
  if (needsSession && intent.flaw >= 60) return of(pickOf(all.filter((one) => one.kind === 'session' && one.state === 'active' && one.account !== command.account), intent.pick))
  if (intent.credential < 35 && !needsSession) return of(undefined)
  if (intent.credential < 76) return of(pickOf(fit, intent.credential))
  if (intent.credential < 85) return of(pickOf(active, intent.pick))
  if (intent.credential < 89) return of(pickOf(all, intent.pick), Named.none)
  if (intent.credential < 93) {
    const session = pickOf(active.filter(({ kind }) => kind === 'session'), intent.pick)
    const origin = pickOf([Origin.none, Origin.several, 0, 1, 0.5, 99], intent.amount)!
    return { credential: session?.number ?? Named.app, origin }
  }
  const credential = [Named.none, Named.malformed, Named.none, -3, 0.5, NaN, 9_999, -0][intent.pick % 8]!
  return { credential, origin: pickOf([NONE, ownOrigin], intent.amount)! }
}

/** Everything that the gate answers itself. */
const GATE: Partial<Record<IntentKind, Maker>> = {
  setGateFault(intent, { state }) {
    const faults = Object.values(GateFault)
    const [on] = state.faults
    const isMore = intent.amount % 10 === 1
    const value = on === undefined || isMore ? pickOf(faults, intent.pick)! : on
    const flaws = [{ value2: 2 }, { value2: NONE }, { value2: 0.5 }, { value2: NaN }, { value2: -0 }, { value: 29 }, { value: 19 }, { value: NaN }]
    const value2 = (on === undefined && intent.amount % 3 === 0) || isMore ? 1 : 0
    return [OutcomeOp.setFault, intent.pick % 5 === 0 ? 3 : -1, { value, value2, ...flawOf({ ...intent, flaw: intent.flaw - 10 }, flaws) }]
  },
  drain(intent, { state }) {
    const flaws = [{ value: 2 }, { value: NONE }, { value: 0.5 }, { value: NaN }, { value: -0 }]
    return [OutcomeOp.drain, -1, { [Drain.isDraining]: !state.isDraining && intent.amount % 3 === 0 ? 1 : 0, ...flawOf(intent, flaws) }]
  },
  resnapshot(intent) {
    const flaws = [{ value: 3 }, { value: 0 }, { value: NONE }, { value: 8 }, { value: NaN }, { value: 0.5 }]
    return [OutcomeOp.resnapshot, -1, { [Resnapshot.channel]: [1, 2, 4][intent.pick % 3]!, ...flawOf(intent, flaws) }]
  },
  signIn(intent) {
    const flaws = [{ origin: NONE }, { origin: -2 }, { origin: -0 }, { origin: 99 }, { origin: -3 }, { origin: 0.5 }, { origin: NaN }]
    return [OutcomeOp.signIn, accountOf(intent), { origin: pickOf([0, 1, 2, 0, 9], intent.pick)!, ...flawOf(intent, flaws) }]
  },
  signOut(intent, { state }) {
    const session = pickOf([...state.credentials.values()].filter((one) => one.kind === 'session' && one.state === 'active'), intent.pick)
    return session === undefined ? 'signIn' : [OutcomeOp.signOut, session.account]
  },
  challengeKey(intent, scene) {
    return [OutcomeOp.challengeKey, accountOf(intent), { ...requestOf(intent, scene), ...flawOf(intent, REQUEST_FLAWS) }]
  },
  issueKey(intent, { state, nowUs }) {
    const isWanted = intent.flaw < 90
    const usable = [...state.challenges.values()].filter(({ isUsed, untilUs }) => (!isUsed && untilUs > nowUs - 2) === isWanted)
    const ending = usable.filter(({ isUsed, untilUs }) => !isUsed && untilUs <= nowUs + 1)
    const challenge = pickOf(ending, intent.pick) ?? pickOf(usable, intent.pick)
    if (challenge === undefined) return 'challengeKey'
    const { account, number, request } = challenge
    const { scopes: value, scopeCount: value2, labelLength: validMs, expiryDays } = request
    const flaws: Partial<GateCommand>[] = [
      { validMs: validMs + 1 }, { validMs: 0 }, { value: ScopeBit.accountRead }, { value: 0 }, { value2: value2 + 1 }, { expiryDays: 2 },
      { signer: -1 }, { signer: 99 }, { signer: 99 }, { signer: NaN }, { signer: 0.5 }, { termsTag: 7 }, { termsTag: NaN },
      { challenge: 0 }, { challenge: 0.5 }, { challenge: NaN }, { challenge: 9_999 }, { origin: -2 }, { origin: -2 }, { origin: 8 },
      { origin: 0.5 }, { origin: NaN }, { expiryDays: 91 },
    ]
    const changed = { value, value2, validMs, expiryDays, ...(isWanted ? flawOf({ ...intent, flaw: intent.flaw + 8 }, flaws) : {}) }
    const asked = { scopes: changed.value, scopeCount: changed.value2, labelLength: changed.validMs, expiryDays: changed.expiryDays }
    const isStolen = intent.flaw === 98
    const termsTag = cheapTermsTag(keyTermsOf(account, number, asked))
    return [OutcomeOp.issueKey, isStolen ? (account + 1) % 4 : account, { challenge: number, signer: account, termsTag, ...changed }]
  },
  revokeKey(intent, { state }) {
    const isWanted = intent.flaw < 70 || intent.flaw >= 90
    const key = pickOf([...state.credentials.values()].filter((one) => one.kind === 'key' && (one.state === 'active') === isWanted), intent.pick)
    if (key === undefined) return 'issueKey'
    const session = pickOf([...state.credentials.values()].filter((one) => one.kind === 'session'), intent.pick)?.number ?? 0
    const flaws = [{}, {}, { value: 0 }, { value: NONE }, { value: 0.5 }, { value: NaN }, { value: 9_999 }, { value: session }]
    return [OutcomeOp.revokeKey, intent.flaw < 95 ? key.account : accountOf(intent), { [RevokeKey.keyNumber]: key.number, ...flawOf(intent, flaws) }]
  },
  openStream(intent, scene) {
    const account = accountOf(intent)
    const isMaker = scene.state.roles.get(account) === 1
    const value = isMaker ? 1 + (intent.amount % 3) : ChannelBit.account
    const flaws: Partial<GateCommand>[] = [
      { value: 3 }, { value: 2 }, { value: 0 }, { value: 4 }, { value: 0.5 }, { value: NaN }, { value2: NONE }, { value2: 4 }, { value2: 0.5 },
      { cursor: -2 }, { cursor: 0.5 }, { cursor: NaN }, { cursor: 2 ** 53 }, { cursor: -0 }, { cursor: 0 }, { version: 0 }, { version: NONE }, { version: NaN },
    ]
    return [OutcomeOp.openStream, account, {
      value, value2: (intent.amount >> 2) & 3, cursor: cursorOf(intent, scene), version: SUBPROTOCOL, ...flawOf(intent, flaws),
    }]
  },
  openMarketStream(intent, scene) {
    const offered = [...scene.state.outcomes].filter(([, { isOffered }]) => isOffered)
    const closing = offered.filter(([, { closeUs }]) => Math.abs(closeUs - scene.nowUs) <= 1)
    const listed = (closing.length > 0 ? closing : offered).map(([outcome]) => outcome)
    const most = intent.flaw < 80 ? Math.min(scene.profile.marketOutcomesMax, 1 + (intent.amount % 3)) : scene.profile.marketOutcomesMax + 1
    const list = Array.from({ length: most }, (_, i) => pickOf(listed, intent.pick + i) ?? 0)
    const flaws: Partial<GateCommand>[] = [
      {}, { list: [] }, { list: [9_999] }, { list: [-1] }, { list: list.slice(0, 1), cursor: -2 }, { list: list.slice(0, 1), cursor: 0.5 },
      { version: 2 }, { value2: 2 }, { value2: 0.5 }, { value2: -0 }, { list: [...scene.state.outcomes.keys()].filter((one) => !listed.includes(one)).slice(0, 1) },
    ]
    return [OutcomeOp.openMarketStream, accountOf(intent), {
      list, value2: (intent.amount % 3) - 1, cursor: cursorOf(intent, scene), version: SUBPROTOCOL, ...flawOf(intent, flaws),
    }]
  },
  closeStream(intent, { state }) {
    const stream = pickOf([...state.streams.values()], intent.pick)
    const flaws = [{ value: 0 }, { value: NaN }, { value: 0.5 }, { value: 99_999 }]
    const account = intent.flaw < 93 ? stream?.account ?? 0 : pickOf([...ACCOUNTS, -1, NaN], intent.amount)!
    return [OutcomeOp.closeStream, account, { [CloseStream.stream]: stream?.number ?? 1, ...flawOf(intent, flaws) }]
  },
  applyStream(intent, { state }) {
    const streams = [...state.streams.values()]
    const stream = pickOf(streams.filter(({ unread }) => unread.length > 0), intent.pick) ?? pickOf(streams, intent.pick)
    if (stream === undefined) return 'openStream'
    const cursor = pickOf([stream.unread[0] ?? state.newest, state.newest, stream.unread.at(-1) ?? stream.applied, stream.applied], intent.amount)!
    const flaws = [
      { cursor: stream.applied - 1 }, { cursor: state.newest + 1 }, { cursor: NONE }, { cursor: 0.5 }, { cursor: NaN }, { cursor: 2 ** 53 }, { cursor: -0 },
      { value: 0 }, { value: 99_999 }, { value: NaN }, { value: 0.5 },
    ]
    const account = intent.flaw < 96 ? NONE : pickOf([0, NaN, -2, 0.5], intent.pick)!
    return [OutcomeOp.applyStream, account, { [ApplyStream.stream]: stream.number, cursor, ...flawOf(intent, flaws) }]
  },
  read(intent, scene) {
    const { profile } = scene
    const value = Math.floor(intent.amount / 12) % READ_ROUTES
    const most = value === ReadRoute.marketHistory ? profile.historyPageMax : profile.pageMax
    const isMakers = value === ReadRoute.acceptances || value === ReadRoute.capital
    const account = !isMakers || intent.flaw >= 70 ? accountOf(intent) : intent.flaw < 62 ? makerOf(intent) : STRANGER
    const flaws = [
      { value: NONE }, { value: READ_ROUTES }, { value: 0.5 }, { value: NaN }, { value: -0 }, { value2: 0 }, { value2: most }, { value2: most + 1 },
      { value2: 1 }, { value2: 0.5 }, { value2: NaN }, { cursor: -2 }, { cursor: 0.5 }, { cursor: NaN }, { cursor: -0 }, { cursor: 2 ** 53 },
    ]
    return [OutcomeOp.read, account, { value, ...(intent.flaw % 3 === 0 ? pageOf(intent, scene, value) : {}), ...flawOf(intent, flaws) }]
  },
  repeat(intent, { trade, state, nowUs }) {
    const waits = (one: GateCommand): boolean => one.op === OutcomeOp.acceptQuote && knownOf(state, one)?.answer === null
    const waiting = trade.keyed.filter(waits)
    const ending = trade.keyed.filter((one) => Math.abs((knownOf(state, one)?.answer?.untilUs ?? NONE) - nowUs) <= 1)
    const first = pickOf(ending, intent.pick) ?? pickOf(waiting.length > 0 && intent.amount % 4 > 0 ? waiting : trade.keyed, intent.pick)
    if (first === undefined) return 'createRfq'
    const { seq: _seq, op, account, ...fields } = first
    const flaws: Partial<GateCommand>[] = [
      { memoE9: intent.amount }, { memoE9: 1 }, { stakeMicros: fields.stakeMicros + 1 }, { value2: 7 }, { list: [1] }, { legs: [...fields.legs, [1, 1]] },
      { legs: fields.legs.map(([outcome, side]) => [outcome, 1 - side] as const) }, { generation: 1 }, { key: trade.nextKey },
    ]
    const origin = first.op === OutcomeOp.issueKey ? first.origin : NONE
    return [op, account, { ...fields, origin, ...flawOf(intent, flaws) }]
  },
  unknownOp: (intent) => [[0, 11, 19, 24, 34, 44, 59, 70, 99][intent.pick % 9]!, accountOf(intent), { rfq: 1 }],
}

const REQUEST_FLAWS: readonly Partial<GateCommand>[] = [
  { validMs: 0 }, { validMs: 81 }, { validMs: 1.5 }, { validMs: NaN }, { value: 0 }, { value: ALL_SCOPES }, { value: 512 }, { value: NONE }, { value: 1.5 },
  { value2: 0 }, { value2: 33 }, { value2: NaN }, { expiryDays: 0 }, { expiryDays: 91 }, { expiryDays: -2 }, { expiryDays: 1.5 }, { expiryDays: NaN },
]

/** What a key may be asked for with. */
function requestOf(intent: Intent, { state, profile }: Scene): Partial<GateCommand> {
  const applicable = SCOPES_OF_ROLE[state.roles.get(accountOf(intent)) ?? 0]!
  const masks = [applicable, applicable, applicable & ~ScopeBit.accountStream, applicable & (1 + (intent.amount % ALL_SCOPES)), ScopeBit.accountStream]
  const value = pickOf(masks, intent.pick)!
  return {
    value: value === 0 ? applicable : value, value2: 1 + (intent.amount % profile.scopesMax), validMs: 1 + (intent.who % profile.labelMax),
    expiryDays: pickOf([NONE, 1, profile.keyDaysMax], intent.amount)!,
  }
}

/** A cursor of a stream: mostly none, else one around those that can be replayed. */
function cursorOf(intent: Intent, { state, profile, nowUs }: Scene): number {
  const { log, horizon, newest } = state
  const oldest = log[0]
  if (oldest !== undefined && Math.abs(keptUntilUs(oldest, profile.replayWindowMs) - nowUs) <= 1) return oldest.seq - 1
  if (intent.key < 45) return NONE
  const seqs = log.map(({ seq }) => seq)
  return pickOf([
    newest, log[0]?.seq ?? newest, horizon, pickOf(seqs, intent.pick) ?? newest, (pickOf(seqs, intent.pick) ?? newest) - 1,
    Math.max(horizon - 1, 0), newest + 1, horizon, horizon + 1,
  ], intent.amount)!
}

/** Limit and cursor of a page. */
function pageOf(intent: Intent, { state, profile, nowUs }: Scene, route: number): Partial<GateCommand> {
  const nowMs = Math.floor(nowUs / 1000)
  const isCatalogue = route === ReadRoute.markets || route === ReadRoute.marketHistory
  const cursors = isCatalogue ? [state.generation, state.generation, state.generation - 1, state.generation + 1]
    : [nowMs, nowMs - 1, nowMs + 1, nowMs - profile.cursorLifeMs, nowMs - profile.cursorLifeMs + 1, nowMs - profile.cursorLifeMs, nowMs - profile.cursorLifeMs + 1]
  const isList = isIntegerIn(route, 0, READ_ROUTES - 1) && [0, 2, 6, 8, 11, 13, 15, 16].includes(route)
  if (!isList && intent.key % 4 > 0) return {}
  return { cursor: pickOf(cursors, intent.amount)!, value2: intent.key % 2 === 0 ? NONE : 1 + (intent.key % 20) }
}
