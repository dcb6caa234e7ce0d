import { hashTypedData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { outcomeDescription } from '../../src/serve/outcome/description.ts'
import { outcomeRoutes } from '../../src/serve/outcome/routes.ts'
import { SCOPE_NAMES } from '../../src/venue/outcome/protocol/access.ts'
import { TYPES } from '../../src/venue/outcome/wire/eip712Types.ts'
import { type OpenApi, referencePage } from '../../src/report/referencePage.ts'
import { pageOf } from './texts.ts'

const { text } = pageOf('docs/signing.md')
const block = (command: string): string => text.split(`<!-- output: ${command} -->\n`)[1]!.split('```')[1]!.replace(/^[a-z]*\n/, '')
const LINES = block('node tools/docs/signedTypes.ts').trim().split('\n')

interface Example {
  readonly privateKey: Hex
  readonly address: Hex
  readonly domain: { readonly name: string; readonly version: string; readonly chainId: number; readonly verifyingContract: Hex }
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
  readonly digest: Hex
  readonly signature: Hex
}
const EXAMPLE = JSON.parse(block('node tools/docs/signedTypes.ts example')) as Example

/** Fields of each struct of an `encodeType` text. */
const structsOf = (line: string) => Object.fromEntries([...line.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name, fields]) =>
  [name!, fields!.split(',').map((field) => ({ type: field.split(' ')[0]!, name: field.split(' ')[1]! }))]))

const described = outcomeDescription() as unknown as OpenApi & { readonly 'x-signed': { readonly domain: object; readonly types: Record<string, string>; readonly example: Example } }

describe('the page of what clients sign', () => {
  it('OM-148 has every type that the service checks, field by field', () => {
    expect(Object.assign({}, ...LINES.map(structsOf))).toEqual(TYPES)
    expect(LINES.map((line) => line.split('(')[0])).toEqual(Object.keys(TYPES).filter((name) => name !== 'Leg'))
    for (const line of LINES) expect(line.endsWith(')Leg(string outcomeId,string side)')).toBe(line.includes('Leg[] legs'))
  })

  it('OM-148 has a digest and a signature that another library makes of its types and its message', async () => {
    const { privateKey, address, domain, primaryType, message, digest, signature } = EXAMPLE
    const types = structsOf(LINES.find((line) => line.startsWith(`${primaryType}(`))!)
    const typed = { domain, types, primaryType, message } as Parameters<typeof hashTypedData>[0]
    expect(hashTypedData(typed)).toBe(digest)
    const account = privateKeyToAccount(privateKey)
    expect(account.address.toLowerCase()).toBe(address)
    expect(await account.signTypedData(typed)).toBe(signature)
  })

  it('OM-148 says what /openapi.json and /reference say', () => {
    expect(Object.values(described['x-signed'].types)).toEqual(LINES)
    expect(described['x-signed'].example).toEqual(EXAMPLE)
    expect(described['x-signed'].domain).toMatchObject({ name: EXAMPLE.domain.name, version: EXAMPLE.domain.version, chainId: EXAMPLE.domain.chainId })
    const page = referencePage(described, { channels: {}, operations: {} })
    for (const part of [...LINES, EXAMPLE.digest, EXAMPLE.signature, 'vault of GET /v1/deployment']) expect(page).toContain(part)
    const { 'x-signed': _, ...unsigned } = described
    expect(referencePage(unsigned, { channels: {}, operations: {} })).not.toContain('What is signed')
  })

  it('OM-118 names the scopes of a key in the order in which they are signed', () => {
    expect([...text.matchAll(/^\| scopes \| .*$/gm)].flatMap(([row]) => [...row.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope))).toEqual(SCOPE_NAMES)
  })
})

/** Every text under `description` of what a value holds. */
const saidIn = (value: unknown): string[] => (typeof value !== 'object' || value === null ? [] : Object.entries(value).flatMap(([name, inside]) =>
  (name === 'signature' ? [String((inside as { description: string }).description)] : saidIn(inside))))

describe('a field in which a signature is asked for', () => {
  it.each([
    ['submitQuote', ['Quote', 'CashoutQuote']], ['acceptQuote', ['Acceptance', 'CashoutAcceptance']], ['confirmQuote', ['Confirmation', 'CashoutConfirmation']],
    ['withdraw', ['Withdrawal', 'ExitWithdrawal']], ['reduceCollateral', ['CollateralReduction']], ['issueKey', ['IssueKey']],
  ])('OM-148 of %s names its types in full', (route, types) => {
    const { path } = outcomeRoutes().find(({ name }) => name === route)!
    const said = saidIn(described.paths[path]!['post']!.requestBody)
    expect(said).toHaveLength(1)
    expect(LINES.filter((line) => said[0]!.includes(` ${line}`)).map((line) => line.split('(')[0])).toEqual(types)
    const row = text.split('\n').find((line) => line.startsWith(`| \`POST ${path}\``))!
    expect(row.split(' | ')[1]!.match(/[A-Z]\w+/g)).toEqual(types)
  })

  it('OM-293 of a sign-in says that no typed data is signed', () => {
    expect(saidIn(described.paths['/v1/auth/wallet-sessions']!['post']!.requestBody)[0]).toContain('EIP-191')
  })
})
