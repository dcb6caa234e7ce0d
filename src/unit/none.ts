/** Stands where a number is not known, has no meaning or names nothing. No entity, row or amount is −1. */
export const NONE = -1
