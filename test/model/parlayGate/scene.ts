import type { GateCommand } from './command.ts'
import type { Intent, IntentKind } from './intents.ts'
import type { State } from './state.ts'
import type { Trade } from './trade.ts'

export const ACCOUNTS = [0, 1, 2, 3] as const

/** Where an intent becomes a command: the model's state at the instant, after its deadlines, and the trading. */
export interface Scene {
  readonly state: State
  readonly nowUs: number
  readonly trade: Trade
}

export type Fields = readonly [op: number, account: number, fields?: Partial<GateCommand>]
export type Maker = (intent: Intent, scene: Scene) => Fields | IntentKind

export const pickOf = <T>(items: readonly T[], pick: number): T | undefined => items[pick % items.length]
export const accountOf = (intent: Intent): number => ACCOUNTS[intent.who % ACCOUNTS.length]!
