/** A whole number with thousands apart, by a rule of our own: that of `Intl` changes with its data. */
export const thousands = (whole: number): string => apart(String(whole))

/** Digits with thousands apart; before them a sign may stand. */
export const apart = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')
