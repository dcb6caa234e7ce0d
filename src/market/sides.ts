/** What a leg says of its market. */
export const Side = { no: 0, yes: 1 } as const
export type Side = (typeof Side)[keyof typeof Side]

/** What a market came to. A leg wins when the result is its side. */
export const MarketResult = { no: 0, yes: 1, void: 2 } as const
