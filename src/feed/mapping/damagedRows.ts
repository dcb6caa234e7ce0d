import { FileTally } from '../importTally.ts'

/** Tells the account of a file of its damaged rows, once of each, however many parts of a mapping read the file. */
export class DamagedRows extends FileTally {
  private declare readonly to: FileTally
  private declare readonly told: Set<number>

  /** @param told rows that the file's account has been told of. */
  constructor(to: FileTally, told: Set<number>) {
    super(to.file)
    this.to = to
    this.told = told
  }

  override get whole(): FileTally {
    return this.to
  }

  /** A damaged row is counted when it is set aside. */
  override read(): void {}

  override quarantine(kind: string, row: number, about: string, rows = 1): void {
    if (this.told.has(row)) return
    this.told.add(row)
    this.to.read(rows)
    this.to.quarantine(kind, row, about, rows)
  }

  override note(kind: string, row: number, about: string, rows = 1): void {
    this.to.note(kind, row, about, rows)
  }
}
