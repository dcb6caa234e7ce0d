import { type AccountInfo, type BlockhashWithExpiryBlockHeight, Connection, PublicKey, type RpcResponseAndContext, type SignatureStatus } from '@solana/web3.js'
import type { LiteValidator } from './liteValidator.ts'

/**
 * web3.js's connection to the VM inside the process. What a session asks for all the time goes to the VM as it is. Through JSON and the checks of
 * web3.js it took a third of the time of the adapter. All else is answered as by any validator.
 */
export class LiteConnection extends Connection {
  private readonly validator: LiteValidator

  constructor(validator: LiteValidator) {
    // Nothing is sent there: the validator answers instead.
    super('http://in.process', { fetch: validator.fetch, commitment: 'finalized' })
    this.validator = validator
  }

  override async getMultipleAccountsInfo(keys: PublicKey[]): Promise<(AccountInfo<Buffer> | null)[]> {
    return keys.map((key) => this.accountAt(key))
  }

  override async getSignatureStatuses(ids: string[]): Promise<RpcResponseAndContext<(SignatureStatus | null)[]>> {
    return this.told(ids.map((id) => this.validator.statusOf(id) as SignatureStatus | null))
  }

  override async sendRawTransaction(bytes: Buffer | Uint8Array | number[]): Promise<string> {
    return this.validator.send(Buffer.from(bytes))
  }

  override async getLatestBlockhash(): Promise<BlockhashWithExpiryBlockHeight> {
    return this.validator.newBlockhash()
  }

  override async isBlockhashValid(blockhash: string): Promise<RpcResponseAndContext<boolean>> {
    return this.told(this.validator.isGood(blockhash))
  }

  private told<Value>(value: Value): RpcResponseAndContext<Value> {
    return { context: { slot: this.validator.slot }, value }
  }

  private accountAt(key: PublicKey): AccountInfo<Buffer> | null {
    const account = this.validator.accountAt(key.toBuffer())
    if (account === null) return null
    return {
      data: Buffer.from(account.data()), executable: account.executable(), lamports: Number(account.lamports()), owner: new PublicKey(account.owner()), rentEpoch: 0,
    }
  }
}
