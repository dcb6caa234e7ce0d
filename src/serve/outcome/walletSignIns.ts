import { OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { timestampText } from '../../venue/outcome/wire/encoding.ts'
import type { WireIdentity } from '../../venue/outcome/wire/identity.ts'
import { proveSignIn, SIGN_IN_LIFE_US, signInMessage, type SignInProof } from '../../venue/outcome/wire/walletSignIn.ts'

/** Answer to a request for a sign-in's message (chosen). */
export interface SignInChallengeBody {
  readonly message: string
  readonly expires_at: string
}

/**
 * Sign-ins with a wallet: a message, and once a session for it. Only messages that were signed are remembered, and those until they are
 * over, so that callers without a wallet of the session leave nothing behind.
 */
export class WalletSignIns {
  private declare readonly identity: WireIdentity
  /** Messages that led to a session, each with the instant at which it is over, in the order of their use. */
  private readonly used = new Map<string, number>()

  constructor(identity: WireIdentity) {
    this.identity = identity
  }

  /** The message for a wallet and the page that it is on. */
  challenge(address: `0x${string}`, origin: string, nowUs: number): SignInChallengeBody {
    return {
      message: signInMessage(this.identity, { address, origin, issuedAtUs: nowUs }),
      expires_at: timestampText(nowUs + SIGN_IN_LIFE_US),
    }
  }

  /** Takes a message and its signature, once (`stateConflict` after that); `proveSignIn` names the other refusals. */
  redeem(origin: string, message: string, signature: string, nowUs: number): SignInProof {
    const proof = proveSignIn(this.identity, origin, message, signature, nowUs)
    if (!('ok' in proof)) return proof
    this.forget(nowUs)
    if (this.used.has(message)) return { code: OutcomeCode.stateConflict }
    this.used.set(message, proof.ok.issuedAtUs + SIGN_IN_LIFE_US)
    return proof
  }

  /** A message that was taken led to no session: it can be used again. */
  giveBack(message: string): void {
    this.used.delete(message)
  }

  /** Messages that are over are refused for that, whether they were used or not. */
  private forget(nowUs: number): void {
    for (const [message, endUs] of this.used) if (nowUs >= endUs) this.used.delete(message)
  }
}
