import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { vaultDomainOf, vaultTermsOf } from '../../../src/chain/evm/terms.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { signerOf, twinOf } from './contractHarness.ts'
import { entryMessages, fillOf, reductionOf, saleMessages, signTyped, withdrawalOf, type SignedTradeArgs } from './signedTrades.ts'
import {
  buyer, cashout, entry, expectRefused, fill, maker, nobody, NOW, open, otherThan, sale, setScene, stage, stranger, taker,
} from './vaultScene.ts'

const tampered = <T extends SignedTradeArgs>(args: T, part: 'quote' | 'acceptance' | 'confirmation', field: string): T =>
  ({ ...args, [part]: { ...args[part], [field]: otherThan(args[part][field]!) } })

describe.skipIf(noAnvil)(`the vault and signatures${skipped}`, () => {
  setScene()

  describe('signatures', () => {
    const wrong = signerOf(950)
    const TRADES = [['fill', () => fill()], ['cashout', () => cashout()]] as const

    it.each(TRADES)('of a %s must be the quote signer’s, the wallet’s, and the quote signer’s', async (functionName, trade) => {
      if (functionName === 'cashout') await open()
      const args = trade()
      const messages = functionName === 'fill' ? entryMessages(entry()) : saleMessages(sale())
      for (const [part, expected] of [['quote', maker.quoteSigner], ['acceptance', taker.wallet], ['confirmation', maker.quoteSigner]] as const) {
        const forged = { ...args, [`${part}Signature`]: signTyped(messages[part], wrong, stage.domain) }
        await expectRefused(functionName, [forged], 'WrongSigner', expected.address, wrong.address)
      }
      // The maker's wallet is not its quote signer.
      const byWallet = { ...args, quoteSignature: signTyped(messages.quote, maker.wallet, stage.domain) }
      const swapped = { ...args, quoteSignature: args.confirmationSignature, confirmationSignature: args.quoteSignature }
      for (const forged of [byWallet, swapped]) await expectRefused(functionName, [forged], 'WrongSigner')
      expect(await stage.refusal(functionName, [args])).toBeNull()
    })

    it.each([
      ['of another chain', () => ({ ...stage.domain, chainId: 1 })],
      ['of another vault', () => vaultDomainOf(stranger.address)],
      ['of another name', () => ({ ...stage.domain, name: 'Outcome-Market' })],
      ['of another version', () => ({ ...stage.domain, version: '2' })],
    ] as const)('for the domain %s are none', async (_, domain) => {
      const good = fill()
      const foreign = fillOf(stage, entry(), domain())
      for (const part of ['quoteSignature', 'acceptanceSignature', 'confirmationSignature'] as const) {
        await expectRefused('fill', [{ ...good, [part]: foreign[part] }], 'WrongSigner')
      }
    })

    const MALFORMED: readonly (readonly [string, (signature: Hex) => Hex])[] = [
      ['empty', () => '0x'],
      ['of 64 bytes', (signature) => signature.slice(0, -2) as Hex],
      ['of 66 bytes', (signature) => `${signature}00`],
      ['with the upper s', (signature) => twinOf(signature)],
      ['with v of 0', (signature) => `${signature.slice(0, -2)}00` as Hex],
      ['with v of 29', (signature) => `${signature.slice(0, -2)}1d` as Hex],
      ['of zeros, which recover to the zero address', () => `0x${'00'.repeat(64)}1b`],
      ['with r out of range', (signature) => `0x${'ff'.repeat(32)}${signature.slice(66)}`],
    ]
    it.each(MALFORMED)('that are %s are refused by whatever takes one', async (_, broken) => {
      await open()
      await stage.send('setQuoteSigner', stage.signerChangeOf(buyer, buyer.wallet.address, NOW))
      const next = fill({ number: 2 })
      for (const part of ['quoteSignature', 'acceptanceSignature', 'confirmationSignature'] as const) {
        await expectRefused('fill', [{ ...next, [part]: broken(next[part]) }], 'MalformedSignature')
        const sold = cashout()
        await expectRefused('cashout', [{ ...sold, [part]: broken(sold[part]) }], 'MalformedSignature')
      }
      const [terms, signature] = withdrawalOf(stage, taker, { amount: 1n })
      await expectRefused('withdraw', [terms, broken(signature)], 'MalformedSignature')
      const [exit, exitSignature] = withdrawalOf(stage, taker, { amount: 1n, exitExpiryS: NOW + 60 })
      await expectRefused('withdrawExit', [exit, broken(exitSignature)], 'MalformedSignature')
      const [id, reduction, reductionSignature] = reductionOf(stage, maker, 1n)
      await expectRefused('reduce', [id, reduction, broken(reductionSignature)], 'MalformedSignature')
      const { accountId, wallet, quoteSigner } = nobody
      await expectRefused('register', [accountId, wallet.address, quoteSigner.address, broken(stage.registrationOf(nobody))], 'MalformedSignature')
      const change = stage.signerChangeOf(maker, wallet.address, NOW)
      await expectRefused('setQuoteSigner', [...change.slice(0, 3), broken(change[3])], 'MalformedSignature')
    })

    it.each(MALFORMED)('over USDC that are %s are refused by vault or token', async (_, broken) => {
      const deposit = stage.depositOf(taker, 5n, 'second')
      const names = ['MalformedSignature', 'InvalidAuthorizationSignature']
      expect(names).toContain((await stage.refusal('depositWithAuthorization', [...deposit.slice(0, 4), broken(deposit[4] as Hex)]))?.name)
      const core = fill({ core: 5n })
      expect(names).toContain((await stage.refusal('fill', [{ ...core, coreSignature: broken(core.coreSignature) }]))?.name)
    })

    it('of one account are of no use for another', async () => {
      const [terms, signature] = withdrawalOf(stage, taker, { amount: 1n })
      await expectRefused('withdraw', [{ ...terms, account: maker.accountId }, signature], 'WrongSigner')
      const [id, reduction, reductionSignature] = reductionOf(stage, maker, 1n)
      await expectRefused('reduce', [id, { ...reduction, maker: buyer.accountId }, reductionSignature], 'WrongSigner')
      await expectRefused('register', [nobody.accountId, stranger.address, nobody.quoteSigner.address, stage.registrationOf(nobody)], 'WrongSigner')
      const { accountId, wallet } = nobody
      await expectRefused('register', [accountId, wallet.address, stranger.address, stage.registrationOf(nobody)], 'WrongSigner')
      await expectRefused('setQuoteSigner', [buyer.accountId, ...stage.signerChangeOf(maker, stranger.address, NOW).slice(1)], 'WrongSigner')
      // The quote signer may not name its successor.
      const usurped = { ...maker, wallet: maker.quoteSigner }
      await expectRefused('setQuoteSigner', stage.signerChangeOf(usurped, stranger.address, NOW), 'WrongSigner')
    })
  })

  describe('tampered terms', () => {
    const ENTRY = {
      quote: {
        maker: 'TermsDiffer', rfqId: 'TermsDiffer', generation: 'WrongSigner', netStake: 'WrongSigner', payout: 'TermsDiffer',
        takerFeeBps: 'TermsDiffer', feeBps: 'TermsDiffer', expiry: 'WrongSigner', legsHash: 'WrongSigner',
      },
      acceptance: {
        taker: 'UnknownAccount', rfqId: 'TermsDiffer', quoteId: 'TermsDiffer', acceptanceId: 'TermsDiffer',
        stake: 'WrongSigner', core: 'WrongSigner', payout: 'TermsDiffer', takerFeeBps: 'TermsDiffer', feeBps: 'TermsDiffer', validAfter: 'WrongSigner', validBefore: 'WrongSigner',
      },
      confirmation: {
        maker: 'TermsDiffer', rfqId: 'TermsDiffer', quoteId: 'TermsDiffer', acceptanceId: 'TermsDiffer', payout: 'TermsDiffer',
        takerFeeBps: 'TermsDiffer', feeBps: 'TermsDiffer',
      },
    } as const
    const SALE = {
      quote: {
        maker: 'TermsDiffer', rfqId: 'TermsDiffer', generation: 'WrongSigner', positionId: 'TermsDiffer', price: 'TermsDiffer',
        feeBps: 'TermsDiffer', expiry: 'WrongSigner', legsHash: 'WrongSigner',
      },
      acceptance: {
        seller: 'UnknownAccount', rfqId: 'TermsDiffer', quoteId: 'TermsDiffer', acceptanceId: 'TermsDiffer',
        price: 'TermsDiffer', feeBps: 'TermsDiffer', positionId: 'TermsDiffer',
      },
      confirmation: {
        maker: 'TermsDiffer', rfqId: 'TermsDiffer', quoteId: 'TermsDiffer', acceptanceId: 'TermsDiffer', price: 'TermsDiffer', feeBps: 'TermsDiffer',
        positionId: 'TermsDiffer',
      },
    } as const
    const PARTS = ['quote', 'acceptance', 'confirmation'] as const
    const rows = (table: Readonly<Record<(typeof PARTS)[number], Readonly<Record<string, string>>>>) =>
      PARTS.flatMap((part) => Object.entries(table[part]).map(([field, error]) => ({ part, field, error })))

    it('are looked at in every field', () => {
      expect(Object.fromEntries(PARTS.map((part) => [part, Object.keys(ENTRY[part])]))).toEqual(fieldsOf(entryMessages(entry())))
      expect(Object.fromEntries(PARTS.map((part) => [part, Object.keys(SALE[part])]))).toEqual(fieldsOf(saleMessages(sale())))
    })

    it.each(rows(ENTRY))('$part.$field of an entry: $error', async ({ part, field, error }) => {
      await expectRefused('fill', [tampered(fill(), part, field)], error)
    })

    it.each(rows(SALE))('$part.$field of a sale: $error', async ({ part, field, error }) => {
      await open()
      await expectRefused('cashout', [tampered(cashout(), part, field)], error)
    })

    it('in all three alike are nobody’s', async () => {
      await open()
      for (const field of ['rfqId', 'payout', 'takerFeeBps', 'feeBps']) {
        const args = PARTS.reduce((trade, part) => tampered(trade, part, field), fill({ number: 2 }))
        await expectRefused('fill', [args], 'WrongSigner')
      }
      for (const field of ['rfqId', 'price', 'feeBps', 'positionId']) {
        await expectRefused('cashout', [PARTS.reduce((trade, part) => tampered(trade, part, field), cashout())], 'WrongSigner')
      }
    })

    it('of a withdrawal, an Exit or a reduction are nobody’s', async () => {
      const [terms, signature] = withdrawalOf(stage, taker, { amount: 5n })
      for (const field of ['amount', 'takerFeeBps', 'feeBps', 'validAfter', 'validBefore', 'requestKey']) {
        await expectRefused('withdraw', [{ ...terms, [field]: otherThan(terms[field]!) }, signature], 'WrongSigner')
      }
      const [exit, exitSignature] = withdrawalOf(stage, taker, { amount: 5n, exitExpiryS: NOW + 60 })
      for (const field of ['amount', 'takerFeeBps', 'feeBps', 'exitExpiry', 'validAfter', 'validBefore', 'requestKey']) {
        await expectRefused('withdrawExit', [{ ...exit, [field]: otherThan(exit[field]!) }, exitSignature], 'WrongSigner')
      }
      // An Exit's terms are not a withdrawal's, even with the same fields.
      await expectRefused('withdraw', [exit, exitSignature], 'WrongSigner')
      const [id, reduction, reductionSignature] = reductionOf(stage, maker, 5n)
      for (const field of ['amount', 'takerFeeBps', 'feeBps', 'requestKey']) {
        await expectRefused('reduce', [id, { ...reduction, [field]: otherThan(reduction[field]!) }, reductionSignature], 'WrongSigner')
      }
    })

    it('of a deposit or a core part are not what the wallet authorized', async () => {
      const [accountId, amount, id, validBefore, signature] = stage.depositOf(taker, 5n, 'second') as [Hex, bigint, Hex, bigint, Hex]
      const deposits = [
        [maker.accountId, amount, id, validBefore, signature], [accountId, amount + 1n, id, validBefore, signature],
        [accountId, amount, otherThan(id), validBefore, signature], [accountId, amount, id, validBefore + 1n, signature],
      ]
      for (const args of deposits) await expectRefused('depositWithAuthorization', args, 'InvalidAuthorizationSignature')
      // The signature is that of another acceptance of the same taker.
      const core = { ...fill({ core: 5n }), coreSignature: fill({ core: 5n, number: 2 }).coreSignature }
      await expectRefused('fill', [core], 'InvalidAuthorizationSignature')
      await expectRefused('fill', [{ ...fill(), coreSignature: fill({ core: 5n }).coreSignature }], 'CoreSignatureUnasked')
    })

    it('about another account than the signer’s own are not taken from it', async () => {
      const [first, second] = [fill(), fillOf(stage, entry({ maker: buyer }))]
      const { confirmation, confirmationSignature } = second
      await expectRefused('fill', [{ ...first, confirmation, confirmationSignature }], 'TermsDiffer')
      await expectRefused('fill', [{ ...first, quote: second.quote, quoteSignature: second.quoteSignature }], 'TermsDiffer')
    })
  })
})

/** Names of a trade's fields as the vault takes them. */
const fieldsOf = (messages: ReturnType<typeof entryMessages>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(messages).map(([part, typed]) => [part, Object.keys(vaultTermsOf(typed))]))
