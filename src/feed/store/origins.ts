import { assert } from '../../unit/assert.ts'

const ROWS = 2 ** 36
const FILES = 2 ** 17

/** A row of a file of an import. */
export interface Origin {
  readonly file: string
  readonly row: number
}

/** Origins as data, for another thread. */
export interface OriginsImage {
  readonly names: readonly string[]
  readonly firstUs: readonly number[]
  readonly lastUs: readonly number[]
}

/** Numbers the rows of files that ticks come from, and keeps of each file the time of its ticks. 0 is a row that nobody named. */
export class Origins {
  /** The row that the next tick comes from. */
  now = 0
  private names: string[] = ['']
  private firstUs: number[] = [Infinity]
  private lastUs: number[] = [-Infinity]
  private name = ''
  private place = 0

  static of({ names, firstUs, lastUs }: OriginsImage): Origins {
    const origins = new Origins()
    origins.names = [...names]
    origins.firstUs = [...firstUs]
    origins.lastUs = [...lastUs]
    return origins
  }

  image(): OriginsImage {
    const { names, firstUs, lastUs } = this
    return { names, firstUs, lastUs }
  }

  /** The row that the next ticks come from, `''` for rows that nobody names. */
  comeFrom(name: string, row: number): void {
    if (name !== this.name) {
      const known = this.names.indexOf(name)
      this.place = known < 0 ? this.names.push(name) - 1 : known
      this.name = name
      assert(this.place < FILES, `an import of ${this.place} files`)
      if (known < 0) [this.firstUs[this.place], this.lastUs[this.place]] = [Infinity, -Infinity]
    }
    this.now = this.place === 0 ? 0 : this.place * ROWS + row
  }

  /** Notes the instant of a tick of the row. */
  at(us: number): void {
    const { place, firstUs, lastUs } = this
    if (us < firstUs[place]!) firstUs[place] = us
    if (us > lastUs[place]!) lastUs[place] = us
  }

  /** Notes the instants of ticks of the file. */
  atAll(atUs: Float64Array, from: number, to: number): void {
    let earliest = Infinity
    let latest = -Infinity
    for (let i = from; i < to; i++) {
      const us = atUs[i]!
      if (us < earliest) earliest = us
      if (us > latest) latest = us
    }
    this.at(earliest)
    this.at(latest)
  }

  /** Whether ticks came from rows of more than one file. A file of markets has none. */
  get areSeveral(): boolean {
    return this.lastUs.reduce((files, us, place) => (place > 0 && us > -Infinity ? files + 1 : files), 0) > 1
  }

  /** The file of a row, 0 for a row that nobody named. */
  fileOf(origin: number): number {
    return Math.floor(origin / ROWS)
  }

  of(origin: number): Origin | null {
    const file = this.fileOf(origin)
    return file === 0 ? null : { file: this.names[file]!, row: origin % ROWS }
  }

  /** Whether a file begins at the instant at which others end. A recorder that goes on in another file may change files within an instant. */
  follows(file: number, others: readonly number[], us: number): boolean {
    return this.firstUs[file] === us && others.every((other) => this.lastUs[other] === us)
  }
}
