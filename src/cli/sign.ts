import type { Command } from 'commander'
import { common, type CommonOptions, print, printJson } from './common.ts'

interface SignOptions extends CommonOptions {
  readonly key: string
}

export function addSign(program: Command): void {
  const command = program.command('sign').argument('<run>', 'folder of a run')
    .summary('sign the manifest of a run')
    .description('Sign the manifest of a run, which has the hash of each of its files. The signature goes into manifest.signatures.json beside it, where several keys may sign. parlor verify --key checks it.')
    .requiredOption('--key <pem>', 'private Ed25519 key (PKCS #8), as openssl genpkey -algorithm ed25519 makes it')
  common(command, 'parlor sign runs/quickstart --key key.pem').action(async (dir: string, options: SignOptions) => { await sign(dir, options) })
}

async function sign(dir: string, { key: path, json }: SignOptions): Promise<void> {
  const actions = await import('../actions/sign.ts')
  const { key } = await actions.sign(dir, path)
  if (json === true) return printJson({ run: dir, key })
  print(`${dir}: signed by key ${key}`)
}
