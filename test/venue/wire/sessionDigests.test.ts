import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { SessionDigests } from '../../../src/venue/wire/sessionDigests.ts'

const expected = (algorithm: string, text: string): string => createHmac(algorithm, createHash('sha256').update('key').digest()).update(text).digest('hex')

it('digests are HMACs under the SHA-256 of the session\'s key, the first time and again', () => {
  const digests = new SessionDigests('key')
  // More texts than are kept, so that the first ones are made anew.
  for (const n of [...Array(16_385).keys(), 0, 16_384]) {
    const text = `account:${n}`
    if (n % 1000 < 2 || n === 16_384) expect(digests.sha256(text).toString('hex')).toBe(expected('sha256', text))
    else digests.sha256(text)
  }
  expect(digests.sha512('a').toString('hex')).toBe(expected('sha512', 'a'))
})

it('a digest that its caller has changed is what it was to the next one', () => {
  const digests = new SessionDigests('key')
  digests.sha256('a').fill(0)
  expect(digests.sha256('a').toString('hex')).toBe(expected('sha256', 'a'))
})
