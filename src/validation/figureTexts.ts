import { fixed } from '../unit/numberText.ts'
import type { ValidationFigure } from './result.ts'

/** A figure's numbers as texts of equal precision. */
export interface FigureTexts {
  readonly known: string
  readonly measured: string
  readonly interval: string
}

const DECIMALS_MAX = 6

/** Two digits of the interval's width are shown, no more. */
export function figureTexts({ claim, known, measured, low, high }: ValidationFigure): FigureTexts {
  const width = high - low
  const decimals = width > 0 ? Math.min(DECIMALS_MAX, Math.max(0, 1 - Math.floor(Math.log10(width)))) : DECIMALS_MAX
  const text = (value: number): string => fixed(value, decimals)
  return { known: `${claim === 'below' ? '< ' : ''}${text(known)}`, measured: text(measured), interval: `${text(low)} … ${text(high)}` }
}
