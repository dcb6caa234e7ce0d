import type { GetObjectCommandOutput, ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3'
import { checkParts } from '../parts/parts.ts'
import { assert } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { checkKey, isKey, type ObjectStore } from './objectStore.ts'

const CLIENT = '@aws-sdk/client-s3'
/** A connection, and an answer, is waited for so long before the client tries again, ms. */
const CONNECTION_MS = 10_000
const ANSWER_MS = 60_000
/** How often a put is tried that met another one of the same key. */
const CONFLICTS_MAX = 20
/** Lies in every store that was written to, and is no key: by it an endpoint shows that it puts only where nothing lies. */
const PROBE = '.conditional-put'
/** Where an endpoint of one's own says nothing of regions, any will do. */
const ANY_REGION = 'us-east-1'

const PLACE = /^s3:\/\/([0-9a-z][0-9a-z.-]{1,61}[0-9a-z])(?:\/((?:[0-9A-Za-z_][0-9A-Za-z._-]*\/)*[0-9A-Za-z_][0-9A-Za-z._-]*)?)?\/?$/

type Client = typeof import('@aws-sdk/client-s3')

/**
 * A store in a bucket of S3, or of an endpoint that speaks it (`AWS_ENDPOINT_URL_S3`). The official client finds credentials and region as it does
 * elsewhere. What lies is never replaced, by conditional puts (`If-None-Match: *`): an endpoint that does without them is refused. Throws InputError
 * for a place that is none, and for what the endpoint does not allow or answer.
 */
export class S3Store implements ObjectStore {
  readonly place: string
  private readonly bucket: string
  private readonly prefix: string
  private readonly s3: Client
  private readonly client: S3Client
  private probed: Promise<void> | null = null

  private constructor(place: string, s3: Client) {
    const [, bucket, prefix] = PLACE.exec(place) ?? []
    if (bucket === undefined) throw new InputError('is no place in S3', { position: { file: place }, hint: 'expected s3://BUCKET or s3://BUCKET/FOLDER, of letters, digits, points and hyphens' })
    this.place = place
    this.bucket = bucket
    this.prefix = prefix === undefined ? '' : `${prefix}/`
    this.s3 = s3
    const hasEndpoint = (process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL']) !== undefined
    this.client = new s3.S3Client({
      requestHandler: { connectionTimeout: CONNECTION_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
      // Endpoints of one's own seldom have names for their buckets.
      ...(hasEndpoint && { forcePathStyle: true, region: process.env['AWS_REGION'] ?? ANY_REGION }),
    })
  }

  /** Throws InputError where the client is not installed, and for a place that is none. */
  static async open(place: string): Promise<S3Store> {
    checkParts(`a store in S3 (${place})`, [CLIENT])
    return new S3Store(place, await import('@aws-sdk/client-s3'))
  }

  async get(key: string): Promise<Uint8Array | null> {
    const found = await this.asked<GetObjectCommandOutput | null>(() => this.client.send(new this.s3.GetObjectCommand(this.at(key))), { 404: null })
    // Its bytes come after the answer's head, and may break off.
    return found === null ? null : this.asked(() => found.Body!.transformToByteArray(), {})
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    const at = this.at(key)
    await (this.probed ??= this.probe())
    return this.putNew(at, bytes)
  }

  async has(key: string): Promise<boolean> {
    return await this.asked<object | null>(() => this.client.send(new this.s3.HeadObjectCommand(this.at(key))), { 404: null }) !== null
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
    await this.asked(() => this.client.send(new this.s3.DeleteObjectCommand(this.at(key))), {})
  }

  async close(): Promise<void> {
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
    }
  }

  /** What is asked of the endpoint. @param otherwise what an answer with some status means; any other error is told by the place */
  private async asked<T>(act: () => Promise<T>, otherwise: Readonly<Record<number, T>>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      assert(error instanceof Error, 'the client of S3 throws errors')
      const { $metadata: { httpStatusCode: status = 0 } = {} } = error as { readonly $metadata?: { readonly httpStatusCode?: number } }
      // A bucket that is missing is no object that is missing.
      if (status in otherwise && error.name !== 'NoSuchBucket') return otherwise[status]!
      throw new InputError(`S3 gives ${error.name === 'Error' || error.name === '' ? 'no answer' : error.name}: ${error.message || 'without a message'}`, { position: { file: this.place }, hint: HINTS[error.name] ?? 'are credentials, region and AWS_ENDPOINT_URL_S3 those of the bucket?' })
    }
  }
}

const HINTS: Readonly<Record<string, string>> = { NoSuchBucket: 'make the bucket first', AccessDenied: 'the credentials need s3:GetObject, s3:PutObject and s3:ListBucket' }
