import { z } from 'zod'
import { addressOfInput } from '../../venue/outcome/wire/encoding.ts'
import { signatureOfText } from './fields.ts'
import { parsed } from './violations.ts'

/** Longest text of a sign-in that is looked at, characters. */
const MESSAGE_MAX = 2_048

/** Lowercase, or mixed case whose checksum is right (OM-027, OM-028); read as lowercase. */
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/).transform((text, context) => {
  const lower = addressOfInput(text)
  if (lower !== null) return lower
  context.issues.push({ code: 'custom', input: text })
  return z.NEVER
})

/** Body of `POST /v1/auth/wallet-challenges` (chosen): whose wallet signs in. */
export const SignInChallengeRequest = z.strictObject({ address })

/** Body of `POST /v1/auth/wallet-sessions` (chosen): the message of a challenge, and the wallet's signature of it. */
export const SignInRequest = z.strictObject({
  message: z.string().max(MESSAGE_MAX).meta({ description: 'The message of the challenge (EIP-4361), unchanged.' }),
  signature: signatureOfText,
})

export const signInChallengeRequest = (body: unknown) => parsed(SignInChallengeRequest, body)
export const signInRequest = (body: unknown) => parsed(SignInRequest, body)
