import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, createServer as createPort } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { S3Store, type S3Times } from '../../src/fleet/s3Store.ts'
import { storeAt } from '../../src/fleet/storeAt.ts'
import { parlorHere } from '../cli/parlor.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { describeStore, keysOf } from './storeSuite.ts'

/** The python that has moto, which plays S3 here (docs/testing.md). */
const python = process.env['PARLOR_MOTO']
if (python === undefined) process.stderr.write('SKIPPED: no store lies in S3, PARLOR_MOTO names no python with moto\n')

const listening = (server: Server | ReturnType<typeof createPort>): Promise<number> => new Promise((done) => { server.listen(0, '127.0.0.1', () => { done((server.address() as AddressInfo).port) }) })

async function freePort(): Promise<number> {
  const server = createPort()
  const port = await listening(server)
  await new Promise((done) => { server.close(done) })
  return port
}

/** What becomes of an answer: it is told, it is cut off or stands still in its middle, or the endpoint is busy. */
type Fate = 'told' | 'cut' | 'still' | 'busy'

/** A proxy before the endpoint, which hands on what `change` leaves of a request. */
async function before(endpoint: string, change: (asked: IncomingMessage) => Fate | void): Promise<string> {
  const proxy = createServer((asked, answer) => {
    const fate = change(asked) ?? 'told'
    if (fate === 'busy') {
      asked.resume()
      answer.writeHead(503).end()
      return
    }
    const onward = request(endpoint + asked.url!, { method: asked.method, headers: asked.headers }, async (told) => {
      const body = Buffer.concat(await told.toArray())
      if (fate !== 'told' && body.length === 0) {
        answer.destroy()
        return
      }
      answer.writeHead(told.statusCode!, { ...told.headers, 'content-length': body.length })
      if (fate === 'told') return answer.end(body)
      answer.flushHeaders()
      answer.write(body.subarray(0, body.length / 2), () => { if (fate === 'cut') answer.destroy() })
    })
    asked.pipe(onward)
  })
  const port = await listening(proxy)
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${port}`
}

async function opened(place: string, times: S3Times = {}): Promise<S3Store> {
  const store = await S3Store.open(place, times)
  onTestFinished(() => store.close())
  return store
}

describe('a place in S3', () => {
  it.each(['s3://', 's3://a', 's3://Bucket', 's3://bucket/../up', 's3://bucket//x', 's3://bucket/a b', 's3:/bucket'])('is not %s', async (place) => {
    if (place.startsWith('s3://')) await expect(storeAt(place)).rejects.toThrow('is no place in S3')
    else expect((await storeAt(place)).place).toBe(place)
  })
})

describe.skipIf(python === undefined)('a store in S3', () => {
  let moto: ChildProcess
  let endpoint = ''
  let stores = 0

  beforeAll(async () => {
    const port = await freePort()
    moto = spawn(python!, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
    endpoint = `http://127.0.0.1:${port}`
    for (const [name, value] of [['AWS_ACCESS_KEY_ID', 'made'], ['AWS_SECRET_ACCESS_KEY', 'made'], ['AWS_ENDPOINT_URL_S3', endpoint]] as const) vi.stubEnv(name, value)
    while (!await fetch(endpoint).then(() => true, () => false)) {
      if (moto.exitCode !== null) throw new Error(`moto ended with ${moto.exitCode}: is it in ${python}?`)
      await sleep(50)
    }
    const client = new S3Client({ forcePathStyle: true, region: 'us-east-1' })
    await client.send(new CreateBucketCommand({ Bucket: 'parlor' }))
    client.destroy()
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    moto?.kill('SIGKILL')
  })
  beforeEach(() => {
    stores++
    vi.stubEnv('AWS_ENDPOINT_URL_S3', endpoint)
  })

  describeStore(() => opened(`s3://parlor/made/${stores}`))

  it('is the whole bucket where no folder is named, and apart from its other folders', async () => {
    const [all, one] = [await opened('s3://parlor'), await opened('s3://parlor/one')]
    await all.putIfAbsent('top', new Uint8Array(1))
    await one.putIfAbsent('below', new Uint8Array(2))
    expect(await keysOf(one, '')).toEqual(['below'])
    expect((await keysOf(all, '')).filter((key) => !key.startsWith('made/'))).toEqual(['one/below', 'top'])
  })

  it('is listed page by page', async () => {
    const place = `s3://parlor/paged-${stores}`
    const plain = await opened(place)
    const keys = ['a', 'b', 'c', 'd', 'e']
    for (const key of keys) await plain.putIfAbsent(key, new Uint8Array(1))
    let pages = 0
    vi.stubEnv('AWS_ENDPOINT_URL_S3', await before(endpoint, (asked) => {
      if (!asked.url!.includes('list-type=2')) return
      pages++
      asked.url += '&max-keys=2'
    }))
    expect(await keysOf(await opened(place), '')).toEqual(keys)
    expect(pages).toBe(3)
  })

  it('is refused at an endpoint that replaces what lies there', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_S3', await before(endpoint, ({ headers }) => { delete headers['if-none-match'] }))
    const store = await opened(`s3://parlor/replaced-${stores}`)
    await expect(store.putIfAbsent('a', new Uint8Array(1))).rejects.toThrow('replaces what lies there')
    expect(await store.has('a')).toBe(false)
  })

  it.each<readonly [string, Fate]>([['is cut off', 'cut'], ['stands still in its middle', 'still'], ['says that the endpoint is busy', 'busy']])('asks again where an answer %s', async (_, fate) => {
    const place = `s3://parlor/again-${stores}`
    const bytes = new Uint8Array(10_000).map((_, i) => i % 251)
    await (await opened(place)).putIfAbsent('a', bytes)
    let asked = 0
    // The client itself tries three times.
    vi.stubEnv('AWS_ENDPOINT_URL_S3', await before(endpoint, ({ method, url }) => (method === 'GET' && url!.includes('/a?') && ++asked < 5 ? fate : 'told')))
    const store = await opened(place, { answerMs: 300 })
    expect(await store.has('b')).toBe(false)
    expect(await store.get('a')).toEqual(bytes)
    expect(asked).toBe(5)
  })

  it('says that something lies where the answer to its own put was lost', async () => {
    const place = `s3://parlor/lost-${stores}`
    let isLost = false
    vi.stubEnv('AWS_ENDPOINT_URL_S3', await before(endpoint, ({ method, url }) => {
      if (method !== 'PUT' || !url!.includes('/a?') || isLost) return 'told'
      isLost = true
      return 'cut'
    }))
    const store = await opened(place)
    expect(await store.putIfAbsent('a', new Uint8Array([7]))).toBe(false)
    expect(isLost).toBe(true)
    expect(await store.get('a')).toEqual(new Uint8Array([7]))
  })

  it('is asked for many things at once, though connections take their time', async () => {
    const store = await opened(`s3://parlor/many-${stores}`, { connectionMs: 300 })
    await store.putIfAbsent('a', new Uint8Array(3))
    vi.stubEnv('AWS_ENDPOINT_URL_S3', await before(endpoint, () => {}))
    const found = await Promise.all(Array.from({ length: 400 }, (_, i) => store.get(i % 2 === 0 ? 'a' : `b${i}`)))
    expect(found.filter((one) => one !== null)).toHaveLength(200)
  })

  it.each([
    ['a bucket that is not there', 's3://nowhere', null, 'NoSuchBucket'], ['an endpoint that does not answer', 's3://parlor', 'http://127.0.0.1:1', 'ECONNREFUSED'],
  ])('says what is wrong with %s', async (_, place, at, message) => {
    if (at !== null) vi.stubEnv('AWS_ENDPOINT_URL_S3', at)
    const store = await opened(place)
    for (const act of [() => store.get('a'), () => store.putIfAbsent('a', new Uint8Array(1)), () => keysOf(store, '')]) await expect(act()).rejects.toThrow(message)
  })

  it('has the sessions of shards, of which the bytes of one machine are made', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 20'))
    const command = ['sweep', 'small.yaml', '--axis', 'makers.0.params.margin=2%,6%', '--replications', '2', '--workers', '1']
    const results = `s3://parlor/shards-${stores}`
    expect(await parlorHere(folder, ...command, '--tasks', 'own', '--out', 'whole')).toMatchObject({ code: 0, err: '' })
    for (const share of ['2/2', '1/2']) {
      expect(await parlorHere(folder, ...command, '--shard', share, '--results', results, '--tasks', `tasks-${share[0]}`)).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`${results}: shard ${share}, `) })
    }
    expect(await parlorHere(folder, ...command, '--merge', '--results', results, '--tasks', 'merging', '--out', 'merged')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('merged: 0 sessions played, 4 kept from before') })
    for (const name of ['manifest.json', 'sweep.json', 'sweep.arrow', 'report.html']) expect(readFileSync(join(folder, 'merged', name)).equals(readFileSync(join(folder, 'whole', name)))).toBe(true)
  })
})
