import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TEST_USDC, VAULT, VaultOutcome, VaultPositionState } from '../../../src/chain/evm/abi.ts'
import { idOfText, vaultDomainOf, vaultTermsOf } from '../../../src/chain/evm/terms.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { partyOf, type Refusal, SETTINGS, signerOf, START_S, twinOf, VaultStage, ZERO_ADDRESS } from './contractHarness.ts'
import {
  cashoutOf, type Entry, entryAt, entryMessages, type FillArgs, fillOf, keyTextOf, positionIdOf, reductionIdOf, reductionOf,
  type Sale, saleAt, saleMessages, type SignedTradeArgs, signTyped, withdrawalOf,
} from './signedTrades.ts'

const taker = partyOf('taker', 1)
const maker = partyOf('maker', 2)
const buyer = partyOf('buyer', 3)
const nobody = partyOf('nobody', 4)
const stranger = signerOf(950)
const NOW = START_S + 100
const DEPOSITED = 800_000_000n
const OWED_MAX = 4_000_000_000_000_000n

let stage: VaultStage
let undo: () => Promise<void>

const entry = (changes: Partial<Entry> = {}): Entry => entryAt(stage.nowS, taker, maker, changes)
const sale = (changes: Partial<Sale> = {}): Sale => saleAt(stage.nowS, taker, maker, changes)
const fill = (changes: Partial<Entry> = {}): FillArgs => fillOf(stage, entry(changes))
const cashout = (changes: Partial<Sale> = {}): SignedTradeArgs => cashoutOf(stage, sale(changes))
const open = (changes: Partial<Entry> = {}): Promise<number> => stage.send('fill', [fill(changes)])

/** The call is refused with this error, and with these arguments where they are given. */
async function refused(functionName: string, args: readonly unknown[], name: string, ...with_: readonly unknown[]): Promise<void> {
  const refusal = await stage.refusal(functionName, args)
  expect({ functionName, name: refusal?.name }).toEqual({ functionName, name })
  if (with_.length > 0) expect(lowered(refusal!)).toEqual(with_)
}

/** Addresses without their checksum. */
const lowered = ({ args }: Refusal): readonly unknown[] => args.map((value) => (typeof value === 'string' ? value.toLowerCase() : value))

/** The first tampering: another value of the same type. */
const otherThan = (value: bigint | Hex): bigint | Hex => (typeof value === 'bigint' ? value + 1n : idOfText(value))
const tampered = <T extends SignedTradeArgs>(args: T, part: 'quote' | 'acceptance' | 'confirmation', field: string, value?: bigint | Hex): T =>
  ({ ...args, [part]: { ...args[part], [field]: value ?? otherThan(args[part][field]!) } })

const settle = (outcome: number, number = 1): readonly [string, readonly unknown[]] => ['settleMany', [[positionIdOf(number)], [outcome]]]

