import type { MakerStrategy } from '../src/agent/maker.ts'
import type { ServiceName, SessionConfig } from '../src/engine/config.ts'
import { Session } from '../src/engine/session.ts'
import { Digest } from '../src/record/digest.ts'
import type { Sink } from '../src/record/sink.ts'
import { assert } from '../src/unit/assert.ts'
import { SERVICE_NAMES } from '../src/unit/services.ts'
import { Answers } from './answers.ts'
import { recorderOf } from './recording.ts'
import { OPEN_GATE, workload } from './workload.ts'

/** What a session of the workload is measured with, as options of `parseArgs`. */
export const PART_OPTIONS = {
  service: { type: 'string', default: 'parlay' }, record: { type: 'string', default: 'none' }, gate: { type: 'boolean', default: false },
  answers: { type: 'boolean', default: false },
} as const

export interface Parts {
  readonly service: string
  /** `none`, `digest`, or `tables` with the digest. */
  readonly record: string
  readonly gate: boolean
  /** Whether strategies read the answers that they gave in an earlier session. */
  readonly answers: boolean
}

/** Sessions of the workload, each from its beginning. */
export class Measured {
  readonly config: SessionConfig
  private readonly parts: Parts
  private readonly answers: Answers | null
  private readonly dir: string

  /** Plays `requests` requests and writes tables below `dir`. `strategies` are those of the makers, where they are not of one function. */
  constructor(requests: number, parts: Parts, dir: string, strategies?: readonly MakerStrategy[]) {
    const service = SERVICE_NAMES.find((name) => name === parts.service) as ServiceName
    assert(service !== undefined && ['none', 'digest', 'tables'].includes(parts.record), 'a service, and what is recorded')
    assert(!parts.gate || service === 'parlay', 'the gate that is measured is the parlay service’s')
    const plain = workload(requests, [], { service, ...(strategies === undefined ? {} : { strategies }) })
    this.config = parts.gate ? { ...plain, parlay: { ...plain.parlay!, gate: OPEN_GATE } } : plain
    this.parts = parts
    this.dir = dir
    this.answers = parts.answers ? new Answers() : null
    if (this.answers !== null) new Session(this.answers.written(this.config)).runToEnd()
  }

  /** A session before its first step, with what records it. */
  begin(): { readonly session: Session; readonly sinks: readonly Sink[] } {
    const sinks: Sink[] = this.parts.record === 'none' ? [] : [new Digest()]
    if (this.parts.record === 'tables') sinks.push(recorderOf(this.config, this.dir))
    return { session: new Session({ ...(this.answers?.read(this.config) ?? this.config), sinks }), sinks }
  }

  /** Plays a session until so many requests have arrived, and drops what was recorded. */
  playFirst(requests: number): void {
    const { session, sinks } = this.begin()
    while (session.counts.arrivals < requests && session.run(session.chunkSteps));
    for (const sink of sinks) sink.abort()
  }

  /** Ask for it after a whole session. */
  checkAnswers(): void {
    assert(this.answers?.areRead !== false, 'the session that reads its answers asks for each of them')
  }
}
