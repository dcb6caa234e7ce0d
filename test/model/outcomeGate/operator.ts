import { ChannelBit, GateFault } from '../../../src/venue/outcome/protocol/access.ts'
import { InvalidField, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { ACCOUNT_MAX, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import type { Answer } from '../outcome/namedRows.ts'
import type { GateCommand } from './command.ts'
import { isIntegerIn, type Turn, unsignedZero, write } from './state.ts'
import { closeAll } from './streams.ts'

const FAULTS: readonly number[] = Object.values(GateFault)
/** The fault that faultChanged tells of a drain. */
const DRAIN = 30
const invalid = (field: number): Answer => ({ code: OutcomeCode.invalidRequest, invalidField: field })

/** The operator's commands to the gate. Null: the command is the venue's. */
export function operate(turn: Turn, command: GateCommand): Answer | null {
  const { op, account, value, value2 } = command
  const isGates = op === OutcomeOp.drain || op === OutcomeOp.resnapshot || (op === OutcomeOp.setFault && FAULTS.includes(value))
  if (!isGates) return null
  if (!isIntegerIn(account, -1, ACCOUNT_MAX)) return invalid(InvalidField.account)
  if (op === OutcomeOp.setFault) return setFault(turn, value, value2)
  return op === OutcomeOp.drain ? drain(turn, value) : resnapshot(turn, value)
}

function setFault(turn: Turn, fault: number, isOn: number): Answer {
  if (!isIntegerIn(isOn, 0, 1)) return invalid(InvalidField.value2)
  if (isOn === 1) turn.state.faults.add(fault)
  else turn.state.faults.delete(fault)
  write(turn, OutcomeEvent.faultChanged, { fault, isOn: unsignedZero(isOn) })
  return { code: OutcomeCode.ok }
}

function drain(turn: Turn, isOn: number): Answer {
  if (!isIntegerIn(isOn, 0, 1)) return invalid(InvalidField.value)
  turn.state.isDraining = isOn === 1
  write(turn, OutcomeEvent.faultChanged, { fault: DRAIN, isOn: unsignedZero(isOn) })
  if (isOn === 1) closeAll(turn, () => true, OutcomeCode.connectionDrain)
  return { code: OutcomeCode.ok }
}

function resnapshot(turn: Turn, channel: number): Answer {
  if (channel !== ChannelBit.account && channel !== ChannelBit.maker && channel !== ChannelBit.market) return invalid(InvalidField.value)
  closeAll(turn, ({ channels }) => (channels & channel) !== 0, OutcomeCode.resnapshotRequired)
  return { code: OutcomeCode.ok }
}