describe.skipIf(noAnvil)(`the vault against those who would cheat it${skipped}`, () => {
  beforeAll(async () => {
    stage = await VaultStage.open()
    await stage.admit(taker, 100_000_000n)
    await stage.admit(maker, 500_000_000n)
    await stage.admit(buyer, 200_000_000n)
    await stage.takeOn(stranger.address)
    await stage.at(NOW)
  })
  beforeEach(async () => { undo = await stage.checkpoint() })
  afterEach(() => undo())
  afterAll(() => stage.close())

  describe('signatures', () => {
    const wrong = signerOf(950)
    const TRADES = [['fill', () => fill()], ['cashout', () => cashout()]] as const

    it.each(TRADES)('of a %s must be the quote signer’s, the wallet’s, and the quote signer’s', async (functionName, trade) => {
      if (functionName === 'cashout') await open()
      const args = trade()
      const messages = functionName === 'fill' ? entryMessages(entry()) : saleMessages(sale())
      for (const [part, expected] of [['quote', maker.quoteSigner], ['acceptance', taker.wallet], ['confirmation', maker.quoteSigner]] as const) {
        const forged = { ...args, [`${part}Signature`]: signTyped(messages[part], wrong, stage.domain) }
        await refused(functionName, [forged], 'WrongSigner', expected.address, wrong.address)
      }
      // The maker's wallet is not its quote signer.
      await refused(functionName, [{ ...args, quoteSignature: signTyped(messages.quote, maker.wallet, stage.domain) }], 'WrongSigner')
      await refused(functionName, [{ ...args, quoteSignature: args.confirmationSignature, confirmationSignature: args.quoteSignature }], 'WrongSigner')
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
        await refused('fill', [{ ...good, [part]: foreign[part] }], 'WrongSigner')
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
      await stage.send('setQuoteSigner', [buyer.accountId, buyer.wallet.address, stage.signerChangeOf(buyer, buyer.wallet.address, 0n)])
      const next = fill({ number: 2 })
      for (const part of ['quoteSignature', 'acceptanceSignature', 'confirmationSignature'] as const) {
        await refused('fill', [{ ...next, [part]: broken(next[part]) }], 'MalformedSignature')
        const sold = cashout()
        await refused('cashout', [{ ...sold, [part]: broken(sold[part]) }], 'MalformedSignature')
      }
      const [terms, signature] = withdrawalOf(stage, taker, { amount: 1n })
      await refused('withdraw', [terms, broken(signature)], 'MalformedSignature')
      const [exit, exitSignature] = withdrawalOf(stage, taker, { amount: 1n, exitExpiryS: NOW + 60 })
      await refused('withdrawExit', [exit, broken(exitSignature)], 'MalformedSignature')
      const [id, reduction, reductionSignature] = reductionOf(stage, maker, 1n)
      await refused('reduce', [id, reduction, broken(reductionSignature)], 'MalformedSignature')
      const { accountId, wallet, quoteSigner } = nobody
      await refused('register', [accountId, wallet.address, quoteSigner.address, broken(stage.registrationOf(nobody))], 'MalformedSignature')
      const change = stage.signerChangeOf(maker, wallet.address, 0n)
      await refused('setQuoteSigner', [maker.accountId, wallet.address, broken(change)], 'MalformedSignature')
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
      await refused('withdraw', [{ ...terms, account: maker.accountId }, signature], 'WrongSigner')
      const [id, reduction, reductionSignature] = reductionOf(stage, maker, 1n)
      await refused('reduce', [id, { ...reduction, maker: buyer.accountId }, reductionSignature], 'WrongSigner')
      await refused('register', [nobody.accountId, stranger.address, nobody.quoteSigner.address, stage.registrationOf(nobody)], 'WrongSigner')
      const { accountId, wallet } = nobody
      await refused('register', [accountId, wallet.address, stranger.address, stage.registrationOf(nobody)], 'WrongSigner')
      await refused('setQuoteSigner', [buyer.accountId, stranger.address, stage.signerChangeOf(maker, stranger.address, 0n)], 'WrongSigner')
      // The quote signer may not name its successor.
      const usurped = { ...maker, wallet: maker.quoteSigner }
      await refused('setQuoteSigner', [maker.accountId, stranger.address, stage.signerChangeOf(usurped, stranger.address, 0n)], 'WrongSigner')
    })
  })

  describe('tampered terms', () => {
    const ENTRY = {
      quote: {
        maker: 'TermsDiffer', rfqId: 'TermsDiffer', generation: 'WrongSigner', netStake: 'WrongSigner', payout: 'TermsDiffer',
        takerFeeBps: 'TermsDiffer', feeBps: 'TermsDiffer', expiry: 'WrongSigner', legsHash: 'WrongSigner',
      },
      acceptance: {
        taker: 'UnknownAccount', rfqId: 'TermsDiffer', quoteId: 'TermsDiffer', acceptanceId: 'TermsDiffer', stake: 'WrongSigner', core: 'WrongSigner',
        payout: 'TermsDiffer', takerFeeBps: 'TermsDiffer', feeBps: 'TermsDiffer', validAfter: 'WrongSigner', validBefore: 'WrongSigner',
      },
      confirmation: {
        maker: 'TermsDiffer', rfqId: 'TermsDiffer', quoteId: 'TermsDiffer', acceptanceId: 'TermsDiffer', payout: 'TermsDiffer',
        takerFeeBps: 'TermsDiffer', feeBps: 'TermsDiffer',
      },
    } as const
    const SALE = {
      quote: {
        maker: 'TermsDiffer', rfqId: 'TermsDiffer', generation: 'WrongSigner', positionId: 'WrongSigner', price: 'TermsDiffer',
        feeBps: 'TermsDiffer', expiry: 'WrongSigner', legsHash: 'WrongSigner',
      },
      acceptance: {
        seller: 'UnknownAccount', rfqId: 'TermsDiffer', quoteId: 'TermsDiffer', acceptanceId: 'TermsDiffer', price: 'TermsDiffer', feeBps: 'TermsDiffer',
      },
      confirmation: {
        maker: 'TermsDiffer', rfqId: 'TermsDiffer', quoteId: 'TermsDiffer', acceptanceId: 'TermsDiffer', price: 'TermsDiffer', feeBps: 'TermsDiffer',
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
      await refused('fill', [tampered(fill(), part, field)], error)
    })

    it.each(rows(SALE))('$part.$field of a sale: $error', async ({ part, field, error }) => {
      await open()
      await refused('cashout', [tampered(cashout(), part, field)], error)
    })

    it('in all three alike are nobody’s', async () => {
      await open()
      for (const field of ['rfqId', 'payout', 'takerFeeBps', 'feeBps']) {
        const args = PARTS.reduce((trade, part) => tampered(trade, part, field), fill({ number: 2 }))
        await refused('fill', [args], 'WrongSigner')
      }
      for (const field of ['rfqId', 'price', 'feeBps']) {
        await refused('cashout', [PARTS.reduce((trade, part) => tampered(trade, part, field), cashout())], 'WrongSigner')
      }
    })

    it('of a withdrawal, an Exit or a reduction are nobody’s', async () => {
      const [terms, signature] = withdrawalOf(stage, taker, { amount: 5n })
      for (const field of ['amount', 'takerFeeBps', 'feeBps', 'validAfter', 'validBefore', 'requestKey']) {
        await refused('withdraw', [{ ...terms, [field]: otherThan(terms[field]!) }, signature], 'WrongSigner')
      }
      const [exit, exitSignature] = withdrawalOf(stage, taker, { amount: 5n, exitExpiryS: NOW + 60 })
      for (const field of ['amount', 'takerFeeBps', 'feeBps', 'exitExpiry', 'validAfter', 'validBefore', 'requestKey']) {
        await refused('withdrawExit', [{ ...exit, [field]: otherThan(exit[field]!) }, exitSignature], 'WrongSigner')
      }
      // An Exit's terms are not a withdrawal's, even with the same fields.
      await refused('withdraw', [exit, exitSignature], 'WrongSigner')
      const [id, reduction, reductionSignature] = reductionOf(stage, maker, 5n)
      for (const field of ['amount', 'takerFeeBps', 'feeBps', 'requestKey']) {
        await refused('reduce', [id, { ...reduction, [field]: otherThan(reduction[field]!) }, reductionSignature], 'WrongSigner')
      }
    })

    it('of a deposit or a core part are not what the wallet authorized', async () => {
      const [accountId, amount, id, validBefore, signature] = stage.depositOf(taker, 5n, 'second') as [Hex, bigint, Hex, bigint, Hex]
      const deposits = [
        [maker.accountId, amount, id, validBefore, signature], [accountId, amount + 1n, id, validBefore, signature],
        [accountId, amount, otherThan(id), validBefore, signature], [accountId, amount, id, validBefore + 1n, signature],
      ]
      for (const args of deposits) await refused('depositWithAuthorization', args, 'InvalidAuthorizationSignature')
      // Of another acceptance of the same taker.
      await refused('fill', [{ ...fill({ core: 5n }), coreSignature: fill({ core: 5n, number: 2 }).coreSignature }], 'InvalidAuthorizationSignature')
      await refused('fill', [{ ...fill(), coreSignature: fill({ core: 5n }).coreSignature }], 'CoreSignatureUnasked')
    })

    it('about another account than the signer’s own are not taken from it', async () => {
      const [first, second] = [fill(), fillOf(stage, entry({ maker: buyer }))]
      await refused('fill', [{ ...first, confirmation: second.confirmation, confirmationSignature: second.confirmationSignature }], 'TermsDiffer')
      await refused('fill', [{ ...first, quote: second.quote, quoteSignature: second.quoteSignature }], 'TermsDiffer')
    })
  })

  describe('time', () => {
    it('of a quote: its expiry is over, the second before is not', async () => {
      await refused('fill', [fill({ expiryS: NOW })], 'QuoteExpired', BigInt(NOW), BigInt(NOW))
      expect(await stage.refusal('fill', [fill({ expiryS: NOW + 1 })])).toBeNull()
      await open()
      await refused('cashout', [cashout({ expiryS: NOW })], 'QuoteExpired')
      expect(await stage.refusal('cashout', [cashout({ expiryS: NOW + 1 })])).toBeNull()
    })

    it('of an acceptance is not to come, and not longer ago than the vault lets it be', async () => {
      await refused('fill', [fill({ acceptedAtS: NOW + 1, expiryS: NOW + 9 })], 'AcceptedAtWrong')
      const old = fill({ acceptedAtS: NOW, expiryS: NOW + 1, validBeforeS: NOW + 5000 })
      await stage.at(NOW + 600)
      expect(await stage.refusal('fill', [old])).toBeNull()
      await stage.at(NOW + 601)
      await refused('fill', [old], 'AcceptedAtWrong', BigInt(NOW), BigInt(NOW + 601))
      await open()
      await refused('cashout', [cashout({ acceptedAtS: NOW + 602 })], 'AcceptedAtWrong')
      await refused('cashout', [cashout({ acceptedAtS: NOW })], 'AcceptedAtWrong')
    })

    it('of a window: before and after it nothing is filled or paid', async () => {
      await refused('fill', [fill({ validAfterS: NOW + 1 })], 'OutsideWindow')
      await refused('fill', [fill({ validBeforeS: NOW })], 'OutsideWindow')
      await refused('fill', [fill({ acceptedAtS: NOW - 2, validAfterS: NOW - 1 })], 'OutsideWindow')
      await refused('withdraw', withdrawalOf(stage, taker, { amount: 1n, validAfterS: NOW + 1 }), 'OutsideWindow')
      await refused('withdraw', withdrawalOf(stage, taker, { amount: 1n, validBeforeS: NOW }), 'OutsideWindow')
      await refused('withdrawExit', withdrawalOf(stage, taker, { amount: 1n, exitExpiryS: NOW }), 'ExitExpired')
      await refused('withdrawExit', withdrawalOf(stage, taker, { amount: 1n, exitExpiryS: NOW + 9, validBeforeS: NOW }), 'OutsideWindow')
      await refused('withdrawExit', withdrawalOf(stage, taker, { amount: 1n, exitExpiryS: NOW + 9, validAfterS: NOW + 1 }), 'OutsideWindow')
      const edge = { amount: 1n, validAfterS: NOW, validBeforeS: NOW + 1 }
      expect(await stage.refusal('withdraw', withdrawalOf(stage, taker, edge))).toBeNull()
    })

    it('of a reduction: a second early it is not released', async () => {
      await stage.send('reduce', reductionOf(stage, maker, 5n))
      await refused('release', [reductionIdOf(1)], 'ReductionNotDue', reductionIdOf(1), BigInt(NOW + 86_400))
      await stage.at(NOW + 86_399)
      await refused('release', [reductionIdOf(1)], 'ReductionNotDue')
      await stage.at(NOW + 86_400)
      expect(await stage.refusal('release', [reductionIdOf(1)])).toBeNull()
    })

    it('of an authorization: an ended one deposits nothing', async () => {
      const [accountId, amount, id] = stage.depositOf(taker, 5n, 'second') as [Hex, bigint, Hex]
      const ended = stage.authorizationOf(taker.wallet, amount, BigInt(NOW), stage.depositNonceOf(accountId, id))
      await refused('depositWithAuthorization', [accountId, amount, id, BigInt(NOW), ended], 'AuthorizationExpired')
    })
  })

  describe('what has landed once', () => {
    it('is no second fill, under the same position or another', async () => {
      const args = fill()
      await stage.send('fill', [args])
      await refused('fill', [args], 'AcceptanceUsed', taker.accountId, args.acceptance.acceptanceId)
      await refused('fill', [{ ...args, positionId: positionIdOf(2) }], 'AcceptanceUsed')
      await refused('fill', [{ ...fill({ number: 2 }), positionId: positionIdOf(1) }], 'PositionExists', positionIdOf(1))
      expect(await stage.read('isAcceptanceUsed', [taker.accountId, args.acceptance.acceptanceId])).toBe(true)
    })

    it('is no fill of a position that was paid out before', async () => {
      await open()
      await stage.send(...settle(VaultOutcome.lost))
      await refused('fill', [{ ...fill({ number: 2 }), positionId: positionIdOf(1) }], 'PositionExists')
    })

    it('under one taker’s key leaves the same key to another', async () => {
      await open()
      // Clients choose their keys: two may choose alike.
      expect(await stage.refusal('fill', [{ ...fillOf(stage, entry({ taker: buyer })), positionId: positionIdOf(2) }])).toBeNull()
    })

    it('is no second sale, and its key no entry', async () => {
      await open()
      const sold = cashoutOf(stage, sale({ maker: buyer }))
      await stage.send('cashout', [sold])
      await refused('cashout', [sold], 'AcceptanceUsed')
      await refused('fill', [fill({ number: 101 })], 'AcceptanceUsed')
    })

    it('is no second withdrawal, with or without an Exit, and no reduction', async () => {
      await stage.send('withdraw', withdrawalOf(stage, maker, { amount: 5n, key: 1 }))
      await refused('withdraw', withdrawalOf(stage, maker, { amount: 5n, key: 1 }), 'RequestUsed', maker.accountId, idOfText(keyTextOf(1)))
      await refused('withdrawExit', withdrawalOf(stage, maker, { amount: 5n, key: 1, exitExpiryS: NOW + 60 }), 'RequestUsed')
      await refused('reduce', reductionOf(stage, maker, 5n, 1), 'RequestUsed')
      expect(await stage.read('isRequestUsed', [maker.accountId, idOfText(keyTextOf(1))])).toBe(true)
    })

    it('is no second reduction under the same signature or the same id, and no second release', async () => {
      await stage.send('reduce', reductionOf(stage, maker, 5n, 1))
      await refused('reduce', reductionOf(stage, maker, 5n, 1), 'RequestUsed')
      const [, terms, signature] = reductionOf(stage, maker, 5n, 1)
      await refused('reduce', [reductionIdOf(2), terms, signature], 'RequestUsed')
      await refused('reduce', [reductionIdOf(1), ...reductionOf(stage, maker, 5n, 2).slice(1)], 'ReductionExists')
      await stage.at(NOW + 86_400)
      await stage.send('release', [reductionIdOf(1)])
      await refused('release', [reductionIdOf(1)], 'AlreadyReleased', reductionIdOf(1))
      await refused('release', [reductionIdOf(2)], 'UnknownReduction', reductionIdOf(2))
    })

    it('is no second deposit, registration or change of the quote signer', async () => {
      const deposit = stage.depositOf(taker, 5n, 'second')
      await stage.send('depositWithAuthorization', deposit)
      await refused('depositWithAuthorization', deposit, 'DepositUsed', taker.accountId, idOfText('second'))
      expect(await stage.read('isDepositUsed', [taker.accountId, idOfText('second')])).toBe(true)
      const { accountId, wallet, quoteSigner } = taker
      const registration = [accountId, wallet.address, quoteSigner.address, stage.registrationOf(taker)]
      await refused('register', registration, 'AlreadyRegistered', accountId, wallet.address, quoteSigner.address)
      const change = [maker.accountId, stranger.address, stage.signerChangeOf(maker, stranger.address, 0n)]
      await stage.send('setQuoteSigner', change)
      await refused('setQuoteSigner', change, 'WrongSigner')
    })

    it.each([['won', 'claimed'], ['lost', 'lost'], ['void', 'void']] as const)('as %s is settled so for good', async (outcome, state) => {
      await open()
      await stage.send(...settle(VaultOutcome[outcome]))
      for (const other of ['lost', 'won', 'void'] as const) {
        const [name, args] = other === outcome
          ? ['AlreadyResolved', [positionIdOf(1), VaultOutcome[outcome]]] : ['ResolvedOtherwise', [positionIdOf(1), VaultPositionState[state]]]
        await refused(...settle(VaultOutcome[other]), name as string, ...args as unknown[])
        await refused('resolve', [[positionIdOf(1)], [VaultOutcome[other]]], name as string)
      }
    })

    it('as won and not claimed yet is not void after all', async () => {
      await open()
      await stage.send('resolve', [[positionIdOf(1)], [VaultOutcome.won]])
      await refused('resolve', [[positionIdOf(1)], [VaultOutcome.void]], 'ResolvedOtherwise')
      await stage.send('claim', [positionIdOf(1)])
      await refused('claim', [positionIdOf(1)], 'AlreadyClaimed', positionIdOf(1))
      await refused('claimMany', [[positionIdOf(1)]], 'AlreadyClaimed')
    })

    it('twice in one batch is refused as a whole', async () => {
      await open()
      await refused('settleMany', [[positionIdOf(1), positionIdOf(1)], [VaultOutcome.won, VaultOutcome.won]], 'AlreadyResolved')
      await stage.send('resolve', [[positionIdOf(1)], [VaultOutcome.won]])
      await refused('claimMany', [[positionIdOf(1), positionIdOf(1)]], 'AlreadyClaimed')
    })
  })

  describe('positions', () => {
    it('that are open, lost, void, sold back or unknown are not claimed', async () => {
      for (let number = 1; number <= 4; number++) await open({ number })
      await stage.send(...settle(VaultOutcome.lost, 2))
      await stage.send(...settle(VaultOutcome.void, 3))
      await stage.send('cashout', [cashout({ position: 4 })])
      const states = ['none', 'open', 'lost', 'void', 'closed'] as const
      for (const [number, state] of states.entries()) {
        await refused('claim', [positionIdOf(number)], 'PositionNotWon', positionIdOf(number), VaultPositionState[state])
        await refused('claimMany', [[positionIdOf(number)]], 'PositionNotWon')
      }
      for (const number of [0, 4]) await refused(...settle(VaultOutcome.won, number), 'PositionNotOpen')
    })

    it('are sold by their holder alone, and not after they are decided', async () => {
      await open()
      await refused('cashout', [cashout({ seller: buyer })], 'NotHolder', positionIdOf(1), buyer.accountId)
      await stage.send('cashout', [cashout({ maker: buyer })])
      await refused('cashout', [cashout({ number: 102 })], 'NotHolder')
      await stage.send('resolve', [[positionIdOf(1)], [VaultOutcome.won]])
      await refused('cashout', [cashout({ number: 103, seller: buyer })], 'PositionNotOpen', positionIdOf(1), VaultPositionState.won)
      await stage.send('claim', [positionIdOf(1)])
      await refused('cashout', [cashout({ number: 103, seller: buyer })], 'PositionNotOpen', positionIdOf(1), VaultPositionState.claimed)
      await refused('cashout', [cashout({ number: 103, position: 9 })], 'PositionNotOpen', positionIdOf(9), VaultPositionState.none)
    })

    it('are not sold to oneself, above the payout, for nothing, at another rate or on other legs', async () => {
      await open()
      await refused('cashout', [cashout({ maker: taker })], 'SameAccount', taker.accountId)
      await refused('cashout', [cashout({ price: 30_000_008n })], 'PriceTooHigh', 30_000_008n, 30_000_007n)
      await refused('cashout', [cashout({ price: 0n })], 'AmountOutOfRange')
      await refused('cashout', [cashout({ price: 2n ** 64n + 1n })], 'AmountOutOfRange')
      await refused('cashout', [cashout({ feeBps: 151n })], 'TermsDiffer')
      await refused('cashout', [cashout({ feeBps: 150n + 2n ** 16n })], 'TermsDiffer')
      await refused('cashout', [cashout({ legs: [{ outcomeId: '1234567890', side: 'NO' }] })], 'TermsDiffer')
      expect(await stage.refusal('cashout', [cashout({ price: 30_000_007n })])).toBeNull()
    })

    it('are settled with an outcome each, of those that there are', async () => {
      await open()
      await refused('settleMany', [[positionIdOf(1)], []], 'LengthMismatch', 1n, 0n)
      await refused('resolve', [[], [1]], 'LengthMismatch', 0n, 1n)
      expect((await stage.refusal('settleMany', [[positionIdOf(1)], [3]]))?.name).toBe('no reason')
    })
  })

  describe('money', () => {
    it('that an account does not have is not spent', async () => {
      await refused('fill', [fill({ stake: 100_000_001n, netStake: 99_750_001n, payout: 200_000_000n })], 'InsufficientBalance', taker.accountId, 100_000_000n, 100_000_001n)
      await refused('fill', [fill({ payout: 509_975_002n })], 'InsufficientBalance', maker.accountId, 500_000_000n, 500_000_001n)
      await refused('fill', [fillOf(stage, entry({ taker: nobody }))], 'UnknownAccount', nobody.accountId)
      await refused('fill', [fillOf(stage, entry({ maker: nobody }))], 'UnknownAccount', nobody.accountId)
      await refused('withdraw', withdrawalOf(stage, taker, { amount: 100_000_001n }), 'InsufficientBalance')
      await refused('withdraw', withdrawalOf(stage, nobody, { amount: 1n }), 'UnknownAccount')
      await refused('withdrawExit', withdrawalOf(stage, taker, { amount: 100_000_001n, exitExpiryS: NOW + 60 }), 'InsufficientBalance')
      await refused('reduce', reductionOf(stage, maker, 500_000_001n), 'InsufficientBalance')
      await refused('reduce', reductionOf(stage, nobody, 1n), 'UnknownAccount')
      await stage.send('reduce', reductionOf(stage, maker, 500_000_000n))
      await refused('fill', [fill()], 'InsufficientBalance', maker.accountId, 0n, 20_025_006n)
    })

    it('of a buyer who lacks the price buys nothing', async () => {
      await open()
      await stage.send('withdraw', withdrawalOf(stage, buyer, { amount: 187_654_323n }))
      await refused('cashout', [cashout({ maker: buyer })], 'InsufficientBalance', buyer.accountId, 12_345_677n, 12_345_678n)
    })

    it('of a core wallet that lacks it fills nothing, not even the rest', async () => {
      await stage.takeOn(taker.wallet.address)
      await stage.send('transfer', [stranger.address, 899_999_997n], taker.wallet.address, stage.usdc)
      await refused('fill', [fill({ core: 4n })], 'InsufficientBalance', taker.wallet.address, 3n, 4n)
      expect(await stage.refusal('fill', [fill({ core: 3n })])).toBeNull()
      await refused('depositWithAuthorization', stage.depositOf(taker, 4n, 'second'), 'InsufficientBalance')
    })

    it('is counted by the service’s rules: net stake, payout, rates, core', async () => {
      await refused('fill', [fill({ netStake: 9_975_002n })], 'NetStakeWrong', 9_975_001n, 9_975_002n)
      await refused('fill', [fill({ netStake: 9_975_000n })], 'NetStakeWrong', 9_975_001n, 9_975_000n)
      await refused('fill', [fill({ payout: 9_975_001n })], 'PayoutTooLow', 9_975_001n, 9_975_001n)
      await refused('fill', [fill({ takerFeeBps: 10_001n })], 'RateTooHigh', 10_001n)
      await refused('fill', [fill({ feeBps: 10_001n })], 'RateTooHigh', 10_001n)
      await refused('fill', [fill({ feeBps: 2n ** 16n })], 'RateTooHigh', 2n ** 16n)
      await refused('fill', [fill({ takerFeeBps: 10_000n, netStake: 0n })], 'AmountOutOfRange', 0n)
      await refused('fill', [fill({ core: 10_000_002n })], 'CoreTooHigh', 10_000_002n, 10_000_001n)
      await refused('fill', [fill({ maker: taker })], 'SameAccount', taker.accountId)
    })

    it('in amounts that overflow is refused', async () => {
      for (const amount of [0n, OWED_MAX + 1n, 2n ** 64n, 2n ** 64n + 5n, 2n ** 256n - 1n]) {
        await refused('withdraw', withdrawalOf(stage, taker, { amount }), 'AmountOutOfRange', amount)
        await refused('withdrawExit', withdrawalOf(stage, taker, { amount, exitExpiryS: NOW + 60 }), 'AmountOutOfRange', amount)
        await refused('reduce', reductionOf(stage, maker, amount), 'AmountOutOfRange', amount)
        await refused('deposit', [taker.accountId, amount], 'AmountOutOfRange', amount)
        await refused('depositWithAuthorization', stage.depositOf(taker, amount, 'second'), 'AmountOutOfRange', amount)
        await refused('collect', [amount, taker.wallet.address], 'AmountOutOfRange', amount)
        await refused('fill', [fill({ stake: amount, netStake: amount, takerFeeBps: 0n })], 'AmountOutOfRange', amount)
        await refused('fill', [fill({ payout: amount })], 'AmountOutOfRange', amount)
        if (amount > 0n) await refused('fill', [fill({ core: amount })], 'CoreTooHigh', amount, 10_000_001n)
      }
    })

    it('beyond what the vault may owe is not taken', async () => {
      await stage.send('mint', [taker.wallet.address, OWED_MAX], stage.operator, stage.usdc)
      const room = OWED_MAX - DEPOSITED
      await refused('depositWithAuthorization', stage.depositOf(taker, room + 1n, 'second'), 'OwedTooMuch', OWED_MAX + 1n)
      await stage.send('depositWithAuthorization', stage.depositOf(taker, room, 'second'))
      await refused('fill', [fill({ core: 1n })], 'OwedTooMuch', OWED_MAX + 1n)
    })

    it('that is sent to the vault without a call is nobody’s', async () => {
      await stage.takeOn(taker.wallet.address)
      const before = await stage.books(taker, maker, buyer)
      await stage.send('transfer', [stage.vault.address, 7n], taker.wallet.address, stage.usdc)
      expect(await stage.books(taker, maker, buyer)).toEqual([...before.slice(0, 5), DEPOSITED + 7n])
    })

    it('of a foreign token is nobody’s', async () => {
      const foreign = await stage.deploy(TEST_USDC.abi, TEST_USDC.bytecode, [])
      await stage.send('mint', [stranger.address, 1000n], stage.operator, foreign)
      await stage.send('approve', [stage.vault.address, 1000n], stranger.address, foreign)
      await stage.send('transfer', [stage.vault.address, 500n], stranger.address, foreign)
      expect((await stage.refusal('deposit', [taker.accountId, 500n], stranger.address))?.name).toBe('InsufficientAllowance')
      // An authorization of the foreign token says nothing to the vault's own.
      const other = stage.with(stage.vault, foreign)
      await refused('depositWithAuthorization', other.depositOf(taker, 5n, 'second'), 'InvalidAuthorizationSignature')
      expect(await stage.books(taker, maker, buyer)).toEqual([100_000_000n, 500_000_000n, 200_000_000n, 0n, DEPOSITED, DEPOSITED])
    })

    it('of gas is not taken', async () => {
      const [answer] = await stage.rpc.batch([{ method: 'eth_call', params: [{ from: stage.operator, to: stage.vault.address, value: '0x1' }, 'latest'] }])
      expect(answer).toHaveProperty('refusal')
    })

    it('of the house alone is collected, and not into the vault or nowhere', async () => {
      await open()
      await refused('collect', [25_001n, taker.wallet.address], 'InsufficientHouse', 25_000n, 25_001n)
      await refused('collect', [1n, ZERO_ADDRESS], 'ZeroAddress')
      await refused('collect', [1n, stage.vault.address], 'ZeroAddress')
    })
  })

  describe('authorities', () => {
    it('a stranger sends nothing that is the operator’s', async () => {
      await stage.send('fill', [fill()])
      const { accountId, wallet, quoteSigner } = nobody
      const calls: Readonly<Record<string, readonly unknown[]>> = {
        batch: [[]], proposeOperator: [stranger.address], collect: [1n, stranger.address],
        register: [accountId, wallet.address, quoteSigner.address, stage.registrationOf(nobody)],
        setQuoteSigner: [maker.accountId, wallet.address, stage.signerChangeOf(maker, wallet.address, 0n)],
        depositWithAuthorization: stage.depositOf(taker, 5n, 'second'),
        withdraw: withdrawalOf(stage, taker, { amount: 5n }), withdrawExit: withdrawalOf(stage, taker, { amount: 5n, exitExpiryS: NOW + 60 }),
        reduce: reductionOf(stage, maker, 5n), fill: [fill({ number: 2 })], cashout: [cashout()],
        resolve: [[positionIdOf(1)], [VaultOutcome.won]], settleMany: settle(VaultOutcome.won)[1],
      }
      for (const [functionName, args] of Object.entries(calls)) {
        for (const from of [stranger.address, taker.wallet.address]) {
          const refusal = await stage.refusal(functionName, args, from)
          expect([functionName, refusal?.name, lowered(refusal!)]).toEqual([functionName, 'NotOperator', [from]])
        }
        expect([functionName, await stage.refusal(functionName, args)]).toEqual([functionName, null])
      }
      const open = ['deposit', 'claim', 'claimMany', 'release', 'acceptOperator']
      const writing = VAULT.abi.filter((item) => item.type === 'function' && item.stateMutability !== 'view').map((item) => 'name' in item && item.name)
      expect(new Set([...Object.keys(calls), ...open])).toEqual(new Set(writing))
    })

    it('nobody is the operator but who was proposed and accepts', async () => {
      const refusal = await stage.refusal('acceptOperator', [], stranger.address)
      expect(refusal?.name).toBe('NotProposed')
      await stage.send('proposeOperator', [stranger.address])
      await refused('acceptOperator', [], 'NotProposed')
      await stage.send('proposeOperator', [ZERO_ADDRESS])
      expect((await stage.refusal('acceptOperator', [], stranger.address))?.name).toBe('NotProposed')
    })

    it('accounts and signers are somebody', async () => {
      const { accountId, wallet, quoteSigner } = nobody
      const signature = stage.registrationOf(nobody)
      await refused('register', [accountId, ZERO_ADDRESS, quoteSigner.address, signature], 'ZeroAddress')
      await refused('register', [accountId, stage.vault.address, quoteSigner.address, signature], 'ZeroAddress')
      await refused('register', [accountId, wallet.address, ZERO_ADDRESS, signature], 'ZeroAddress')
      await refused('setQuoteSigner', [maker.accountId, ZERO_ADDRESS, signature], 'ZeroAddress')
      await refused('setQuoteSigner', [accountId, wallet.address, signature], 'UnknownAccount')
      await refused('deposit', [accountId, 5n], 'UnknownAccount')
      await refused('depositWithAuthorization', stage.depositOf(nobody, 5n, 'first'), 'UnknownAccount')
    })

    it('a batch is all or nothing, and says which call it broke on', async () => {
      const { fillData, withdrawData } = callData()
      const refusal = await stage.refusal('batch', [[fillData, withdrawData, fillData]])
      expect(refusal).toMatchObject({ name: 'CallFailed', args: [2n, expect.stringMatching(/^0x/)] })
      expect(await stage.refusalOf(fillData)).toBeNull()
      await stage.send('batch', [[fillData, withdrawData]])
      expect(await stage.books(taker, maker)).toEqual([89_999_994n, 479_974_994n, 25_000n, DEPOSITED - 5n, DEPOSITED - 5n])
    })

    it('a vault is made for chain 999, a token and an operator', async () => {
      const deploy = (usdc: Hex, operator: Hex): Promise<Refusal | null> => stage.refusalOfDeployment(VAULT, [usdc, operator, SETTINGS])
      expect(await deploy(stage.usdc.address, stage.operator)).toBeNull()
      expect((await deploy(stranger.address, stage.operator))?.name).toBe('NotContract')
      expect((await deploy(stage.usdc.address, ZERO_ADDRESS))?.name).toBe('ZeroAddress')
      const chainId = await stage.rpc.call('anvil_setChainId', [1])
      expect(chainId).toBeNull()
      expect((await deploy(stage.usdc.address, stage.operator))?.name).toBe('WrongChain')
      await stage.rpc.call('anvil_setChainId', [999])
    })
  })
})

/** Names of a trade's fields as the vault takes them. */
const fieldsOf = (messages: ReturnType<typeof entryMessages>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(messages).map(([part, typed]) => [part, Object.keys(vaultTermsOf(typed))]))

const callData = (): { fillData: Hex; withdrawData: Hex } => ({
  fillData: stage.dataOf('fill', [fill()]),
  withdrawData: stage.dataOf('withdraw', withdrawalOf(stage, taker, { amount: 5n })),
})
