import { rootKey } from '../kernel/random.ts'
import { readMarkets, type DrawnWorld } from '../redraw/readMarkets.ts'
import { type RedrawnDifference, redrawnDifferences } from '../redraw/redrawnDifferences.ts'
import { readBooks } from '../redraw/redrawRun.ts'
import { worldDifference } from '../redraw/worldDifference.ts'
import { InputError } from '../unit/inputError.ts'

/** Nights whose outcomes are drawn anew. */
const OUTCOMES = 20_000

/** The outcomes that were drawn anew for a difference. They are the same in both runs. */
export interface DiffRedraws {
  readonly outcomes: number
  /** The seed of run A, from which outcomes were drawn. */
  readonly seed: string
  /** Why no outcomes could be drawn. Null where they were. */
  readonly why: string | null
}

/** What redraws say of two runs. */
export interface RedrawnRuns {
  readonly redraws: DiffRedraws
  /** By maker, in their order. Null where outcomes could not be drawn. */
  readonly of: (service: string, makers: readonly string[]) => readonly RedrawnDifference[] | null
}

/** Draws the outcomes of two runs anew. @param seed of run A. */
export function redrawnRuns(a: string, b: string, seed: string): RedrawnRuns {
  const worlds = [worldOf(a, 'A'), worldOf(b, 'B')] as const
  const why = whyNot(worlds)
  const redraws = { outcomes: OUTCOMES, seed, why }
  if (why !== null) return { redraws, of: () => null }
  const books = ([a, b] as const).map((dir, run) => readBooks(dir, worlds[run] as DrawnWorld))
  return {
    redraws,
    of: (service, makers) => {
      const [inA, inB] = books.map((own) => own.find((book) => book.service === service)!)
      return redrawnDifferences(inA!, inB!, makers, rootKey(seed), OUTCOMES)
    },
  }
}

const whyNot = ([a, b]: readonly [DrawnWorld | string, DrawnWorld | string]): string | null =>
  (typeof a === 'string' ? a : typeof b === 'string' ? b : worldDifference(a, b))

/** How outcomes of a run are drawn, or why they cannot be. */
function worldOf(dir: string, name: 'A' | 'B'): DrawnWorld | string {
  try {
    return readMarkets(dir)
  } catch (error) {
    if (error instanceof InputError) return `the tables of ${name} do not say how: ${error.message}`
    throw error
  }
}
