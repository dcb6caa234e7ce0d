/** A row that the engine writes, and the view of it that handlers are given. */
export class Shown<R, V> {
  declare row: R
  declare view: V
  private declare readonly makeRow: () => R
  private declare readonly viewOf: (row: R) => V

  constructor(makeRow: () => R, viewOf: (row: R) => V) {
    this.makeRow = makeRow
    this.viewOf = viewOf
    this.renew()
  }

  /** Makes another row and view, so that a view that a strategy kept shows nothing from then on. */
  renew(): void {
    this.row = this.makeRow()
    this.view = this.viewOf(this.row)
  }
}
