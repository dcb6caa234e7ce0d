import { Side } from '../../market/sides.ts'
import { Bug } from '../../unit/assert.ts'
import { MS_US, SECOND_US } from '../../unit/time.ts'
import { CHAIN_ID, SignedTerms, TermsKind } from '../../venue/outcome/protocol/terms.ts'
import { WireIdentity } from '../../venue/outcome/wire/identity.ts'
import { addressOf, sign } from '../../venue/outcome/wire/signing.ts'
import { DOMAIN_NAME, DOMAIN_VERSION, encodedType, type PrimaryType, TYPES } from '../../venue/outcome/wire/eip712Types.ts'
import { digestOf, domainOf, typedMessageOf } from '../../venue/outcome/wire/typedData.ts'

type Hex = `0x${string}`

/** What clients of the outcome service sign (OM-148), for a description of the service. */
export interface SignedTypes {
  /** EIP-712 domain of every signature of a session but for its vault. */
  readonly domain: { readonly name: string; readonly version: string; readonly chainId: number; readonly verifyingContract: string }
  /** Text of each type, as EIP-712 hashes it. */
  readonly types: Readonly<Record<PrimaryType, string>>
  readonly example: SignedExample
}

/** One quote of a session that nobody plays, signed by a private key that everybody knows. Whole numbers are decimal strings, as JSON has no large ones. */
export interface SignedExample {
  readonly privateKey: Hex
  readonly address: Hex
  readonly domain: object
  readonly primaryType: PrimaryType
  readonly message: object
  readonly digest: Hex
  readonly signature: Hex
}

const EXAMPLE_KEY: Hex = `0x${'0'.repeat(63)}1`
const EXAMPLE_CREATED_US = 1_750_378_980 * SECOND_US + 7 * MS_US

/** A quote of 99 USDC for a stake of 25 USDC, of which an entry fee of 20 bps is taken. */
function exampleTerms(): SignedTerms {
  const terms = Object.assign(new SignedTerms().reset(TermsKind.quote, 1), {
    rfq: 1, generation: 1, stakeMicros: 24_950_000, payoutMicros: 99_000_000, takerFeeBps: 20, feeBps: 100, expiryS: 1_750_379_010,
  })
  return terms.leg(7, Side.yes).leg(9, Side.no)
}

function exampleOf(terms: SignedTerms): SignedExample {
  const never = (): never => { throw new Bug('the example has one RFQ and nothing else') }
  const identity = new WireIdentity('example', { rfqCreatedAtUs: () => EXAMPLE_CREATED_US, operationStartedAtUs: never, acceptance: never })
  const { primaryType, message } = typedMessageOf(terms, identity, String)
  const digest = digestOf(terms, identity, String)
  const inJson = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]))
  return { privateKey: EXAMPLE_KEY, address: addressOf(EXAMPLE_KEY), domain: domainOf(identity), primaryType, message: inJson, digest, signature: sign(digest, EXAMPLE_KEY) }
}

export const signedTypes = (): SignedTypes => ({
  domain: { name: DOMAIN_NAME, version: DOMAIN_VERSION, chainId: CHAIN_ID, verifyingContract: 'vault of GET /v1/deployment' },
  types: Object.fromEntries(Object.keys(TYPES).filter((name) => name !== 'Leg').map((name) => [name, encodedType(name as PrimaryType)])) as Record<PrimaryType, string>,
  example: exampleOf(exampleTerms()),
})
