import type { OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import type { GateCommand } from './command.ts'
import type { Intent, IntentKind } from './intents.ts'
import type { State } from './state.ts'
import type { Trade } from './trade.ts'

export const PARTICIPANTS = [0, 1] as const
export const MAKERS = [2, 3] as const
/** Never bound. */
export const STRANGER = 4
export const ACCOUNTS = [...PARTICIPANTS, ...MAKERS, STRANGER] as const

/** Where an intent becomes a command: the model's state before the deadlines of the instant, and the trading. */
export interface Scene {
  readonly state: State
  readonly profile: OutcomeGateProfile
  readonly nowUs: number
  readonly trade: Trade
}

export type Fields = readonly [op: number, account: number, fields?: Partial<GateCommand>]
export type Maker = (intent: Intent, scene: Scene) => Fields | IntentKind

export const pickOf = <T>(items: readonly T[], pick: number): T | undefined => items[pick % items.length]
export const participantOf = (intent: Intent): number => PARTICIPANTS[intent.who % 2]!
export const makerOf = (intent: Intent): number => MAKERS[intent.who % 2]!
/** A bound one, seldom the stranger. */
export const accountOf = (intent: Intent): number => (intent.who % 23 === 22 ? STRANGER : intent.who % 4)
/** The flaw that the intent has, if any. */
export const flawOf = (intent: Intent, flaws: readonly Partial<GateCommand>[]): Partial<GateCommand> =>
  intent.flaw < 80 ? {} : flaws[(intent.flaw + intent.amount) % flaws.length]!
