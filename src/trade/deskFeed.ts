/** What a leg's market is on the desk of the seat. (docs/desk-feed.md) Numbers of facts mean the same text where they are equal; null: nothing is known. */
export interface DeskLeg {
  /** The market's name on the service's wire: `market_ticker` or `outcome_id`. */
  readonly market: string
  readonly side: 'yes' | 'no'
  /** Its number on desks. */
  readonly number: number
  readonly category: number | null
  readonly event: number | null
  readonly game: number | null
  readonly game_category: number | null
}

/**
 * What has reached a seat, as the service beside the service tells it. `what` names the handler of a strategy, or is
 * `result`, and the other fields are those of the handler's view in snake_case: ids and amounts as the service's wire has them, instants as
 * `…_us` on the wire's clock, odds as decimals.
 */
export interface DeskNote {
  readonly n: number
  readonly at_us: number
  readonly what: string
  readonly legs?: readonly DeskLeg[]
  readonly [field: string]: unknown
}

/** The seat itself. */
export interface DeskSeat {
  readonly name: string
  readonly role: 'maker' | 'bettor'
  /** As the service's wire has amounts; null: nobody's money is limited by it. */
  readonly capital: number | string | null
  /** What a maker's positions have brought whose notes are gone, as the service's wire has amounts. */
  readonly ended_profit: number | string | null
  /** Latency of the seat's prices, µs. */
  readonly feed_us: number
  /** The longest way of what the seat sends, µs; null: it is the network's. */
  readonly way_us: number | null
}

/** Answer of `GET /desk?from=N`. */
export interface DeskAnswer {
  readonly now_us: number
  readonly next: number
  readonly has_more: boolean
  /** The session is over: nothing is told any more. */
  readonly is_over: boolean
  readonly seats: readonly DeskSeat[]
  /** How many markets desks number. */
  readonly markets: number
  readonly told: readonly DeskNote[]
}
