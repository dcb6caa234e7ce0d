/**
 * A quantity as a scenario writes it: a text with its unit (`120ms`, `5 USDC`, `4%`, `2c`), or a number where a number alone says all (counts,
 * odds, shares, zero).
 */
export type Quantity = string | number
