import { InputError } from '../unit/inputError.ts'

/** The part of a table that tells what it has. */
interface NamedColumns {
  readonly path: string
  readonly columnNames: readonly string[]
}

/** Throws an InputError where a table of a run lacks a column, as one of an older version does whose columns had other names or were fewer. */
export function checkColumns({ path, columnNames }: NamedColumns, names: readonly string[]): void {
  const missing = names.find((name) => !columnNames.includes(name))
  if (missing === undefined) return
  throw new InputError(`an older version made the run: its table has no column ${missing}`, {
    position: { file: path }, hint: 'run the scenario again (docs/compatibility.md): no command converts the tables of a run',
  })
}
