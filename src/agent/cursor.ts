import { NONE } from '../unit/none.ts'
import { type Holdings, HoldingWord } from './holdings.ts'
import { type Intents, IntentWord } from './intents.ts'

/** The row that a view of bettors shows. The engine points the cursor at a row before a handler and takes it away afterwards. */
export class Cursor<C extends Intents | Holdings> {
  /** The row that is shown, −1 for none. */
  slot = NONE
  /** The book of the cohort that it shows the row to. */
  to: object | null = null
  declare readonly columns: C
  /** The message of a view without a row. */
  declare readonly hiddenMessage: string
  private declare readonly legCountWord: number

  constructor(columns: C, legCountWord: number, what: string) {
    this.columns = columns
    this.legCountWord = legCountWord
    this.hiddenMessage = `${what} is shown during its handler only`
  }

  show(slot: number, to: object): void {
    this.slot = slot
    this.to = to
  }

  hide(): void {
    this.slot = NONE
  }

  get legCount(): number {
    return this.columns.words[this.slot + this.legCountWord]!
  }

  /** Place of its first leg. */
  get legsFrom(): number {
    return this.columns.legsFrom(this.slot)
  }
}

export const intentCursor = (intents: Intents): Cursor<Intents> => new Cursor(intents, IntentWord.legCount, 'an intent')
export const holdingCursor = (holdings: Holdings): Cursor<Holdings> => new Cursor(holdings, HoldingWord.legCount, 'a holding')
