import { setTimeout as sleep } from 'node:timers/promises'
import type { ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3'
import { checkParts } from '../parts/parts.ts'
import { assert } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { checkKey, isKey, type ObjectStore } from './objectStore.ts'

const CLIENT = '@aws-sdk/client-s3'
/** Requests at a time. The client's own queue counts waiting as a connection that is not made. */
const REQUESTS_MAX = 48
/** A put that met another one of the same key is tried so often, with pauses that grow by so much, ms. */
const CONFLICTS_MAX = 20
const CONFLICT_PAUSE_MS = 50
/** An endpoint that has answered before, and is away or busy, is asked again for so long, with pauses from the first to the last, ms. */
const TROUBLE_MS = 180_000
const FIRST_PAUSE_MS = 500
const LAST_PAUSE_MS = 15_000
/** Lies in every store that was written to, and is no key: by it an endpoint shows that it puts only where nothing lies. */
const PROBE = '.conditional-put'
/** Where an endpoint of one's own says nothing of regions, any will do. */
const ANY_REGION = 'us-east-1'

const PLACE = /^s3:\/\/([0-9a-z][0-9a-z.-]{1,61}[0-9a-z])(?:\/((?:[0-9A-Za-z_][0-9A-Za-z._-]*\/)*[0-9A-Za-z_][0-9A-Za-z._-]*)?)?\/?$/

type Client = typeof import('@aws-sdk/client-s3')

/** How long a connection is waited for, and an answer or the next of its bytes, ms, before the client tries again, three times in all. */
export interface S3Times {
  readonly connectionMs?: number
  readonly answerMs?: number
}

/**
 * A store in a bucket of S3, or of an endpoint that speaks it (`AWS_ENDPOINT_URL_S3`). The official client finds credentials and region as it does
 * elsewhere. What lies is never replaced, by conditional puts (`If-None-Match: *`): an endpoint that does without them is refused. Throws InputError
 * for a place that is none, for what the endpoint does not allow, and where it does not answer, or for minutes no more.
 */
export class S3Store implements ObjectStore {
  readonly place: string
  private readonly bucket: string
  private readonly prefix: string
  private readonly s3: Client
  private readonly client: S3Client
  private probed: Promise<void> | null = null
  /** Whether the endpoint has answered. Before that nobody knows that there is one. */
  private hasAnswered = false
  private isClosed = false
  private running = 0
  /** Requests that wait for their turn. */
  private readonly waiting: (() => void)[] = []

  private constructor(place: string, s3: Client, { connectionMs = 10_000, answerMs = 60_000 }: S3Times) {
    const [, bucket, prefix] = PLACE.exec(place) ?? []
    if (bucket === undefined) throw new InputError('is no place in S3', { position: { file: place }, hint: 'expected s3://BUCKET or s3://BUCKET/FOLDER, of letters, digits, points and hyphens' })
    this.place = place
    this.bucket = bucket
    this.prefix = prefix === undefined ? '' : `${prefix}/`
    this.s3 = s3
    const hasOne = (...names: readonly string[]): boolean => names.some((name) => (process.env[name] ?? '') !== '')
    const hasEndpoint = hasOne('AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL')
    this.client = new s3.S3Client({
      requestHandler: { connectionTimeout: connectionMs, requestTimeout: answerMs, socketTimeout: answerMs, throwOnRequestTimeout: true },
      // Endpoints of one's own seldom have names for their buckets.
      ...(hasEndpoint && { forcePathStyle: true }), ...(hasEndpoint && !hasOne('AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE') && { region: ANY_REGION }),
    })
  }

  /** Throws InputError where the client is not installed, and for a place that is none. */
  static async open(place: string, times: S3Times = {}): Promise<S3Store> {
    checkParts(`a store in S3 (${place})`, [CLIENT])
    return new S3Store(place, await import('@aws-sdk/client-s3'), times)
  }

  async get(key: string): Promise<Uint8Array | null> {
    const at = this.at(key)
    // Its bytes come after the answer's head, and may break off.
    return this.asked(async () => (await this.client.send(new this.s3.GetObjectCommand(at))).Body!.transformToByteArray(), { 404: null })
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    const at = this.at(key)
    this.probed ??= this.probe()
    await this.probed.catch((error: unknown) => {
      // What fails now may not fail later.
      this.probed = null
      throw error
    })
    return this.putNew(at, bytes)
  }

  async has(key: string): Promise<boolean> {
    const at = this.at(key)
    return await this.asked<object | null>(() => this.client.send(new this.s3.HeadObjectCommand(at)), { 404: null }) !== null
  }

  async * list(prefix: string): AsyncGenerator<string> {
    for (let token: string | undefined; ;) {
      const page = await this.asked<ListObjectsV2CommandOutput>(() => this.client.send(new this.s3.ListObjectsV2Command({
        Bucket: this.bucket, Prefix: this.prefix + prefix, ...(token !== undefined && { ContinuationToken: token }),
      })), {})
      // S3 lists names by their bytes, which is the order of keys.
      for (const { Key: name } of page.Contents ?? []) {
        const key = name!.slice(this.prefix.length)
        if (isKey(key)) yield key
      }
      token = page.NextContinuationToken
      if (token === undefined) return
    }
  }

  async delete(key: string): Promise<void> {
    const at = this.at(key)
    await this.asked(() => this.client.send(new this.s3.DeleteObjectCommand(at)), {})
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.client.destroy()
  }

  private at(key: string): { Bucket: string; Key: string } {
    checkKey(key)
    return { Bucket: this.bucket, Key: this.prefix + key }
  }

  /** Throws InputError for an endpoint that replaces what lies. The probe stays, because another process may be asking too. */
  private async probe(): Promise<void> {
    const at = { Bucket: this.bucket, Key: this.prefix + PROBE }
    await this.putNew(at, new Uint8Array())
    if (await this.putNew(at, new Uint8Array())) {
      throw new InputError('replaces what lies there, where it was told to put only what is new', { position: { file: this.place }, hint: 'expected an endpoint with conditional writes (If-None-Match), as S3 has them' })
    }
  }

  private async putNew(at: { Bucket: string; Key: string }, bytes: Uint8Array): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      const put = await this.asked<boolean | null>(
        () => this.client.send(new this.s3.PutObjectCommand({ ...at, Body: bytes, IfNoneMatch: '*' })).then(() => true), { 412: false, ...(tries < CONFLICTS_MAX && { 409: null }) },
      )
      if (put !== null) return put
      await sleep(CONFLICT_PAUSE_MS * tries)
    }
  }

  /**
   * What is asked of the endpoint, as often as its trouble may be over soon.
   *
   * @param otherwise what an answer with some status means; any other error is told by the place
   */
  private async asked<T>(act: () => Promise<T>, otherwise: Readonly<Record<number, T>>): Promise<T> {
    const beganMs = performance.now()
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LAST_PAUSE_MS, 2 * pauseMs)) {
      try {
        const came = await this.inTurn(act)
        this.hasAnswered = true
        return came
      } catch (error) {
        const { name, message, code, status } = describe(error)
        // A bucket that is missing is no object that is missing.
        if (status in otherwise && name !== 'NoSuchBucket') {
          this.hasAnswered = true
          return otherwise[status]!
        }
        const isOver = !isTrouble(status) || !this.hasAnswered || this.isClosed || performance.now() - beganMs > TROUBLE_MS
        if (isOver) throw new InputError(`S3 gives ${[name, code].filter((part) => part !== '').join(' ') || 'no answer'}: ${message || 'without a message'}`, { position: { file: this.place }, hint: HINTS[name] ?? HINT })
        await sleep(pauseMs)
      }
    }
  }

  /** Lets so many requests go at a time. */
  private async inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (this.running < REQUESTS_MAX) this.running++
    // Whoever has ended hands its place on.
    else await new Promise<void>((begin) => { this.waiting.push(begin) })
    try {
      return await act()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.running--
      else next()
    }
  }
}

/** What an error of the client says. `status`: of the answer, 0 without one. */
function describe(error: unknown): { readonly name: string; readonly message: string; readonly code: string; readonly status: number } {
  assert(error instanceof Error, 'the client of S3 throws errors')
  const { $metadata: { httpStatusCode: status = 0 } = {}, code = '' } = error as { readonly $metadata?: { readonly httpStatusCode?: number }; readonly code?: string }
  return { name: error.name === 'Error' ? '' : error.name, message: error.message, code: typeof code === 'string' && code !== error.name ? code : '', status }
}

/** No answer, one that says to come again, or one of a server that is in trouble itself. */
const isTrouble = (status: number): boolean => status < 300 || status === 429 || status >= 500

const HINT = 'are credentials, region and AWS_ENDPOINT_URL_S3 those of the bucket?'
const HINTS: Readonly<Record<string, string>> = { NoSuchBucket: 'make the bucket first', AccessDenied: 'the credentials need s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket' }
