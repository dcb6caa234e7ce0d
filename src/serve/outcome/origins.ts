import { assert } from '../../unit/assert.ts'
import { Origin } from '../../venue/outcome/protocol/access.ts'

/** Number of every origin from which nobody signed in. No session has it. */
export const OTHER_ORIGIN = Number.MAX_SAFE_INTEGER

/** Is the text an origin as browsers send it: a scheme, a host in lower case, and a port unless it is the scheme's own (RFC 6454)? */
export const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

/** Numbers of the origins that sessions are bound to. The first may issue keys (OM-127); others are numbered as wallets sign in from them. */
export class OriginBook {
  private readonly numbers = new Map<string, number>()
  private next: number

  /**
   * @param allowed origins that may issue keys, which become 0, 1, …
   * @param reserved how many numbers the gate lets issue keys (`allowedOrigins`).
   */
  constructor(allowed: readonly string[], reserved: number) {
    assert(allowed.length <= reserved, 'the gate has a number for each origin that may issue keys')
    for (const text of allowed) {
      assert(isOrigin(text), 'an origin has a scheme, a host and no path')
      this.numbers.set(text, this.numbers.size)
    }
    this.next = reserved
  }

  /** Number of an origin, `OTHER_ORIGIN` for one from which nobody signed in. */
  numberOf(origin: string): number {
    return this.numbers.get(origin) ?? OTHER_ORIGIN
  }

  /** Number of the origin of a sign-in that was proven. */
  enter(origin: string): number {
    const known = this.numbers.get(origin)
    if (known !== undefined) return known
    this.numbers.set(origin, this.next)
    return this.next++
  }
}

/** The one origin of a call, from the values of its Origin headers (OM-137, readings B18): −1 without one, −2 with several. */
export type OriginRead = { readonly origin: string } | { readonly number: typeof Origin.none | typeof Origin.several }

/** Reads the Origin headers. A list of origins in one header counts as several, what is no origin (`null`, a path) as none. */
export function readOrigin(values: readonly string[]): OriginRead {
  const texts = values.flatMap((value) => value.split(/[ ,]+/)).filter((text) => text !== '')
  if (texts.length > 1) return { number: Origin.several }
  const [origin] = texts
  return origin !== undefined && isOrigin(origin) ? { origin } : { number: Origin.none }
}

/** The `origin` of a command. */
export function originOf(values: readonly string[], book: OriginBook): number {
  const read = readOrigin(values)
  return 'origin' in read ? book.numberOf(read.origin) : read.number
}
