import { describe, expect, it } from 'vitest'
import { VaultOutcome } from '../../../src/chain/evm/abi.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { partyOf } from './contractHarness.ts'
import { cashoutOf, fillOf, positionIdOf, quoteIdOf } from './signedTrades.ts'
import { buyer, cashout, entry, expectRefused, fill, maker, NOW, open, sale, setScene, settle, stage, taker } from './vaultScene.ts'

/** What an operator might try who is in league with a side of trades, or with both of one, against a third. */
describe.skipIf(noAnvil)(`an operator in league with others${skipped}`, () => {
  setScene()

  it('fills a quote and a confirmation of a maker once, not again for others who chose the same key', async () => {
    const others = [21, 22].map((number) => partyOf(`other ${number}`, number))
    for (const other of others) await stage.admit(other, 50_000_000n)
    await stage.at(NOW)
    const honest = fill()
    await stage.send('fill', [honest])
    // When the result is known.
    await stage.at(NOW + 590)
    for (const other of others) {
      const { acceptance, acceptanceSignature } = fillOf(stage, entry({ taker: other, acceptedAtS: NOW, validAfterS: NOW - 5, validBeforeS: NOW + 1000 }))
      const again = { ...honest, positionId: positionIdOf(50), acceptance, acceptanceSignature }
      await expectRefused('fill', [again], 'QuoteUsed', maker.accountId, quoteIdOf(1))
    }
    expect((await stage.books(maker))[0]).toBe(479_974_994n)
  })

  it('does not fill a quote again that was settled', async () => {
    const honest = fill()
    await stage.send('fill', [honest])
    await stage.send(...settle(VaultOutcome.lost))
    const { acceptance, acceptanceSignature } = fillOf(stage, entry({ taker: buyer }))
    await expectRefused('fill', [{ ...honest, positionId: positionIdOf(2), acceptance, acceptanceSignature }], 'QuoteUsed')
  })

  it('makes a buyer buy a position once, not again from whom it has sold it to', async () => {
    await open()
    const third = partyOf('third', 31)
    await stage.admit(third, 100_000_000n)
    await stage.at(NOW)
    const first = cashoutOf(stage, sale({ maker: buyer }))
    await stage.send('cashout', [first])
    await stage.send('cashout', [cashoutOf(stage, sale({ number: 102, seller: buyer, maker: third, price: 1n }))])
    const { acceptance, acceptanceSignature } = cashoutOf(stage, sale({ seller: third, maker: buyer }))
    await expectRefused('cashout', [{ ...first, acceptance, acceptanceSignature }], 'QuoteUsed', buyer.accountId, quoteIdOf(101))
  })

  it('uses a quote for an entry or a sale, whichever is first', async () => {
    await open()
    await expectRefused('cashout', [cashout({ number: 1, seller: taker })], 'AcceptanceUsedOtherwise')
    await open({ number: 2, taker: buyer })
    await expectRefused('cashout', [cashoutOf(stage, sale({ number: 2, position: 1 }))], 'QuoteUsed')
  })

  it('sells the position that the seller and the maker named, no other', async () => {
    await open()
    await open({ number: 2, payout: 200_000_000n })
    const meant = cashoutOf(stage, sale({ position: 1, maker: buyer }))
    const other = cashoutOf(stage, sale({ position: 2, maker: buyer }))
    const { acceptance, acceptanceSignature, confirmation, confirmationSignature } = meant
    await expectRefused('cashout', [{ ...other, acceptance, acceptanceSignature }], 'TermsDiffer')
    await expectRefused('cashout', [{ ...other, confirmation, confirmationSignature }], 'TermsDiffer')
    await expectRefused('cashout', [{ ...meant, quote: other.quote, quoteSignature: other.quoteSignature }], 'TermsDiffer')
    expect(await stage.refusal('cashout', [meant])).toBeNull()
  })

  it('does choose whose quote a taker gets, and for which legs: that the ids name it is the operator’s word (docs/chain-evm.md)', async () => {
    const { acceptance, acceptanceSignature } = fill()
    const another = fillOf(stage, entry({ maker: buyer }))
    expect(await stage.refusal('fill', [{ ...another, acceptance, acceptanceSignature }])).toBeNull()
  })
})
