import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { signRun } from '../../src/proof/sign.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { writeReport } from '../../src/report/folderReport.ts'
import { readPrivateKey, readPublicKey, type Signature, signaturesOf } from '../../src/result/signatures.ts'
import { parlorHere } from '../cli/parlor.ts'
import { put } from '../scenario/small.ts'
import { editManifest, editText, provedRuns } from './provedRun.ts'

const { folder, run, copy } = provedRuns()
const SIGNATURES = 'manifest.signatures.json'

/** A new key in two PEM files. */
function newKey(name: string): { readonly pem: string; readonly publicPem: string; readonly id: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = put(folder, `${name}.pem`, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
  const publicPem = put(folder, `${name}.public.pem`, publicKey.export({ type: 'spki', format: 'pem' }) as string)
  return { pem, publicPem, id: readPublicKey(publicPem).id }
}

const ours = newKey('ours')
const theirs = newKey('theirs')
const sign = async (dir: string, ...keys: readonly { readonly pem: string }[]): Promise<void> => {
  for (const { pem } of keys) await signRun(dir, readPrivateKey(pem))
}
/** The verdict, and what is said of signatures. */
async function said(dir: string, ...keys: readonly { readonly publicPem: string }[]): Promise<string[]> {
  const { verdict, checks } = await verifyRun(dir, { keys: keys.map(({ publicPem }) => publicPem) })
  return [verdict, ...checks.filter(({ name }) => name.startsWith('signed') || name === 'signatures').map(({ name, state, about }) => `${name} ${state}: ${about}`)]
}

beforeAll(() => run('run'))

describe('a signature of a run', () => {
  it('is good by the key that is given, and unchecked without one', async () => {
    const dir = copy('run')
    await sign(dir, ours)
    expect(await said(dir, ours)).toEqual(['proven', `signed by ${ours.id.slice(0, 16)} same: the manifest, as it is`])
    expect(await said(dir)).toEqual(['proven', expect.stringMatching(`^signed by ${ours.id.slice(0, 16)} same: not checked: `)])
  })

  it('of another key is none by the key that is given', async () => {
    const dir = copy('run')
    expect(await said(dir, ours)).toEqual(['differs', `signed by ${ours.id.slice(0, 16)} differs: not signed by ${ours.publicPem}: the manifest is signed by nobody`])
    await sign(dir, theirs)
    expect(await said(dir, ours)).toEqual(['differs', expect.stringMatching(/ same: not checked: /), expect.stringContaining(`the manifest is signed by key ${theirs.id.slice(0, 16)}`)])
  })

  it('is bad when the manifest was edited since, in a byte that says nothing', async () => {
    const dir = copy('run')
    await sign(dir, ours)
    writeFileSync(join(dir, 'manifest.json'), `${readFileSync(join(dir, 'manifest.json'), 'utf8')} `)
    expect(await said(dir, ours)).toEqual(['differs', `signed by ${ours.id.slice(0, 16)} differs: another manifest than this one`])
  })

  it('is bad under the name of another key', async () => {
    const dir = copy('run')
    await sign(dir, theirs)
    editText(dir, SIGNATURES, new RegExp(theirs.id), ours.id)
    expect(await said(dir, ours)).toEqual(['differs', expect.stringContaining('differs: another manifest than this one')])
  })

  it('stands beside those of other keys, once for each', async () => {
    const dir = copy('run')
    await sign(dir, ours, theirs, ours)
    expect(signaturesOf(dir).map(({ key }) => key)).toEqual([theirs.id, ours.id])
    expect((await said(dir, ours, theirs)).slice(1)).toEqual([expect.stringMatching(/ same: the manifest, as it is$/), expect.stringMatching(/ same: the manifest, as it is$/)])
  })

  it('is told to be damaged where its file is none', async () => {
    const dir = copy('run')
    writeFileSync(join(dir, SIGNATURES), '{"version":1,"signatures":[{}]}')
    expect(await said(dir)).toEqual(['differs', expect.stringMatching(/^signatures differs: .*is no file of signatures/)])
  })

  it.skipIf(process.platform === 'win32').each<[string, (path: string) => void]>([
    ['pipe', (path) => { execFileSync('mkfifo', [path]) }],
    ['device', (path) => { symlinkSync('/dev/zero', path) }],
  ])('is not waited for where a %s is in its place', async (_, make) => {
    const dir = copy('run')
    make(join(dir, SIGNATURES))
    expect(await said(dir)).toEqual(['differs', expect.stringMatching(/^signatures differs: .*is no plain file/)])
  })

  it('goes when the manifest changes, and stays while it does not', async () => {
    const dir = copy('run')
    await sign(dir, ours)
    await writeReport(dir)
    expect((await said(dir, ours))[0]).toBe('proven')
    await writeReport(dir, { requests: [1] })
    expect(existsSync(join(dir, SIGNATURES))).toBe(false)
    expect((await verifyRun(dir)).verdict).toBe('proven')
  })

  it('is not given to a run whose files differ', async () => {
    const dir = copy('run')
    editText(dir, 'summary.json', /"seed": "1"/, '"seed": "7"')
    await expect(sign(dir, ours)).rejects.toThrow(/summary\.json: SHA-256 .* the file was changed/)
    expect(existsSync(join(dir, SIGNATURES))).toBe(false)
  })
})

describe('a key', () => {
  it('has the SHA-256 of its public key as DER for its id', () => {
    // RFC 8032, section 7.1, test 1, in the frames of RFC 8410.
    const secret = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
    const open = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
    const pem = (what: string, hex: string): string => `-----BEGIN ${what}-----\n${Buffer.from(hex, 'hex').toString('base64')}\n-----END ${what}-----\n`
    const id = createHash('sha256').update(Buffer.from(`302a300506032b6570032100${open}`, 'hex')).digest('hex')
    expect(readPrivateKey(put(folder, 'rfc.pem', pem('PRIVATE KEY', `302e020100300506032b657004220420${secret}`))).id).toBe(id)
    expect(readPublicKey(put(folder, 'rfc.public.pem', pem('PUBLIC KEY', `302a300506032b6570032100${open}`))).id).toBe(id)
  })

  it.each([
    ['that is not there', () => join(folder, 'none.pem'), 'there is no such key'],
    ['that is no PEM', () => put(folder, 'text.pem', 'secret'), 'is no key in PEM'],
    ['of RSA', () => put(folder, 'rsa.pem', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string), 'is a key of rsa, expected ed25519'],
    ['that is encrypted', () => put(folder, 'locked.pem', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }) as string), 'the key is encrypted'],
  ])('%s is refused by name', (_, path, message) => {
    expect(() => readPrivateKey(path())).toThrow(message)
  })
})

