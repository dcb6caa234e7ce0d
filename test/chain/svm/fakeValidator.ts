import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PublicKey } from '@solana/web3.js'
import { LiteValidator } from '../../../src/chain/svm/liteValidator.ts'
import { sponsorAccount } from '../../../src/chain/svm/vaultSite.ts'

/**
 * A `solana-test-validator` for machines without one: its arguments and files, and LiteSVM behind its port. As a program it is run by
 * what `putValidator` makes. FAKE_GENESIS_HASH says which network it is; with FAKE_SILENCE
 * it answers that it is healthy and nothing else, and puts a file `asked` beside its ledger.
 */
function serve(argv: readonly string[]): void {
  const after = (name: string): number => argv.indexOf(name) + 1
  const valueOf = (name: string): string => argv[after(name)]!
  const validator = new LiteValidator()
  for (const name of readdirSync(valueOf('--account-dir'))) {
    const { pubkey, account } = JSON.parse(readFileSync(join(valueOf('--account-dir'), name), 'utf8')) as {
      pubkey: string, account: { lamports: number, data: [string, 'base64'], owner: string },
    }
    validator.setAccount(new PublicKey(pubkey), {
      lamports: BigInt(account.lamports), data: Buffer.from(...account.data), owner: new PublicKey(account.owner),
    })
  }
  validator.setAccount(new PublicKey(valueOf('--mint')), sponsorAccount(5n * 10n ** 17n))
  validator.addProgram(new PublicKey(valueOf('--bpf-program')), readFileSync(argv[after('--bpf-program') + 1]!))
  // As a ledger does, so that somebody has to remove it.
  mkdirSync(valueOf('--ledger'))
  writeFileSync(join(valueOf('--ledger'), 'rocksdb'), '')
  createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { id, method } = JSON.parse(body) as { id: unknown, method: string }
    if (process.env['FAKE_SILENCE'] !== undefined && method !== 'getHealth') return writeFileSync(join(dirname(valueOf('--ledger')), 'asked'), '')
    const known = method === 'getHealth' ? 'ok' : method === 'getGenesisHash' ? process.env['FAKE_GENESIS_HASH'] : undefined
    response.end(known === undefined ? validator.answer(body) : JSON.stringify({ jsonrpc: '2.0', id, result: known }))
  }).listen(Number(valueOf('--rpc-port')), '127.0.0.1')
}

/** Puts an executable of that name into a new folder, a script for sh; the result is a PATH on which it comes first. */
export function putExecutable(folder: string, name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return `${folder}${delimiter}${process.env['PATH'] ?? ''}`
}

/** Puts such a validator into a folder; the result is a PATH on which it comes first. */
export const putValidator = (folder: string): string =>
  putExecutable(folder, 'solana-test-validator', `exec "${process.execPath}" "${fileURLToPath(import.meta.url)}" "$@"`)

if (process.argv[1] === fileURLToPath(import.meta.url)) serve(process.argv.slice(2))
