import { odds, usd } from '../unit/numberText.ts'
import { ODDS_ONE } from '../unit/odds.ts'

/** A cell: integers, floats and codes as numbers, enums and texts as text, lists of words as lists of text, null where empty. */
export type Cell = number | string | readonly string[] | null
export type Row = Readonly<Record<string, Cell>>

/** A line of a timeline at the instant in a cell. There is no line when the cell is empty. */
export interface Entry {
  readonly at: Cell | undefined
  readonly who: string
  readonly what: string
}

export const n = (cell: Cell | undefined): number => Number(cell)
export const orNull = (cell: Cell | undefined): number | null => (cell === null || cell === undefined ? null : Number(cell))
export const usdc = (micros: Cell | undefined): string => `${usd(n(micros))} USDC`
export const oddsText = (oddsE4: Cell | undefined): string => odds(n(oddsE4) / ODDS_ONE)
