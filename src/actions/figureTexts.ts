import { figureTexts as textsOf } from '../validation/figureTexts.ts'
import type { ValidationFigure } from '../validation/result.ts'

/** A figure of a validation in texts, each in the figure's own unit and decimals. */
export interface FigureTexts {
  readonly known: string
  readonly measured: string
  readonly interval: string
}

/**
 * The known value of a figure, the measured one and its interval, as `parlor validate` prints them.
 *
 * @param figure one of the figures that `validate` returns
 * @returns the three texts
 * @example
 * for (const figure of (await validate({ items: ['7'], samples: 'small' })).figures) console.log(figure.id, figureTexts(figure).measured)
 */
export const figureTexts = (figure: ValidationFigure): FigureTexts => textsOf(figure)
