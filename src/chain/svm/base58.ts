const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Digits that are taken at once: the most whose value a double holds exactly. */
const GROUP = 8
const GROUP_VALUE = 58n ** BigInt(GROUP)
const VALUES = new Map([...ALPHABET].map((digit, value) => [digit, value]))

/** Bytes as the chain writes keys, blockhashes and signatures; each leading zero byte is a leading `1`. */
export function toBase58(bytes: Uint8Array): string {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++
  if (zeros === bytes.length) return '1'.repeat(zeros)
  let rest = BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`)
  let text = ''
  while (rest > 0n) {
    text = digits(Number(rest % GROUP_VALUE)) + text
    rest /= GROUP_VALUE
  }
  let padding = 0
  while (text[padding] === '1') padding++
  return '1'.repeat(zeros) + text.slice(padding)
}

/** A whole group of digits. */
function digits(group: number): string {
  let text = ''
  for (let rest = group, i = 0; i < GROUP; i++) {
    text = ALPHABET[rest % 58]! + text
    rest = Math.floor(rest / 58)
  }
  return text
}

/** The bytes that a text in base 58 stands for, or null when it is none of `length` bytes. */
export function fromBase58(text: string, length: number): Buffer | null {
  let value = 0n
  for (let at = 0; at < text.length; at += GROUP) {
    const part = text.slice(at, at + GROUP)
    let group = 0
    for (const digit of part) {
      const digitValue = VALUES.get(digit)
      if (digitValue === undefined) return null
      group = group * 58 + digitValue
    }
    value = value * 58n ** BigInt(part.length) + BigInt(group)
  }
  const hex = value.toString(16).padStart(length * 2, '0')
  if (hex.length !== length * 2) return null
  const bytes = Buffer.from(hex, 'hex')
  return toBase58(bytes) === text ? bytes : null
}
