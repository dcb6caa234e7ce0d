const WRITTEN = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** A double as digits × 10^exponent: the shortest decimal that means it, which is what a client wrote unless it wrote more than 17 digits. */
function digitsOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [, sign, whole, fraction = '', exponent = '0'] = WRITTEN.exec(String(value))!
  return { digits: BigInt(`${sign}${whole}${fraction}`), exponent: Number(exponent) - fraction.length }
}

/** value × 10^places, exactly, or null when that is no safe integer. Precondition: the value is finite. */
export function exactScaled(value: number, places: number): number | null {
  const { digits, exponent } = digitsOf(value)
  const shift = exponent + places
  const unit = 10n ** BigInt(Math.abs(shift))
  if (shift < 0 && digits % unit !== 0n) return null
  const scaled = Number(shift < 0 ? digits / unit : digits * unit)
  return Number.isSafeInteger(scaled) ? scaled : null
}

/** value × 10^places, rounded up to an integer, and at most the largest safe one. Precondition: the value is finite and not below 0. */
export function ceilScaled(value: number, places: number): number {
  const { digits, exponent } = digitsOf(value)
  const shift = exponent + places
  const unit = 10n ** BigInt(Math.abs(shift))
  const scaled = shift < 0 ? (digits + unit - 1n) / unit : digits * unit
  return Number(scaled > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : scaled)
}