describe('parlor run --sign, sign and verify --key', () => {
  it('sign, add a signature, and check both', async () => {
    expect(await parlorHere(folder, 'run', 'small.yaml', '--out', 'signed', '--sign', ours.pem, '--quiet', '--no-report')).toMatchObject({ code: 0, out: expect.stringContaining(`signed by key ${ours.id}\n`) })
    expect(await parlorHere(folder, 'sign', 'signed', '--key', theirs.pem)).toMatchObject({ code: 0, out: `signed: signed by key ${theirs.id}\n` })
    expect(await parlorHere(folder, 'verify', 'signed', '--key', ours.publicPem, '--key', theirs.publicPem, '--quiet')).toMatchObject({ code: 0 })
    expect(await parlorHere(folder, 'verify', 'signed', '--key', newKey('third').publicPem, '--quiet')).toMatchObject({ code: 1, out: expect.stringMatching(/DIFFERS +signed by \w{16} +not signed by /) })
    expect(await parlorHere(folder, 'verify', 'signed', '--key', 'small.yaml', '--quiet')).toMatchObject({ code: 2, err: expect.stringContaining('is no key in PEM') })
  })

  it('play nothing with a key that is none', async () => {
    expect(await parlorHere(folder, 'run', 'small.yaml', '--out', 'never', '--sign', 'small.yaml', '--quiet')).toMatchObject({ code: 2, err: expect.stringContaining('is no key in PEM') })
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })

  it('leave no signature of the run before beside a run that replaces it', async () => {
    await parlorHere(folder, 'run', 'small.yaml', '--out', 'again', '--sign', ours.pem, '--quiet', '--no-report')
    await parlorHere(folder, 'run', 'small.yaml', '--out', 'again', '--force', '--seed', '2', '--quiet', '--no-report')
    expect(existsSync(join(folder, 'again', SIGNATURES))).toBe(false)
    editManifest(join(folder, 'again'), ({ counts }) => { counts.arrivals = 0 })
    expect(await parlorHere(folder, 'verify', 'again', '--quiet')).toMatchObject({ code: 1 })
  })
})

it('a signature is as its file says', async () => {
  const dir = copy('run')
  await sign(dir, ours)
  const { version, signatures } = JSON.parse(readFileSync(join(dir, SIGNATURES), 'utf8')) as { readonly version: number; readonly signatures: readonly Signature[] }
  expect([version, signatures.map(({ key, algorithm, signature }) => [key, algorithm, Buffer.from(signature, 'base64').length])]).toEqual([1, [[ours.id, 'ed25519', 64]]])
})
