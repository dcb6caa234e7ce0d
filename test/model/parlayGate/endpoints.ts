import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import { ALL_WEBHOOK_EVENTS, MAKER_WEBHOOK_EVENTS, OwnerKind } from '../../../src/venue/parlay/protocol/webhooks.ts'
import type { Answer } from '../parlay/namedRows.ts'
import type { GateCommand } from './command.ts'
import { endpointName, isIntegerIn, type Turn, unsignedZero, write } from './state.ts'

const plain = ({ account, value, value2, credential }: GateCommand) => (
  { account: unsignedZero(account), value: unsignedZero(value), value2: unsignedZero(value2), credential: unsignedZero(credential) }
)

export function setEndpoint(turn: Turn, command: GateCommand): Answer {
  const { account, value: owner, value2: events, credential } = plain(command)
  const most = owner === OwnerKind.maker ? MAKER_WEBHOOK_EVENTS : ALL_WEBHOOK_EVENTS
  if (!isOwnerKind(owner) || !isIntegerIn(events, 0, most)) return { code: ParlayCode.invalid }
  const name = endpointName(account, owner)
  const secret = turn.state.endpoints.get(name)?.secret ?? 0
  turn.state.endpoints.set(name, { account, owner, events, credential, secret })
  write(turn, ParlayEvent.endpointSet, { account, ownerKind: owner, webhookEvents: events, credential })
  return { code: ParlayCode.ok }
}

export function rotateSecret(turn: Turn, command: GateCommand): Answer {
  const { account, value: owner } = plain(command)
  if (!isOwnerKind(owner)) return { code: ParlayCode.invalid }
  const name = endpointName(account, owner)
  const endpoint = turn.state.endpoints.get(name)
  if (endpoint === undefined) return { code: ParlayCode.notFound }
  const secret = endpoint.secret + 1
  turn.state.endpoints.set(name, { ...endpoint, secret })
  write(turn, ParlayEvent.secretRotated, { account, ownerKind: owner, secretGeneration: secret })
  return { code: ParlayCode.ok, secretGeneration: secret }
}

export const isOwnerKind = (owner: number): boolean => owner === OwnerKind.user || owner === OwnerKind.maker
