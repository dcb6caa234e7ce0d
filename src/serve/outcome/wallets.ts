import type { SplitKey } from '../../venue/wire/sessionDigests.ts'
import { addressOf, privateKeyOf } from '../../venue/outcome/wire/signing.ts'

/** The wallets of a session's accounts. An account's own wallet is the signer with the account's number. */
export class Wallets {
  private readonly addresses = new Map<number, `0x${string}`>()
  private readonly signers = new Map<`0x${string}`, number>()
  private declare readonly key: string

  /** @param clients accounts whose clients have their wallets' keys. Nobody signs with another's. */
  constructor(sessionKey: string | SplitKey, clients: Iterable<number>) {
    this.key = typeof sessionKey === 'string' ? sessionKey : sessionKey.secrets
    for (const account of clients) this.signers.set(this.address(account), account)
  }

  privateKey(signer: number): `0x${string}` {
    return privateKeyOf(this.key, signer)
  }

  /** In lower case. */
  address(signer: number): `0x${string}` {
    let address = this.addresses.get(signer)
    if (address === undefined) this.addresses.set(signer, address = addressOf(this.privateKey(signer)))
    return address
  }

  /** The signer with a lowercase address, among those who can sign. */
  signerOf(address: `0x${string}`): number | undefined {
    return this.signers.get(address)
  }
}
