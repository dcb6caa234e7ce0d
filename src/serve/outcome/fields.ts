import { z } from 'zod'
import { SCOPE_NAMES } from '../../venue/outcome/protocol/access.ts'
import { limbsOfDecimal } from '../../venue/outcome/protocol/outcomeId.ts'
import { countOf, hexOf, integerOf, sideOf, SIDE_NAMES } from '../../venue/outcome/wire/encoding.ts'
import { UUID_V7 } from '../../venue/outcome/wire/identity.ts'
import { encodedType, type PrimaryType } from '../../venue/outcome/wire/eip712Types.ts'

const SIGNATURE_BYTES = 65
const ID_BYTES = 32

/** A value that `schema` shows and `parse` reads; what `parse` reads as null is none. */
const read = <I, T>(schema: z.ZodType<I>, parse: (value: I) => T | null) => schema.transform((value, context): T => {
  const result = parse(value)
  if (result !== null) return result
  context.issues.push({ code: 'custom', input: value })
  return z.NEVER
})

const DECIMAL = z.string().regex(/^(0|[1-9][0-9]*)$/)
const hexText = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`))

/** A number of atomic units of USDC as a decimal string (OM-022). */
export const amount = read(DECIMAL.meta({ description: 'Atomic units of USDC (6 decimals), a decimal string.', examples: ['25000000'] }), integerOf)
/** The cursor of a stream: a seq as a decimal string (OM-023). */
export const streamCursor = read(DECIMAL.meta({ description: 'Cursor of the last frame that was applied.', examples: ['1042'] }), integerOf)
/** Unix seconds of signed terms (OM-032). */
export const unixSeconds = read(z.int().min(0).meta({ description: 'Unix seconds.', examples: [1_750_379_010] }), countOf)
/** A generation of an RFQ. */
export const generation = read(z.int().min(1).meta({ description: 'Generation of the RFQ that is meant.' }), countOf)
/** Days of a key's life: how many there may be, the gate decides (OM-116). */
export const days = read(z.int().min(0), countOf)
/** An outcome_id as a decimal string of any size (OM-023, OM-024). */
export const outcomeId = read(DECIMAL.meta({ description: 'Outcome, a decimal string of any size.', examples: ['7'] }), (text) => (limbsOfDecimal(text) === null ? null : text))
/** A `Side` (OM-025, OM-026). */
export const side = read(z.enum(Object.values(SIDE_NAMES)), sideOf)
/** Signature of 65 bytes (OM-029). @param signed what is signed, in words. */
const signatureOver = (signed: string) =>
  read(hexText(SIGNATURE_BYTES).meta({ description: `r, s and v (27 or 28) of a secp256k1 signature of ${signed}` }), (text) => hexOf(text, SIGNATURE_BYTES))
/** Signature of the EIP-712 digest of a type, or of another one in the case that is named. */
export const signatureOf = (type: PrimaryType, other?: { readonly when: string; readonly type: PrimaryType }) =>
  signatureOver(`the EIP-712 digest of ${encodedType(type)}${other === undefined ? '' : `, ${other.when} of ${encodedType(other.type)}`}. Its domain has the chain and the vault of GET /v1/deployment.`)
/** Signature of a text as a wallet signs one. */
export const signatureOfText = signatureOver('the message, as personal_sign makes it (EIP-191).')
/** The bit number of a scope. */
export const scope = read(z.enum(SCOPE_NAMES), (name) => SCOPE_NAMES.indexOf(name))

/** Ids of paths and bodies, as they are written. */
export const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
export const uuidV7 = z.string().regex(UUID_V7)
export const bytes32 = hexText(ID_BYTES)
