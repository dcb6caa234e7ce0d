import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import { signInChallengeRequest, signInRequest } from '../../../src/serve/outcome/sessionRequests.ts'
import { WalletSignIns } from '../../../src/serve/outcome/walletSignIns.ts'
import { OUTCOME_CODES } from '../../../src/venue/outcome/protocol/codes.ts'
import { WireIdentity } from '../../../src/venue/outcome/wire/identity.ts'
import { identity, origins } from '../../venue/outcome/wire/rows.ts'

/** The first key of EIP-155's test vectors' author, used by nobody else. */
const WALLET = privateKeyToAccount('0x4646464646464646464646464646464646464646464646464646464646464646')
const OTHER = privateKeyToAccount('0x4747474747474747474747474747474747474747474747474747474747474747')
const ADDRESS = WALLET.address.toLowerCase() as `0x${string}`
const PAGE = 'https://bets.example'
/** 2025-06-20T00:23:00.000000Z. */
const NOW_US = 1_750_378_980_000_000
const LIFE_US = 300_000_000

const codeOf = (proof: object): string => ('code' in proof ? OUTCOME_CODES[proof.code as number]!.code : 'ok')
const violationsOf = (read: object): string[] =>
  'violations' in read ? (read.violations as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`) : []

describe('the message of a wallet\'s sign-in', () => {
  const { message, expires_at } = new WalletSignIns(identity).challenge(ADDRESS, PAGE, NOW_US)

  it('OM-293 is EIP-4361 for chain 999, for five minutes', () => {
    expect(expires_at).toBe('2025-06-20T00:28:00.000000Z')
    expect(parseSiweMessage(message)).toEqual({
      address: WALLET.address, chainId: 999, domain: 'bets.example', uri: PAGE, version: '1', statement: 'Sign in to the outcome-market RFQ service.',
      nonce: expect.stringMatching(/^[0-9a-z]{43}$/) as string, issuedAt: new Date(NOW_US / 1000), expirationTime: new Date((NOW_US + LIFE_US) / 1000),
    })
  })

  it('OM-293 is written as other software writes it, save the microseconds', () => {
    const { nonce } = parseSiweMessage(message)
    const theirs = createSiweMessage({
      address: WALLET.address, chainId: 999, domain: 'bets.example', uri: PAGE, version: '1', statement: 'Sign in to the outcome-market RFQ service.',
      nonce: nonce!, issuedAt: new Date(NOW_US / 1000), expirationTime: new Date((NOW_US + LIFE_US) / 1000),
    })
    expect(message.replaceAll('.000000Z', '.000Z')).toBe(theirs)
  })

  it('OM-293 names the port of a page that has one', () => {
    const local = new WalletSignIns(identity).challenge(ADDRESS, 'http://localhost:5173', NOW_US).message
    expect(local.split('\n')[0]).toBe('localhost:5173 wants you to sign in with your Ethereum account:')
  })
})

describe('the proof of a wallet\'s sign-in', () => {
  const signed = async (by = WALLET, change: (message: string) => string = (message) => message) => {
    const signIns = new WalletSignIns(identity)
    const message = change(signIns.challenge(ADDRESS, PAGE, NOW_US).message)
    return { signIns, message, signature: await by.signMessage({ message }) }
  }

  it('OM-097 OM-293 names the wallet, once', async () => {
    const { signIns, message, signature } = await signed()
    expect(signIns.redeem(PAGE, message, signature, NOW_US)).toEqual({ ok: { address: ADDRESS, origin: PAGE, issuedAtUs: NOW_US } })
    expect(codeOf(signIns.redeem(PAGE, message, signature, NOW_US + 1))).toBe('STATE_CONFLICT')
    const again = signIns.challenge(ADDRESS, PAGE, NOW_US + 1).message
    expect(codeOf(signIns.redeem(PAGE, again, await WALLET.signMessage({ message: again }), NOW_US + 1))).toBe('ok')
  })

  it('OM-293 is over five minutes after its message, to the microsecond', async () => {
    const { signIns, message, signature } = await signed()
    expect(codeOf(signIns.redeem(PAGE, message, signature, NOW_US + LIFE_US))).toBe('STATE_CONFLICT')
    expect(codeOf(signIns.redeem(PAGE, message, signature, NOW_US + LIFE_US - 1))).toBe('ok')
    expect(codeOf(signIns.redeem(PAGE, message, signature, NOW_US + LIFE_US))).toBe('STATE_CONFLICT')
  })

  it('OM-137 OM-293 is good for the page that asked alone', async () => {
    const { signIns, message, signature } = await signed()
    for (const page of ['https://other.example', 'http://bets.example', 'https://bets.example:8443']) {
      expect(codeOf(signIns.redeem(page, message, signature, NOW_US))).toBe('UNAUTHENTICATED')
    }
  })

  it('OM-212 OM-293 is refused when another wallet signed, or another text', async () => {
    const { signIns, message, signature } = await signed(OTHER)
    expect(codeOf(signIns.redeem(PAGE, message, signature, NOW_US))).toBe('INVALID_SIGNATURE')
    expect(codeOf(signIns.redeem(PAGE, message, await WALLET.signMessage({ message: `${message} ` }), NOW_US))).toBe('INVALID_SIGNATURE')
    expect(codeOf(signIns.redeem(PAGE, message, `0x${'1b'.repeat(65)}`, NOW_US))).toBe('INVALID_SIGNATURE')
    expect(codeOf(signIns.redeem(PAGE, message, await WALLET.signMessage({ message }), NOW_US))).toBe('ok')
  })

  it.each<[string, (message: string) => string]>([
    ['another wallet', (message) => message.replace(WALLET.address, OTHER.address)],
    ['the wallet in lower case', (message) => message.replace(WALLET.address, ADDRESS)],
    ['another page', (message) => message.replaceAll('bets.example', 'best.example')],
    ['another chain', (message) => message.replace('Chain ID: 999', 'Chain ID: 1')],
    ['a later end', (message) => message.replace('00:28:00', '00:29:00')],
    ['another nonce', (message) => message.replace(/(Nonce: .*)(.)$/m, (_, head: string, last: string) => head + (last === 'a' ? 'b' : 'a'))],
    ['a line more', (message) => `${message}\nRequest ID: 7`],
    ['a page that is none', (message) => message.replace(`URI: ${PAGE}`, 'URI: here')],
    ['nothing', () => ''],
  ])('OM-293 is refused as a text with %s that this session never gave', async (_, change) => {
    const { signIns, message, signature } = await signed(WALLET, change)
    expect(codeOf(signIns.redeem(PAGE, message, signature, NOW_US))).toBe('INVALID_REQUEST')
  })

  it('OM-293 is refused in another session', async () => {
    const { message, signature } = await signed()
    const elsewhere = new WalletSignIns(new WireIdentity('session 8', origins()))
    expect(codeOf(elsewhere.redeem(PAGE, message, signature, NOW_US))).toBe('INVALID_REQUEST')
  })
})

describe('the bodies of a sign-in', () => {
  const SIGNATURE = `0x${'1b'.repeat(65)}`

  it('OM-027 OM-028 OM-293 a challenge is asked for with an address, in lower case or with its checksum', () => {
    for (const address of [ADDRESS, WALLET.address]) expect(signInChallengeRequest({ address })).toEqual({ ok: { address: ADDRESS } })
    const wrong = WALLET.address.replace(/[a-f]/, (letter) => letter.toUpperCase())
    expect(wrong).not.toBe(WALLET.address)
    for (const address of [wrong, ADDRESS.slice(2), `${ADDRESS}0`, 7, null]) expect(violationsOf(signInChallengeRequest({ address }))).toEqual(['/address INVALID'])
    expect(violationsOf(signInChallengeRequest({}))).toEqual(['/address REQUIRED'])
  })

  it('OM-293 a session is asked for with the message and its signature', () => {
    expect(signInRequest({ message: 'm', signature: SIGNATURE })).toEqual({ ok: { message: 'm', signature: SIGNATURE } })
    expect(violationsOf(signInRequest({ signature: SIGNATURE.slice(4), address: ADDRESS }))).toEqual([
      '/message REQUIRED', '/signature INVALID', '/address UNEXPECTED',
    ])
    expect([2048, 2049].map((length) => violationsOf(signInRequest({ message: 'x'.repeat(length), signature: SIGNATURE })))).toEqual([[], ['/message INVALID']])
  })
})
