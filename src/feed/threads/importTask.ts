import { InputError, type InputPosition } from '../../unit/inputError.ts'
import { type PieceOrder, PieceReader, type PieceRows } from '../mapping/readPiece.ts'
import type { RunColumns } from '../store/runColumns.ts'
import { type DayOrder, DayWriter, type DayWritten } from '../store/dayWriter.ts'

/** What threads of an import do, each with what comes of it. */
export interface ImportTasks {
  readonly piece: { readonly order: PieceOrder; readonly result: PieceRows }
  readonly day: { readonly order: DayOrder; readonly result: DayWritten }
}

export type TaskName = keyof ImportTasks

export interface ImportTask {
  readonly name: TaskName
  readonly order: unknown
  /** Memory for the ticks of a piece, which is used up. */
  readonly room?: RunColumns | undefined
}

/** An error as data, because its class does not survive the message. */
export interface Mistake {
  readonly message: string
  readonly position: InputPosition | undefined
  readonly hint: string | undefined
}

export type TaskAnswer = { readonly result: unknown } | { readonly mistake: Mistake }

/** Does tasks, one after the other. */
export class TaskDoer {
  private pieces = new PieceReader()
  private readonly days = new DayWriter()

  async do<Name extends TaskName>(name: Name, order: ImportTasks[Name]['order'], room?: RunColumns): Promise<ImportTasks[Name]['result']> {
    if (name === 'piece') return this.pieces.read(order as PieceOrder, room)
    // Days are written when all pieces were read: their memory is given back.
    this.pieces = new PieceReader()
    return this.days.write(order as DayOrder)
  }
}

export const mistakeOf = ({ message, position, hint }: InputError): Mistake => ({ message, position, hint })

export const errorOf = ({ message, position, hint }: Mistake): InputError =>
  new InputError(message, { ...(position === undefined ? {} : { position }), ...(hint === undefined ? {} : { hint }) })
