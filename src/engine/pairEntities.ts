import { entityOfName } from '../kernel/names.ts'

/**
 * The entity of draws that a maker and a source of requests share. The place after the sources is that of ended requests. Makers lie next
 * to each other, because a request goes to all of them.
 */
export class PairEntities {
  /** Look up with `at`. */
  declare readonly cells: Float64Array
  private declare readonly seats: number

  constructor(makers: readonly string[], sources: readonly string[]) {
    this.seats = makers.length
    this.cells = new Float64Array((sources.length + 1) * makers.length)
    makers.forEach((maker, seat) => {
      sources.forEach((source, place) => { this.cells[this.at(place, seat)] = entityOfName(`${maker}\0${source}`) })
      this.cells[this.at(sources.length, seat)] = entityOfName(maker)
    })
  }

  at(source: number, seat: number): number {
    return source * this.seats + seat
  }
}
