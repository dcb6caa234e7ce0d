import { createHash } from 'node:crypto'
import { canonicalJson } from '../scenario/canonical.ts'
import type { SharedFile, SharedTasks } from '../sweep/sharedTasks.ts'
import type { TaskFailure } from '../sweep/task.ts'
import { isSealed } from '../sweep/taskStore.ts'
import { Bug } from '../unit/assert.ts'
import { type Build, buildName } from './build.ts'
import type { ObjectStore } from './objectStore.ts'

const VERSION = 1

/** What a pool does with the tasks of others. */
export interface ResultsUse {
  /** Whether this pool plays a task. */
  readonly plays: (id: string) => boolean
  /** Whether results and failures of others are read, because they decide what is played next, or because all are reduced. */
  readonly readsAll: boolean
}

/**
 * What one build of parlor left of tasks in a store:
 *
 * | key | bytes |
 * |---|---|
 * | `builds/BUILD.json` | source tree, Node and platform that BUILD stands for |
 * | `results/BUILD/id[0:2]/ID.arrow` | the file of a task that was played to its end (`TaskStore`), with hashes in it |
 * | `failures/BUILD/id[0:2]/ID.json` | why a task has no result, with its hash. It counts for nothing beside a result |
 */
export class Results implements SharedTasks {
  private readonly store: ObjectStore
  private readonly name: string
  private readonly use: ResultsUse
  private readonly say: (line: string) => void
  /** Keys of failures that were there at the begin, or that this process left. */
  private readonly failed: Set<string>

  private constructor(store: ObjectStore, name: string, use: ResultsUse, { say, failed }: { readonly say: (line: string) => void; readonly failed: Set<string> }) {
    this.store = store
    this.name = name
    this.use = use
    this.say = say
    this.failed = failed
  }

  /** @param say gets a line when something that lies there is damaged. */
  static async open(store: ObjectStore, build: Build, use: ResultsUse, say: (line: string) => void = () => {}): Promise<Results> {
    const name = buildName(build)
    const failed = new Set<string>()
    for await (const key of store.list(`failures/${name}/`)) failed.add(key)
    return new Results(store, name, use, { say, failed })
  }

  plays(id: string): boolean {
    return this.use.plays(id)
  }

  async fileOf(id: string): Promise<SharedFile | null> {
    if (!this.use.readsAll && !this.plays(id)) return null
    const key = this.resultKey(id)
    const bytes = await this.store.get(key)
    return bytes === null ? null : { bytes, place: `${this.store.place}/${key}` }
  }

  async failureOf(id: string): Promise<TaskFailure | null> {
    const key = this.failureKey(id)
    if (!this.use.readsAll || !this.failed.has(key)) return null
    const bytes = await this.store.get(key)
    if (bytes === null) return null
    const failure = failureIn(bytes)
    if (failure?.id === id) return failure
    this.say(`${this.store.place}/${key}: word of a failure that is damaged; it counts for nothing until its task is played again`)
    return null
  }

  async keep(id: string, file: Uint8Array): Promise<void> {
    const key = this.resultKey(id)
    while (!(await this.isThere(key, id, file) || await this.store.putIfAbsent(key, file)));
    await this.forget(id)
  }

  async keepFailure(failure: TaskFailure): Promise<void> {
    await this.forget(failure.id)
    const key = this.failureKey(failure.id)
    await this.store.putIfAbsent(key, bytesOfFailure(failure))
    this.failed.add(key)
  }

  /** Says who leaves results here, before the first. */
  async announce(build: Build): Promise<void> {
    await this.store.putIfAbsent(`builds/${this.name}.json`, new TextEncoder().encode(canonicalJson(build)))
  }

  /** Whether a file lies there with the same bytes. One that is damaged is removed. */
  private async isThere(key: string, id: string, file: Uint8Array): Promise<boolean> {
    const there = await this.store.get(key)
    if (there === null) return false
    if (Buffer.from(there).equals(file)) return true
    if (isSealed(there)) throw new Bug(`task ${id} gave other bytes than lie in ${this.store.place}/${key}`)
    await this.store.delete(key)
    return false
  }

  private async forget(id: string): Promise<void> {
    const key = this.failureKey(id)
    if (this.failed.delete(key)) await this.store.delete(key)
  }

  private resultKey(id: string): string {
    return `results/${this.name}/${id.slice(0, 2)}/${id}.arrow`
  }

  private failureKey(id: string): string {
    return `failures/${this.name}/${id.slice(0, 2)}/${id}.json`
  }
}

/** Builds other than one that left results in a store, with how many they left. */
export async function otherBuilds(store: ObjectStore, own: Build): Promise<{ readonly build: Build; readonly results: number }[]> {
  const found: { build: Build; results: number }[] = []
  for await (const key of store.list('builds/')) {
    const [, name] = /^builds\/([0-9a-f]{16})\.json$/.exec(key) ?? []
    const build = name === undefined || name === buildName(own) ? null : buildIn(await store.get(key), name)
    if (build === null) continue
    let results = 0
    for await (const _ of store.list(`results/${name}/`)) results++
    if (results > 0) found.push({ build, results })
  }
  return found
}

/** Null for bytes that are no build of that name. */
function buildIn(bytes: Uint8Array | null, name: string): Build | null {
  const build = bytes === null ? null : jsonIn(bytes) as Partial<Build> | null
  if (typeof build?.sourceTree !== 'string' || typeof build.node !== 'string' || typeof build.platform !== 'string') return null
  const { sourceTree, node, platform } = build
  return buildName({ sourceTree, node, platform }) === name ? { sourceTree, node, platform } : null
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function bytesOfFailure({ id, kind, who, message }: TaskFailure): Uint8Array {
  const failure = { version: VERSION, id, kind, who, message }
  return new TextEncoder().encode(canonicalJson({ failure, sha256: sha256(canonicalJson(failure)) }))
}

/** Null for bytes that are none. */
function failureIn(bytes: Uint8Array): TaskFailure | null {
  const { failure, sha256: hash } = (jsonIn(bytes) ?? {}) as { readonly failure?: TaskFailure & { readonly version: number }; readonly sha256?: string }
  if (typeof failure !== 'object' || hash !== sha256(canonicalJson(failure)) || failure.version !== VERSION) return null
  const { id, kind, who, message } = failure
  return { id, kind, who, message }
}

/** Null for bytes that are no JSON of an object. */
function jsonIn(bytes: Uint8Array): object | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
