declare const unit: unique symbol

/**
 * A number that knows its unit, for those who write strategies. A plain number is taken as one of any unit, as `8 * SECOND_US`. A number of one unit
 * is none of another: the compiler refuses money in the place of a duration. Sums and products are plain numbers.
 */
export type Quantity<U extends string> = number & { readonly [unit]?: U }

/** A duration, µs. */
export type Us = Quantity<'µs'>
/** An instant, µs since the epoch. */
export type AtUs = Quantity<'µs since the epoch'>
/** Money, microUSDC. */
export type UsdMicros = Quantity<'microUSDC'>
/** A probability, a price for a dollar of payout, or any other share. */
export type Share = Quantity<'share'>
/** Decimal odds, four decimals: 2.5 is 25,000. */
export type Odds = Quantity<'odds, four decimals'>
/** A rate, hundredths of a per cent. */
export type Bps = Quantity<'bps'>
