import { NONE } from '../../../src/unit/none.ts'
import { FIRST_GATE_OP, FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { ALL_SCOPES, Credential, ScopeBit } from '../../../src/venue/parlay/protocol/access.ts'
import { ParlayOp, RevokeKey, RotateSecret, SetEndpoint } from '../../../src/venue/parlay/protocol/commands.ts'
import { DeliveryStatus } from '../../../src/venue/parlay/protocol/webhooks.ts'
import { commandOf, type GateCommand } from './command.ts'
import type { Intent, IntentKind } from './intents.ts'
import { isCredentialValid, isPublic } from './limits.ts'
import { scopeOf } from './model.ts'
import { accountOf, type Maker, pickOf, type Scene } from './scene.ts'
import type { Delivery, State } from './state.ts'
import { TRADES } from './tradeCommands.ts'

/** The flaw that the intent has, if any. */
const flawOf = (intent: Intent, flaws: readonly Partial<GateCommand>[]): Partial<GateCommand> =>
  intent.flaw < 80 ? {} : flaws[(intent.flaw + intent.amount) % flaws.length]!

/** The command that an intent means now, with its credential and source. An intent that nothing is there for becomes another. */
export function concrete(intent: Intent, scene: Scene): GateCommand {
  let kind = intent.kind
  for (;;) {
    const made = { ...GATE, ...TRADES }[kind]!(intent, scene)
    if (typeof made === 'string') kind = made
    else return withPrincipal(commandOf(...made), intent, scene)
  }
}

function withPrincipal(command: GateCommand, intent: Intent, { state }: Scene): GateCommand {
  // The venue's columns reach up to the highest account: the last number that one can have is left to the gate's own commands.
  const strangers = [-1, 2_147_483_647, 0.5, NaN, ...(command.op < FIRST_GATE_OP ? [1_100] : [2_147_483_646, -0])]
  const isStranger = intent.credential === 99 && command.op >= FIRST_PARTICIPANT_OP
  const account = isStranger ? pickOf(strangers, intent.pick)! : command.account
  const credential = isStranger ? Credential.jwt : credentialOf(command, intent, state)
  const sources = [0, 0, 1, 1, 2, 2_147_483_646, 2_147_483_647, -1, 0.5, NaN]
  return { ...command, account, credential, source: sources[Math.floor(intent.source / 10)]! }
}

function credentialOf(command: GateCommand, intent: Intent, state: State): number {
  const keys = [...state.keys.values()]
  const active = keys.filter((key) => isCredentialValid(state, command.account, key.number))
  const scope = isPublic(command) ? 0 : scopeOf(command)
  const fit = active.filter((key) => (key.scopes & scope) === scope)
  if (intent.credential < 40) return Credential.jwt
  if (intent.credential < 80) return pickOf(fit, intent.credential)?.number ?? Credential.jwt
  if (intent.credential < 86) return pickOf(active, intent.pick)?.number ?? Credential.jwt
  if (intent.credential < 90) return pickOf(keys, intent.pick)?.number ?? Credential.none
  return [Credential.none, Credential.wrongType, Credential.none, -3, 0.5, NaN, 9_999][intent.credential % 7]!
}

const GATE: Partial<Record<IntentKind, Maker>> = {
  createKey(intent, { nowUs }) {
    const masks = [
      ALL_SCOPES, ALL_SCOPES, intent.amount % ALL_SCOPES + 1, ScopeBit.keysManage | (intent.amount & ALL_SCOPES), ScopeBit.accountWrite,
      ScopeBit.accountWrite | ScopeBit.positionsRead | ScopeBit.mmQuote,
    ]
    const expiries = [NONE, NONE, nowUs + 1, nowUs + 1_000_000, nowUs + 1 + intent.amount, nowUs + 1 + 4 * intent.amount]
    const flaws = [
      { value: 0 }, { value: ALL_SCOPES + 1 }, { value: NONE }, { value: 1.5 }, { value: NaN }, { closeUs: nowUs }, { closeUs: nowUs - 1 },
      { closeUs: -2 }, { closeUs: 0 }, { closeUs: nowUs + 0.5 }, { closeUs: NaN }, { closeUs: Infinity }, { closeUs: 1e300 },
      { closeUs: Number.MAX_SAFE_INTEGER }, { closeUs: Number.MAX_SAFE_INTEGER - 1 }, { closeUs: 2 ** 53 },
    ]
    const fields = { value: pickOf(masks, intent.pick)!, closeUs: pickOf(expiries, intent.source)! }
    return [ParlayOp.createKey, accountOf(intent), { ...fields, ...flawOf(intent, flaws) }]
  },
  revokeKey(intent, { state }) {
    const keys = [...state.keys.values()]
    const isWanted = intent.flaw < 60 || intent.flaw >= 90
    const key = pickOf(keys.filter((key) => (key.state === 'active') === isWanted), intent.pick)
    if (key === undefined) return 'createKey'
    const wrong = [{}, {}, { value: 0 }, { value: NONE }, { value: 0.5 }, { value: NaN }, { value: 9_999 }]
    return [ParlayOp.revokeKey, intent.flaw < 95 ? key.account : accountOf(intent), { [RevokeKey.keyNumber]: key.number, ...flawOf(intent, wrong) }]
  },
  setEndpoint(intent) {
    const owner = intent.pick % 2
    const all = owner === 1 ? 7 : 127
    const events = intent.amount % 10 < 6 ? all : intent.amount % 10 < 8 ? 0 : (intent.amount >> 3) & all
    const flaws = [
      { value: 2 }, { value: NONE }, { value: NaN }, { value: 0.5 }, { value: 1, value2: 8 }, { value: 0, value2: 128 }, { value2: NONE },
      { value2: 1.5 }, { value2: NaN }, { value: -0, value2: -0 },
    ]
    return [ParlayOp.setEndpoint, accountOf(intent), { [SetEndpoint.ownerKind]: owner, [SetEndpoint.events]: events, ...flawOf(intent, flaws) }]
  },
  rotateSecret(intent, { state }) {
    const endpoint = pickOf([...state.endpoints.values()], intent.pick)
    if (endpoint === undefined) return 'setEndpoint'
    const flaws = [{ value: 2 }, { value: NONE }, { value: NaN }, { value: 0.5 }, { value: 1 - endpoint.owner }]
    return [ParlayOp.rotateSecret, endpoint.account, { [RotateSecret.ownerKind]: endpoint.owner, ...flawOf(intent, flaws) }]
  },
  redeliver(intent, { state }) {
    const all = [...state.deliveries.values()]
    const delivery = pickOf(intent.flaw < 80 ? all.filter(isEnded) : all.filter((one) => !isEnded(one)), intent.pick)
    if (delivery === undefined) return 'answerDelivery'
    const flaws = [
      {}, {}, {}, {}, { value: 0 }, { value: 0.5 }, { value: NaN }, { value: 99_999 }, { value: NONE }, { value2: 1 - delivery.owner },
      { value2: NONE }, { value2: 2 }, { value2: 0.5 }, { value2: NaN },
    ]
    const account = intent.flaw < 96 ? delivery.account : accountOf(intent)
    return [ParlayOp.redeliver, account, { value: delivery.number, value2: delivery.owner, ...flawOf(intent, flaws) }]
  },
  setDeliveries(intent, { state }) {
    const off = pickOf([...state.mute], intent.pick)
    const flaws = [{ value: NONE }, { value: 16_777_216 }, { value: 0.5 }, { value: NaN }, { value2: 2 }, { value2: NONE }, { value2: NaN }, { value: -0, value2: -0 }]
    const fields = off === undefined ? { value: accountOf(intent), value2: intent.amount % 5 === 0 ? 1 : 0 } : { value: off, value2: 1 }
    return [ParlayOp.setDeliveries, 0, { ...fields, ...flawOf(intent, flaws) }]
  },
  openStream: (intent) => [ParlayOp.openStream, accountOf(intent)],
  closeStream: (intent) => [ParlayOp.closeStream, accountOf(intent)],
  read(intent) {
    const value = intent.amount % 3 === 0 ? 0 : intent.pick % 10
    const flaws = [{}, {}, { value: 10 }, { value: NONE }, { value: 0.5 }, { value: NaN }, { value: Infinity }]
    return [ParlayOp.read, accountOf(intent), { value, ...flawOf(intent, flaws) }]
  },
  answerDelivery(intent, { state }) {
    const all = [...state.deliveries.values()]
    const delivery = pickOf(intent.flaw < 88
      ? all.filter((one) => one.next.kind === 'timeout')
      : all.filter(({ next, status }) => next.kind !== 'timeout' && (intent.flaw >= 94 || status === DeliveryStatus.delivered)),
    intent.pick)
    if (delivery === undefined) return pickOf(['deposit', 'cancelRequest', 'confirmSelection', 'withdraw'] as const, intent.amount)!
    const fields = { value: delivery.number, version: delivery.attempts, value2: statusOf(intent) }
    const flaws = [
      {}, {}, {}, { version: fields.version - 1 }, { version: fields.version + 1 }, { value: 99_999 }, { value: NaN }, { value: 0 },
      { version: 0.5 }, { version: NaN }, { value2: 200.5 }, { value2: NaN }, { value2: Infinity },
      { value2: -1 }, { value2: -2 }, { value2: 1 }, { value2: 99 }, { value2: 600 }, { value2: 1_000 }, { value2: -0 },
    ]
    return [ParlayOp.answerDelivery, intent.flaw < 97 ? -1 : accountOf(intent), { ...fields, ...flawOf(intent, flaws) }]
  },
  unknownOp: (intent) => [[10, 19, 24, 29, 37, 45, 59, 69, 99][intent.pick % 9]!, accountOf(intent), { request: 1 }],
}

const isEnded = ({ status }: Delivery): boolean => status === DeliveryStatus.delivered || status === DeliveryStatus.deadLetter

/** An answer of any class, the successes most often. */
function statusOf(intent: Intent): number {
  const classes = [
    [200, 204, 299, 201], [200, 204, 299, 201], [200, 250, 299, 202], [500, 503, 599], [100, 199, 101], [300, 301, 399], [408], [429],
    [400, 404, 410, 499, 407, 409, 428, 430], [500, 502, 599], [0], [400, 403, 451],
  ]
  return pickOf(pickOf(classes, intent.amount)!, intent.who)!
}
