import type { ModelCommand } from './command.ts'
import type { Answer } from './namedRows.ts'
import type { Turn } from './rows.ts'

/** A participants' command, as a row of the page's table "Order of checks". */
export interface Call {
  /** An AccountRole, or null for any. */
  readonly role: number | null
  /** The row's $: refused while financial actions are disabled. */
  readonly stopsWithFinancialActions: boolean
  /** What is wrong with the fields, in the order of the table; null when nothing is. */
  readonly fieldsRefusal: (turn: Turn, command: ModelCommand) => Answer | null
  /** The further checks, then what it does. Null when the reply comes later, or has been written. */
  readonly perform: (turn: Turn, command: ModelCommand) => Answer | null
}
