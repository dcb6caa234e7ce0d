import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import type { EvmSigner } from '../../../src/chain/evm/signer.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { signerOf } from './contractHarness.ts'
import { cashoutOf, entryMessages, type FillArgs, fillOf, signTyped } from './signedTrades.ts'
import { entry, expectRefused, fill, maker, nobody, NOW, sale, setScene, stage } from './vaultScene.ts'

const [second, third] = [signerOf(77), signerOf(78)]
const by = (quoteSigner: EvmSigner) => ({ ...maker, quoteSigner })
/** A fill of what `quoting` quoted, accepted at the second, and `confirming` confirmed. */
function filled(acceptedAtS: number, quoting: EvmSigner, confirming = quoting): FillArgs {
  const changes = { maker: by(quoting), acceptedAtS, expiryS: NOW + 1000, validAfterS: NOW - 5, validBeforeS: NOW + 1000 }
  return { ...fillOf(stage, entry(changes)), confirmationSignature: signTyped(entryMessages(entry(changes)).confirmation, confirming, stage.domain) }
}
const change = (to: EvmSigner, sinceS: number, nonce = 0): Promise<number> => stage.send('setQuoteSigner', stage.signerChangeOf(maker, to.address, sinceS, nonce))

describe.skipIf(noAnvil)(`quote signers of the vault${skipped}`, () => {
  setScene()

  it('are kept, each with the second since which it signs', async () => {
    await stage.at(NOW + 100)
    await change(second, NOW + 10)
    await change(third, NOW + 20, 1)
    expect(await stage.read('signersOf', [maker.accountId])).toEqual([
      { signer: getAddress(maker.quoteSigner.address), since: 0n }, { signer: getAddress(second.address), since: BigInt(NOW + 10) },
      { signer: getAddress(third.address), since: BigInt(NOW + 20) },
    ])
    expect(await stage.read('signersOf', [nobody.accountId])).toEqual([])
  })

  it('quote what is accepted in their time, whenever it lands', async () => {
    await stage.at(NOW + 100)
    await change(second, NOW + 10)
    await change(third, NOW + 20, 1)
    const signers = [maker.quoteSigner, second, third]
    // At these seconds these quote, by their places; in the second of a change the old one and the new one.
    for (const [atS, good] of [[NOW + 9, [0]], [NOW + 10, [0, 1]], [NOW + 11, [1]], [NOW + 20, [1, 2]], [NOW + 21, [2]], [NOW + 100, [2]]] as const) {
      for (const [i, signer] of signers.entries()) {
        const refusal = await stage.refusal('fill', [filled(atS, signer, third)])
        expect([atS, i, refusal?.name ?? 'taken']).toEqual([atS, i, (good as readonly number[]).includes(i) ? 'taken' : 'WrongSigner'])
      }
    }
  })

  it('confirm from the acceptance on, those of later too, not those of before', async () => {
    await stage.at(NOW + 100)
    await change(second, NOW + 10)
    for (const confirming of [maker.quoteSigner, second]) expect(await stage.refusal('fill', [filled(NOW + 5, maker.quoteSigner, confirming)])).toBeNull()
    await expectRefused('fill', [filled(NOW + 11, second, maker.quoteSigner)], 'WrongSigner', second.address, maker.quoteSigner.address)
    await expectRefused('fill', [filled(NOW + 11, second, third)], 'WrongSigner', second.address, third.address)
  })

  it('quote and confirm sales by the same rules', async () => {
    await stage.send('fill', [fill()])
    await stage.at(NOW + 100)
    await change(second, NOW + 10)
    const sold = (quoteSigner: EvmSigner, acceptedAtS: number) => cashoutOf(stage, sale({ maker: by(quoteSigner), acceptedAtS, expiryS: NOW + 1000 }))
    expect(await stage.refusal('cashout', [sold(maker.quoteSigner, NOW + 9)])).toBeNull()
    expect(await stage.refusal('cashout', [sold(second, NOW + 11)])).toBeNull()
    await expectRefused('cashout', [sold(maker.quoteSigner, NOW + 11)], 'WrongSigner', second.address, maker.quoteSigner.address)
    await expectRefused('cashout', [sold(second, NOW + 9)], 'WrongSigner', maker.quoteSigner.address, second.address)
  })

  it('change in order, not before the last change and not in the future', async () => {
    await stage.at(NOW + 100)
    await expectRefused('setQuoteSigner', stage.signerChangeOf(maker, second.address, NOW + 101), 'SinceWrong', BigInt(NOW + 101), 0n, BigInt(NOW + 100))
    await change(second, NOW + 50)
    await expectRefused('setQuoteSigner', stage.signerChangeOf(maker, third.address, NOW + 49, 1), 'SinceWrong', BigInt(NOW + 49), BigInt(NOW + 50), BigInt(NOW + 100))
    // What the wallet signed for one change is none of another second, nor again.
    const [id, signer, , signature] = stage.signerChangeOf(maker, third.address, NOW + 60, 1)
    await expectRefused('setQuoteSigner', [id, signer, BigInt(NOW + 61), signature], 'WrongSigner')
    await change(third, NOW + 60, 1)
    await expectRefused('setQuoteSigner', [id, signer, BigInt(NOW + 60), signature], 'WrongSigner')
  })
})
