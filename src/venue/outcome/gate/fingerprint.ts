/** Words of a fingerprint. */
export const FINGERPRINT_WORDS = 4

/**
 * Writes the 128-bit fingerprint of the first `count` words into `lanes`. Every word goes into all four lanes, each of which has
 * constants and a rotation of its own. If a word went into one lane only, just 32 bits would separate contents that differ in words
 * of that lane. Contents that differ in one word never have the same fingerprint. It is fast and not cryptographic.
 */
export function fingerprint(words: Int32Array, count: number, lanes: Int32Array): void {
  let a = 0x243f6a88
  let b = 0x85a308d3
  let c = 0x13198a2e
  let d = 0x03707344
  for (let i = 0; i < count; i++) {
    const word = words[i]!
    a = Math.imul(a ^ word, 0x9e3779b1)
    a = Math.imul(a ^ (a >>> 15), 0x85ebca6b)
    a = (((a << 13) | (a >>> 19)) + 0x7f4a7c15) | 0
    b = Math.imul(b ^ word, 0xc2b2ae35)
    b = Math.imul(b ^ (b >>> 13), 0x27d4eb2f)
    b = (((b << 17) | (b >>> 15)) + 0x165667b1) | 0
    c = Math.imul(c ^ word, 0xcc9e2d51)
    c = Math.imul(c ^ (c >>> 16), 0x1b873593)
    c = (((c << 11) | (c >>> 21)) + 0x52dce729) | 0
    d = Math.imul(d ^ word, 0x239b961b)
    d = Math.imul(d ^ (d >>> 14), 0xab0e9789)
    d = (((d << 19) | (d >>> 13)) + 0x38b34ae5) | 0
  }
  // After this each lane depends on all four. The step is a bijection, so that different contents stay different.
  a = finished(a + b + c + d + count)
  b = finished(b + a)
  c = finished(c + b)
  d = finished(d + c)
  lanes[0] = (a + d) | 0
  lanes[1] = (b + a + d) | 0
  lanes[2] = (c + b) | 0
  lanes[3] = d
}

function finished(lane: number): number {
  const x = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b)
  const y = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return y ^ (y >>> 16)
}
