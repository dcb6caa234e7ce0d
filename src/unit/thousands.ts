/** A whole number with its thousands set apart. The rule is our own, because that of `Intl` changes with its data. */
export const thousands = (whole: number): string => apart(String(whole))

/** Digits with their thousands set apart. A sign may stand before them. */
export const apart = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')
