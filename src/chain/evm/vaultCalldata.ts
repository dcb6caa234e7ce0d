import { encodeFunctionData, type Hex, prepareEncodeFunctionData } from 'viem'
import { assert } from '../../unit/assert.ts'
import type { SignedTerms } from '../../venue/outcome/protocol/terms.ts'
import { type OutcomeIdOf, typedMessageOf } from '../../venue/outcome/wire/typedData.ts'
import type { DepositCall, OpenCall, SettleCall, SignedTrade, VaultCall, WithdrawCall } from '../vaultCall.ts'
import { VAULT, VaultOutcome } from './abi.ts'
import type { EvmKeys, EvmSigner } from './signer.ts'
import {
  authorizationHashOf, depositHashOf, digestOfStruct, quoteSignerHashOf, registrationHashOf, separatorOf, structHashOf, vaultDomainOf,
  type VaultTerms, vaultTermsOf,
} from './terms.ts'
import type { Deployment, VaultIds } from './vaultIds.ts'

/** A deposit's authorization has no end: the deposit happens once, and the vault alone can use it. */
const NO_END = 2n ** 64n - 1n

const prepare = (functionName: string) => prepareEncodeFunctionData({ abi: VAULT.abi, functionName })

/** Functions of the vault, each with what encodes its calls: looked up and hashed once. */
const prepared = new Map<string, ReturnType<typeof prepare>>()

/** Data of a call of a function of the vault. */
export function callData(functionName: string, args: readonly unknown[]): Hex {
  let known = prepared.get(functionName)
  if (known === undefined) prepared.set(functionName, known = prepare(functionName))
  return encodeFunctionData({ ...known, args } as Parameters<typeof encodeFunctionData>[0])
}

interface Signed {
  readonly terms: VaultTerms
  readonly digest: Hex
  readonly signature: Hex
}

/** Makes data of the vault's functions out of calls, with the signatures that they need. */
export class VaultCalldata {
  private readonly keys: EvmKeys
  private readonly ids: VaultIds
  private readonly outcomeIdOf: OutcomeIdOf
  private readonly deployment: Deployment
  private readonly separator: Hex

  constructor(keys: EvmKeys, ids: VaultIds, outcomeIdOf: OutcomeIdOf, deployment: Deployment) {
    this.keys = keys
    this.ids = ids
    this.outcomeIdOf = outcomeIdOf
    this.deployment = deployment
    this.separator = separatorOf(vaultDomainOf(deployment.vault))
  }

  /** The data of any call but `settle`, of which many go into one. */
  of(call: Exclude<VaultCall, SettleCall>): Hex {
    const { ids } = this
    switch (call.kind) {
      case 'deposit': return this.deposit(call)
      case 'withdraw': return this.withdrawal(call)
      case 'open': return this.fill(call)
      case 'buyback':
      case 'transfer': return callData('cashout', [this.trade(call.signed)])
      case 'reduce': {
        const { terms, signature } = this.signed(call.signed, this.keys.signer(call.account))
        return callData('reduce', [ids.reduction(call.reduction), terms, signature])
      }
      case 'release': return callData('release', [ids.reduction(call.reduction)])
    }
  }

  settlements(calls: readonly SettleCall[]): Hex {
    return callData('settleMany', [calls.map(({ position }) => this.ids.position(position)), calls.map(({ outcome }) => VaultOutcome[outcome])])
  }

  registration(account: number, quoteSigner: number): Hex {
    const id = this.ids.account(account)
    const wallet = this.keys.signer(account)
    const { address } = this.keys.signer(quoteSigner)
    const signature = wallet.sign(this.digest(registrationHashOf(id, wallet.address, address)))
    return callData('register', [id, wallet.address, address, signature])
  }

  /** @param changes how often the account's quote signer has changed before. */
  quoteSignerChange(account: number, quoteSigner: number, sinceS: number, changes: number): Hex {
    const id = this.ids.account(account)
    const { address } = this.keys.signer(quoteSigner)
    const signature = this.keys.signer(account).sign(this.digest(quoteSignerHashOf(id, address, BigInt(sinceS), BigInt(changes))))
    return callData('setQuoteSigner', [id, address, BigInt(sinceS), signature])
  }

  private deposit({ account, amountMicros, seq }: DepositCall): Hex {
    const [id, depositId, amount] = [this.ids.account(account), this.ids.deposit(seq), BigInt(amountMicros)]
    const signature = this.authorization(account, amount, NO_END, this.digest(depositHashOf(id, depositId)))
    return callData('depositWithAuthorization', [id, amount, depositId, NO_END, signature])
  }

  private withdrawal({ account, signed }: WithdrawCall): Hex {
    assert(signed !== null, 'a withdrawal of the outcome service is signed')
    const { terms, signature } = this.signed(signed, this.keys.signer(account))
    return callData('exitExpiry' in terms ? 'withdrawExit' : 'withdraw', [terms, signature])
  }

  private fill({ position, coreMicros, signed }: OpenCall): Hex {
    const trade = this.trade(signed)
    const core = BigInt(coreMicros)
    const coreSignature = coreMicros === 0
      ? '0x' : this.authorization(signed!.takerSigner, core, trade.acceptance['validBefore'] as bigint, trade.acceptanceDigest)
    return callData('fill', [{ positionId: this.ids.position(position), ...trade, coreSignature }])
  }

  private trade(signed: SignedTrade | null) {
    assert(signed !== null, 'a trade of the outcome service is signed')
    const maker = this.keys.signer(signed.quoteSigner)
    const quote = this.signed(signed.quote, maker)
    const acceptance = this.signed(signed.acceptance, this.keys.signer(signed.takerSigner))
    const confirmation = this.signed(signed.confirmation, maker)
    return {
      acceptedAt: BigInt(signed.acceptedAtS), quote: quote.terms, acceptance: acceptance.terms, confirmation: confirmation.terms,
      quoteSignature: quote.signature, acceptanceSignature: acceptance.signature, confirmationSignature: confirmation.signature,
      acceptanceDigest: acceptance.digest,
    }
  }

  private signed(signedTerms: SignedTerms, signer: EvmSigner): Signed {
    const message = typedMessageOf(signedTerms, this.ids.identity, this.outcomeIdOf)
    const terms = vaultTermsOf(message)
    const digest = this.digest(structHashOf(message.primaryType, terms))
    return { terms, digest, signature: signer.sign(digest) }
  }

  /** EIP-3009: the wallet lets the vault take the amount, once for a nonce. */
  private authorization(account: number, amount: bigint, validBefore: bigint, nonce: Hex): Hex {
    const wallet = this.keys.signer(account)
    const { vault, usdcSeparator } = this.deployment
    return wallet.sign(digestOfStruct(usdcSeparator, authorizationHashOf(wallet.address, vault, amount, validBefore, nonce)))
  }

  private digest(structHash: Hex): Hex {
    return digestOfStruct(this.separator, structHash)
  }
}
