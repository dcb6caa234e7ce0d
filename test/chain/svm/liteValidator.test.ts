import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { LiteValidator } from '../../../src/chain/svm/liteValidator.ts'

const rich = Keypair.fromSeed(Buffer.alloc(32, 1))
const poor = Keypair.fromSeed(Buffer.alloc(32, 2))
const to = Keypair.fromSeed(Buffer.alloc(32, 3)).publicKey
/** Rent of an account without data: (128 + 0) bytes · 6,960 lamports. */
const RENT = 890_880
const FEE = 5_000
const FUNDS = 1_000_000_000

let validator: LiteValidator
let connection: Connection

beforeEach(() => {
  validator = new LiteValidator()
  connection = new Connection('http://in.process', { fetch: validator.fetch })
  validator.setAccount(rich.publicKey, { lamports: BigInt(FUNDS), data: new Uint8Array(), owner: SystemProgram.programId })
})

async function transfer(lamports: number, from = rich): Promise<Buffer> {
  const transaction = new Transaction({ feePayer: from.publicKey, ...await connection.getLatestBlockhash() })
  transaction.add(SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports })).sign(from)
  return transaction.serialize()
}

const send = (bytes: Buffer) => connection.sendRawTransaction(bytes, { skipPreflight: true })
const statusOf = async (id: string) => (await connection.getSignatureStatuses([id])).value[0]

describe('a validator in the process', () => {
  it('lands a transaction at once, and charges its fee', async () => {
    const id = await send(await transfer(RENT))
    expect(await statusOf(id)).toMatchObject({ err: null, confirmationStatus: 'finalized' })
    expect(await connection.getBalance(to)).toBe(RENT)
    expect(await connection.getBalance(rich.publicKey)).toBe(FUNDS - RENT - FEE)
  })

  it('has the same effect once when the same bytes come again', async () => {
    const bytes = await transfer(RENT)
    const id = await send(bytes)
    expect(await send(bytes)).toBe(id)
    expect(await connection.getBalance(to)).toBe(RENT)
  })

  it('takes the same transfer signed anew as another one', async () => {
    await send(await transfer(RENT))
    await send(await transfer(RENT))
    expect(await connection.getBalance(to)).toBe(2 * RENT)
  })

  it('keeps a refused transaction with the place and number of its error, fee paid', async () => {
    const id = await send(await transfer(2 * FUNDS))
    // The System program's own error 1: the funds do not reach.
    expect(await statusOf(id)).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] } })
    expect(await connection.getBalance(rich.publicKey)).toBe(FUNDS - FEE)
  })

  it('knows nothing of a transaction whose payer has no lamports, which lands when it has some', async () => {
    const bytes = await transfer(RENT, poor)
    const id = await send(bytes)
    expect(await statusOf(id)).toBeNull()
    validator.setAccount(poor.publicKey, { lamports: BigInt(FUNDS), data: new Uint8Array(), owner: SystemProgram.programId })
    await send(bytes)
    expect(await statusOf(id)).toMatchObject({ err: null })
  })

  it('refuses a signature that is not the payer’s', async () => {
    const bytes = await transfer(RENT)
    bytes.writeUInt8(bytes.readUInt8(5) ^ 1, 5)
    expect(await statusOf(await send(bytes))).toBeNull()
    expect(await connection.getBalance(to)).toBe(0)
  })

  it('lets a blockhash be good for a minute of its clock', async () => {
    validator.setClock(1_000)
    const [first, second] = [await transfer(RENT), await transfer(RENT + 1)]
    const { blockhash } = await connection.getLatestBlockhash()
    validator.setClock(1_059)
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true)
    await send(first)
    validator.setClock(1_060)
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(false)
    expect(await statusOf(await send(second))).toBeNull()
    expect(await connection.getBalance(to)).toBe(RENT)
  })

  it('drops what it is told to drop', async () => {
    const bytes = await transfer(RENT)
    validator.drop(true)
    expect(await statusOf(await send(bytes))).toBeNull()
    validator.drop(false)
    expect(await statusOf(await send(bytes))).toMatchObject({ err: null })
  })

  it('brings accounts, what landed and the clock back to a checkpoint', async () => {
    validator.setClock(1_000)
    const early = await transfer(RENT)
    const undo = validator.checkpoint()
    await send(early)
    const id = await send(await transfer(RENT))
    validator.setClock(2_000)
    undo()
    expect(await statusOf(id)).toBeNull()
    expect(await connection.getAccountInfo(to)).toBeNull()
    expect(await connection.getBalance(rich.publicKey)).toBe(FUNDS)
    validator.setClock(1_001)
    await send(early)
    expect(await connection.getBalance(to)).toBe(RENT)
    expect(undo).toThrow('brought back once')
  })

  it('has one checkpoint, the last', async () => {
    const undone = validator.checkpoint()
    await send(await transfer(RENT))
    const undo = validator.checkpoint()
    expect(validator.size.before).toBe(0)
    await send(await transfer(RENT))
    expect(undone).toThrow('no earlier one than the last')
    undo()
    expect(await connection.getBalance(to)).toBe(RENT)
  })

  it('forgets what cannot come again, and nothing that a checkpoint would make good again', async () => {
    validator.setClock(1_000)
    const bytes = await transfer(RENT)
    await send(bytes)
    const undo = validator.checkpoint()
    for (let atS = 8_200; atS <= 8_200 * 20; atS += 8_200) {
      validator.setClock(atS)
      await send(await transfer(RENT))
    }
    // The first, which the checkpoint has, and the last.
    expect(validator.size.landed).toBe(2)
    undo()
    expect(validator.size).toEqual({ landed: 1, before: 0 })
    await send(bytes)
    expect(await connection.getBalance(to)).toBe(RENT)
    validator.setClock(8_199)
    expect(validator.size.landed).toBe(1)
    validator.setClock(8_200)
    expect(validator.size.landed).toBe(0)
  })

  it('never gives out the blockhash of an undone block again', async () => {
    const undo = validator.checkpoint()
    const { blockhash } = await connection.getLatestBlockhash()
    undo()
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(false)
    expect((await connection.getLatestBlockhash()).blockhash).not.toBe(blockhash)
  })

  it('answers methods and values that it does not know with an error', () => {
    const answer = (method: string, params: unknown[]) => JSON.parse(validator.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))
    expect(answer('getBlock', [1]).error.code).toBe(-32601)
    expect(answer('toString', []).error.code).toBe(-32601)
    expect(answer('getBalance', ['no key']).error.message).toBe('no key is no key')
    expect(answer('sendTransaction', ['AAAA']).error.code).toBe(-32602)
  })
})
