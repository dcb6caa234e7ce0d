import type { Snapshot } from '../unit/snapshot.ts'

/**
 * Opcodes about a market that every service has, under the same numbers. So one plan of an operator serves all services of a session. The
 * outcome service calls a market an outcome.
 */
export const MarketOp = { list: 1, halt: 2, resume: 3, delist: 4, resolve: 5 } as const
/**
 * What the fields `value` and `value2` of commands are called, of kinds that every service has. Each service's protocol has those of its own
 * kinds. Only journals know the fields by other names: `c[SetFault.isOn]` (test/architecture/commandNames.test.ts).
 */
/** `result`: a MarketResult. */
export const Resolve = { result: 'value' } as const
/** `fault`: one of the service's; `isOn`: 1 or 0. */
export const SetFault = { fault: 'value', isOn: 'value2' } as const

/** The most legs of a command, of every service. Edges refuse longer input before it becomes a command. */
export const COMMAND_LEGS_MAX = 64

/** In every service an operator's opcodes are below this number (design.md, decision 3). From it on they are participants' and the world's. */
export const FIRST_PARTICIPANT_OP = 20
/** From this number on opcodes are the gate's own. */
export const FIRST_GATE_OP = 60

export const isOperators = (op: number): boolean => op < FIRST_PARTICIPANT_OP

/** Who sends a command: account number, credential number (0 when the gate is off), source address number. */
export interface Principal {
  account: number
  credential: number
  source: number
}

/** The part of a command that every venue shares. Commands are reused objects: a venue copies what it keeps. */
export interface Command extends Principal {
  /** Sequence number of the command in its session, from 1; event rows name it as their cause. */
  seq: number
  /** Opcode of the service's protocol. */
  op: number
}

/**
 * A venue: a deterministic state machine (design.md, decision 1). It reads no clock, draws no random number, does
 * no I/O and never throws on a bad command. Each command gets exactly one reply row, at once or from a later pulse.
 *
 * Before a participant's command every deadline at or before `nowUs` is pulsed at its own time; before an operator's
 * command every deadline before `nowUs` (decision 2: operator inputs come first at equal times).
 */
export interface Venue<C extends Command> extends Snapshot {
  /** Runs one command at `nowUs`, which never falls from call to call. */
  apply(nowUs: number, command: C): void
  /** The earliest deadline, or NEVER_US. At some deadlines nothing observable happens. */
  nextDeadlineUs(): number
  /** Runs every deadline at or before `nowUs`, each at its own time. */
  pulse(nowUs: number): void
  /** Fingerprint of the whole state; equal states give equal hashes. */
  stateHash(): string
}
