/** µs of an instant of the wire, which may have six decimals of a second. */
export function usOf(instant: string): number {
  const [, toSecond, fraction = ''] = /^([^.]+?)(?:\.(\d+))?Z$/.exec(instant) ?? []
  return Date.parse(`${toSecond}Z`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
