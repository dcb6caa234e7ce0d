import type { Facades } from '../agent/facades/facades.ts'

/** A row that the engine writes, and the views of it that handlers are given: one for each realm of strategies. */
export class Shown<R, V> {
  declare row: R
  /** By the number of the realm. */
  declare views: readonly V[]
  private declare readonly realms: readonly Facades[]
  private declare readonly makeRow: () => R
  private declare readonly viewOf: (facades: Facades, row: R) => V

  constructor(realms: readonly Facades[], makeRow: () => R, viewOf: (facades: Facades, row: R) => V) {
    this.realms = realms
    this.makeRow = makeRow
    this.viewOf = viewOf
    this.renew()
  }

  /** Makes another row and other views, so that a view that a strategy kept shows nothing from then on. */
  renew(): void {
    const row = this.makeRow()
    this.row = row
    this.views = this.realms.map((facades) => this.viewOf(facades, row))
  }
}
