import { type Delay, delayUs } from '../agent/latency.ts'
import { Draws, Purpose, type RandomKey } from '../kernel/random.ts'
import { ComboCell, ComboWord } from './combos.ts'
import { arrivalOfKey, drawKey, sourceOfKey } from './drawKeys.ts'
import { PairEntities } from './pairEntities.ts'
import type { ServicePlay } from './play.ts'
import type { Seat } from './seat.ts'
import type { Transit } from './transit.ts'

/** Draws about one request are numbered arrival × 8 + way, and again from each multiple of 2³² for its later selections. */
export const Way = { request: 0, submit: 1, withdraw: 2, selected: 3, confirm: 4, other: 5 } as const
const WAYS = 8
const SELECTION_DRAWS = 2 ** 32

/** How long what makers are sent and send about requests is on its way, and what of it they miss: drawn for each pair of source and maker. */
export class MakerWays {
  declare readonly pairs: PairEntities
  declare readonly latencyDraws: Draws
  declare readonly missDraws: Draws
  private declare readonly transit: Transit
  private declare readonly sourceCount: number

  constructor(play: ServicePlay, key: RandomKey, transit: Transit) {
    this.transit = transit
    this.sourceCount = play.sources.count
    this.latencyDraws = new Draws(key, Purpose.makerLatency)
    this.missDraws = new Draws(key, Purpose.confirmDelay)
    this.pairs = new PairEntities(play.makers.map(({ name }) => name), play.sources.names)
  }

  /** Selections of the request of `combo` before its last one. */
  earlierSelections(combo: number): number {
    return combo >= 0 ? Math.max(0, this.transit.combos.words[combo + ComboWord.selections]! - 1) : 0
  }

  /** The draw key of a request, given its combo; one that has ended stands for itself, with no source. */
  keyOf(request: number, combo: number): number {
    return combo >= 0 ? this.transit.combos.cells[combo + ComboCell.drawKey]! : drawKey(this.sourceCount, request)
  }

  delay(seat: Seat, delay: Delay, key: number, way: number, earlier = 0): number {
    const source = sourceOfKey(key)
    return delayUs(delay, this.latencyDraws, this.pairs.cells[this.pairs.at(source, seat.book.seat)]!, drawIndex(arrivalOfKey(key, source), way, earlier))
  }

  /** Whether the fault of a share of such things strikes; `earlier` counts the request's selections before this one, as in `delay`. */
  isMissed(seat: Seat, share: number, key: number, way: number, earlier: number): boolean {
    const source = sourceOfKey(key)
    return this.missDraws.uniform(this.pairs.cells[this.pairs.at(source, seat.book.seat)]!, drawIndex(arrivalOfKey(key, source), way, earlier)) < share
  }
}

/** Number of a draw about the request of an arrival, after `earlier` selections. */
export const drawIndex = (arrival: number, way: number, earlier = 0): number => earlier * SELECTION_DRAWS + arrival * WAYS + way
