import { SetFault } from '../../contract.ts'
import { ChannelBit, Credential, GateFault, ReadRoute } from '../protocol/access.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { Drain, isSigned, type OutcomeCommand, OutcomeOp, Read, Resnapshot } from '../protocol/commands.ts'
import { FaultChanged, OutcomeEvent } from '../protocol/events.ts'
import { isPublicRead } from './reads.ts'
import { reply, replyInvalid } from './rows.ts'
import type { GateState } from './state.ts'
import { closeStreams } from './streams.ts'

const FIRST_FAULT = GateFault.authorizationUnavailable
const LAST_FAULT = GateFault.embeddedWalletUnavailable
/** What a faultChanged row of a drain shows in place of a fault. */
const DRAIN = 30

export const isGateFault = (fault: number): boolean => Number.isInteger(fault) && fault >= FIRST_FAULT && fault <= LAST_FAULT

const bitOf = (fault: number): number => 1 << (fault - FIRST_FAULT)

/** Whether a `GateFault` is on. */
export const isOn = (s: GateState, fault: number): boolean => (s.faults & bitOf(fault)) !== 0

/** The operator switches a fault of the gate. */
export function setGateFault(s: GateState, c: OutcomeCommand): void {
  const { [SetFault.fault]: fault, [SetFault.isOn]: isSetOn } = c
  if (isSetOn !== 0 && isSetOn !== 1) return replyInvalid(s, c, InvalidField.value2)
  s.faults = isSetOn === 1 ? s.faults | bitOf(fault) : s.faults & ~bitOf(fault)
  openFaultRow(s, fault, isSetOn)
  reply(s, c, OutcomeCode.ok)
}

/** The operator lets the replica drain, or ends that (OM-163, OM-234). */
export function drain(s: GateState, c: OutcomeCommand): void {
  const { [Drain.isDraining]: isDraining } = c
  if (isDraining !== 0 && isDraining !== 1) return replyInvalid(s, c, InvalidField.value)
  s.isDraining = isDraining + 0
  openFaultRow(s, DRAIN, isDraining)
  if (isDraining === 1) closeStreams(s, OutcomeCode.connectionDrain, () => true)
  reply(s, c, OutcomeCode.ok)
}

/** The operator has clients of a channel load state anew (OM-239). */
export function resnapshot(s: GateState, c: OutcomeCommand): void {
  const { [Resnapshot.channel]: channel } = c
  if (channel !== ChannelBit.account && channel !== ChannelBit.maker && channel !== ChannelBit.market) {
    return replyInvalid(s, c, InvalidField.value)
  }
  closeStreams(s, OutcomeCode.resnapshotRequired, (slot) => (s.streams.channels[slot]! & channel) !== 0)
  reply(s, c, OutcomeCode.ok)
}

function openFaultRow(s: GateState, fault: number, isNowOn: number): void {
  const row = s.events.open(s.nowUs, OutcomeEvent.faultChanged, s.cause)
  s.events.write(row, FaultChanged.fault, fault)
  s.events.write(row, FaultChanged.isOn, isNowOn + 0)
}

/** Faults in the order in which calls meet them, each with its code and the calls it concerns (OM-222…233). */
const CONCERNS: readonly (readonly [fault: number, code: number, concerns: (c: OutcomeCommand) => boolean])[] = [
  [GateFault.dependencyStale, OutcomeCode.dependencyStale, (c) => c.op === OutcomeOp.openStream || isRfqRead(c)],
  [GateFault.sourceUnavailable, OutcomeCode.sourceUnavailable,
    (c) => c.op === OutcomeOp.openStream || (c.op === OutcomeOp.read && !isRfqRead(c) && !isPublicRead(c))],
  [GateFault.contractUnavailable, OutcomeCode.contractUnavailable,
    ({ op }) => op === OutcomeOp.createRfq || op === OutcomeOp.openCashout || op === OutcomeOp.submitQuote],
  [GateFault.marketDataUnavailable, OutcomeCode.marketDataUnavailable,
    (c) => c.op === OutcomeOp.openMarketStream || (isPublicRead(c) && c[Read.route] !== ReadRoute.deployment)],
  [GateFault.sponsorshipUnavailable, OutcomeCode.sponsorshipUnavailable,
    ({ op }) => op === OutcomeOp.withdraw || op === OutcomeOp.reduceCollateral || op === OutcomeOp.acceptQuote],
  [GateFault.contractSignatureOverloaded, OutcomeCode.contractSignatureOverloaded, ({ op }) => isSigned(op)],
  [GateFault.comboAutomaticDisabled, OutcomeCode.comboAutomaticDisabled, ({ op, legCount }) => op === OutcomeOp.createRfq && legCount > 1],
  [GateFault.embeddedWalletUnavailable, OutcomeCode.embeddedWalletUnavailable,
    ({ op, credential }) => credential === Credential.app && (isSigned(op) || op === OutcomeOp.signIn)],
]

/** Code of the first fault that is on and concerns the call, or ok. */
export function refusalOfFault(s: GateState, c: OutcomeCommand): number {
  if (s.faults === 0) return OutcomeCode.ok
  for (const [fault, code, concerns] of CONCERNS) if (isOn(s, fault) && concerns(c)) return code
  return OutcomeCode.ok
}

const isRfqRead = ({ op, [Read.route]: route }: OutcomeCommand): boolean =>
  op === OutcomeOp.read && (
    route === ReadRoute.quotes || route === ReadRoute.acceptance || route === ReadRoute.acceptances || route === ReadRoute.capital ||
    route === ReadRoute.rfq || route === ReadRoute.rfqs)
