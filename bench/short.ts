/** Three digits at least, and no more than two behind the point. */
export const short = (value: number): string => value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2)
