import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import { beforeEach, expect, it } from 'vitest'
import { LiteConnection } from '../../../src/chain/svm/liteConnection.ts'
import { LiteValidator } from '../../../src/chain/svm/liteValidator.ts'

const rich = Keypair.fromSeed(Buffer.alloc(32, 1))
const to = Keypair.fromSeed(Buffer.alloc(32, 3)).publicKey
const owner = Keypair.fromSeed(Buffer.alloc(32, 4)).publicKey
/** Rent of an account without data, lamports: (128 + 0) bytes · 6,960. */
const RENT = 890_880
const FUNDS = 1_000_000_000

let validator: LiteValidator
/** What web3.js makes of the same validator's JSON. */
let throughJson: Connection
let straight: LiteConnection

beforeEach(() => {
  validator = new LiteValidator()
  throughJson = new Connection('http://in.process', { fetch: validator.fetch })
  straight = new LiteConnection(validator)
  validator.setAccount(rich.publicKey, { lamports: BigInt(FUNDS), data: new Uint8Array(), owner: SystemProgram.programId })
})

async function transfer(lamports: number): Promise<Buffer> {
  const transaction = new Transaction({ feePayer: rich.publicKey, ...await straight.getLatestBlockhash() })
  transaction.add(SystemProgram.transfer({ fromPubkey: rich.publicKey, toPubkey: to, lamports })).sign(rich)
  return transaction.serialize()
}

it('reads accounts as web3.js reads them, those that are not there too', async () => {
  validator.setAccount(to, { lamports: 5_000_000n, data: Uint8Array.from([1, 2, 250]), owner })
  const keys = [to, owner, rich.publicKey]
  const accounts = await straight.getMultipleAccountsInfo(keys)
  expect(accounts.map((account) => account === null ? null : [account.lamports, [...account.data], account.owner.toBase58(), account.executable])).toEqual([
    [5_000_000, [1, 2, 250], owner.toBase58(), false], null, [FUNDS, [], SystemProgram.programId.toBase58(), false],
  ])
  const others = await throughJson.getMultipleAccountsInfo(keys)
  expect(others.map((other, i) => other?.data.equals(accounts[i]!.data) ?? accounts[i])).toEqual([true, null, true])
  expect(others.map((other) => other?.lamports)).toEqual(accounts.map((account) => account?.lamports))
})

it('tells what became of transactions as web3.js tells it', async () => {
  const ids = [await straight.sendRawTransaction(await transfer(RENT)), await straight.sendRawTransaction(await transfer(2 * FUNDS)), Keypair.generate().publicKey.toBase58()]
  const { value } = await straight.getSignatureStatuses(ids)
  expect(value.map((status) => status?.err)).toEqual([null, { InstructionError: [0, { Custom: 1 }] }, undefined])
  expect(await throughJson.getSignatureStatuses(ids)).toEqual(await straight.getSignatureStatuses(ids))
})

it('sends the bytes that web3.js sends', async () => {
  const bytes = await transfer(RENT)
  const id = await straight.sendRawTransaction(bytes)
  expect(await throughJson.sendRawTransaction(bytes, { skipPreflight: true })).toBe(id)
  expect(await straight.getBalance(to)).toBe(RENT)
})

it('gives out blockhashes that are good for 60 seconds', async () => {
  const { blockhash, lastValidBlockHeight } = await straight.getLatestBlockhash()
  expect(await throughJson.getLatestBlockhash()).toEqual({ blockhash: expect.not.stringMatching(blockhash) as string, lastValidBlockHeight: lastValidBlockHeight + 1 })
  validator.setClock(59)
  expect((await straight.isBlockhashValid(blockhash)).value).toBe(true)
  expect(await throughJson.isBlockhashValid(blockhash)).toEqual(await straight.isBlockhashValid(blockhash))
  validator.setClock(60)
  expect((await straight.isBlockhashValid(blockhash)).value).toBe(false)
})
