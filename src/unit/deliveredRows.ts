import type { SERVICE_NAMES } from './services.ts'

/** What became of something that a maker could have been told. `away`: its stream was closed. `ignored`: the scenario lets it miss a share. */
export const DELIVERY_FATES = ['delivered', 'away', 'ignored'] as const

/** Something that reached a maker, or would have. Numbers are −1 where the message is about no such thing. */
export interface DeliveredRow {
  readonly service: (typeof SERVICE_NAMES)[number]
  /** When it arrived, or would have been sent, µs. */
  readonly atUs: number
  readonly maker: string
  /** The handler that it is for, whether the maker has it or not. */
  readonly handler: string
  readonly fate: (typeof DELIVERY_FATES)[number]
  readonly request: number
  readonly version: number
  readonly quote: number
  readonly position: number
  readonly auction: number
}

/** What makers were told, and what they missed, since it was cleared. Nothing that is played depends on it. */
export class DeliveredRows {
  readonly rows: DeliveredRow[] = []

  clear(): void {
    this.rows.length = 0
  }
}
