import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MissingWallets } from '../../../src/venue/parlay/machine/missingWallets.ts'

/** Counts the cells that are read. */
function counted(wallets: MissingWallets): { reads: number } {
  const count = { reads: 0 }
  wallets.account = new Proxy(wallets.account, {
    get(column, name) {
      count.reads++
      return Reflect.get(column, name)
    },
  })
  return count
}

describe('wallets off record', () => {
  it('are those that were taken off and not put back, ascending', () => {
    const changes = fc.array(fc.record({ account: fc.nat(40), off: fc.boolean() }), { maxLength: 200 })
    fc.assert(fc.property(changes, (list) => {
      const wallets = new MissingWallets(2)
      const expected = new Set<number>()
      for (const { account, off } of list) {
        if (off) wallets.add(account)
        else wallets.remove(account)
        if (off) expected.add(account)
        else expected.delete(account)
      }
      const ascending = [...expected].sort((a, b) => a - b)
      // Cells beyond those in use are zeros, so that equal sets have equal images.
      expect([...wallets.account]).toEqual([...ascending, ...Array<number>(wallets.account.length - ascending.length).fill(0)])
      expect(wallets.count).toBe(ascending.length)
      for (let account = 0; account <= 41; account++) expect(wallets.has(account)).toBe(expected.has(account))
    }))
  })

  it('are found in as many reads as their number has binary digits, and one', () => {
    const wallets = new MissingWallets(16)
    for (let i = 0; i < 100_000; i++) wallets.add(i * 3)
    const count = counted(wallets)
    for (const account of [0, 1, 150_000, 150_001, 299_997, 300_000]) {
      count.reads = 0
      expect(wallets.has(account)).toBe(account % 3 === 0 && account < 300_000)
      expect(count.reads).toBeLessThanOrEqual(18)
    }
  })
})
