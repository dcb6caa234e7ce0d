import { odds, usd } from '../unit/numberText.ts'
import { ODDS_ONE } from '../unit/odds.ts'

/** A cell as it stands: integers, floats and codes as numbers, enums and texts as text; null where empty. */
export type Cell = number | string | null
export type Row = Readonly<Record<string, Cell>>

/** A line of a timeline whose instant is a cell; without one it did not happen. */
export interface Entry {
  readonly at: Cell | undefined
  readonly who: string
  readonly what: string
}

export const n = (cell: Cell | undefined): number => Number(cell)
export const orNull = (cell: Cell | undefined): number | null => (cell === null || cell === undefined ? null : Number(cell))
export const usdc = (micros: Cell | undefined): string => `${usd(n(micros))} USDC`
export const oddsText = (oddsE4: Cell | undefined): string => odds(n(oddsE4) / ODDS_ONE)
