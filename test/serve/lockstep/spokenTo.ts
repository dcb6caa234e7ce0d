import { Digest } from '../../../src/record/digest.ts'
import type { ExternalRow } from '../../../src/record/externalTable.ts'
import type { PreparedScenario } from '../../../src/scenario/run.ts'
import type { Exchange } from '../../../src/serve/exchange.ts'
import type { ControlFrame } from '../../../src/serve/session/lockstep/controlFrames.ts'
import { LockstepDriver } from '../../../src/serve/session/lockstep/lockstepDriver.ts'
import type { Party } from '../../../src/serve/session/lockstep/party.ts'
import { ServedSession } from '../../../src/serve/session/servedSession.ts'
import type { ToHttp, ToSession } from '../../../src/serve/threadMessages.ts'
import { NEVER_US } from '../../../src/unit/time.ts'
import { numbersOf, tokenOf } from './served.ts'

export type ControlTurn = Extract<ControlFrame, { frame: 'turn' }>

/** A control channel of a client, to which the session speaks and which says what it is told to say. */
export interface SpokenControl {
  readonly frames: readonly ControlFrame[]
  say(frame: object): void
  ready(): void
  done(turn: Pick<ControlTurn, 'n'>): void
  /** Its connection has ended, with the code of a WebSocket. */
  end(code: number): void
}

/** What reaches a session in lockstep, message by message and in their order, where connections would bring it. */
export class Speaker {
  /** Answers to calls and to channels that were refused, and channels that were let in, by connection. */
  readonly answers = new Map<number, Extract<ToHttp, { kind: 'answer' | 'accept' }>>()
  private readonly heard = new Map<number, (frame: ControlFrame) => void>()
  private readonly partyOf: (name: string) => Party
  private readonly failed: (error: unknown) => void
  private ids = 0
  private listen: (message: ToSession) => void = () => {}

  /** @param failed hears what a message makes the session throw. */
  constructor(partyOf: (name: string) => Party, failed: (error: unknown) => void) {
    this.partyOf = partyOf
    this.failed = failed
  }

  hear(listen: (message: ToSession) => void): void {
    this.listen = listen
  }

  say(message: ToHttp): void {
    if (message.kind === 'answer' || message.kind === 'accept') this.answers.set(message.id, message)
    if (message.kind === 'send') for (const id of message.ids) this.heard.get(id)?.(JSON.parse(message.text) as ControlFrame)
  }

  /** Opens a control channel. Each turn that it is told ends at once, unless `turned` does with it what it likes. */
  control(name: string, turned?: (turn: ControlTurn, control: SpokenControl) => void): SpokenControl {
    const id = ++this.ids
    const frames: ControlFrame[] = []
    const control: SpokenControl = {
      frames,
      say: (frame) => { this.send({ kind: 'frame', id, readMs: 0, data: new TextEncoder().encode(JSON.stringify(frame)), isBinary: false }) },
      ready: () => { control.say({ frame: 'ready' }) },
      done: ({ n }) => { control.say({ frame: 'done', n, calls: 0 }) },
      end: (code) => { this.send({ kind: 'closed', id, readMs: 0, code }) },
    }
    this.heard.set(id, (frame) => {
      frames.push(frame)
      if (frame.frame !== 'turn') return
      if (turned === undefined) control.done(frame)
      else turned(frame, control)
    })
    this.send({ kind: 'open', id, readMs: 0, channel: 'socket', exchange: this.exchange('control', 'GET', '/', [['authorization', `Bearer ${this.partyOf(name).token}`]]) })
    return control
  }

  /** Makes a call with the credential of a seat, or opens a stream, and returns its connection's number. */
  call(name: string, path: string, headers: Readonly<Record<string, string>>, kind: 'call' | 'open' = 'call', body = ''): number {
    const id = ++this.ids
    const exchange = { ...this.exchange('parlay', kind === 'call' ? 'POST' : 'GET', path, [['x-seat', name], ...Object.entries(headers)]), body: new TextEncoder().encode(body) }
    this.send(kind === 'call' ? { kind, id, readMs: 0, exchange } : { kind, id, readMs: 0, exchange, channel: 'events' })
    return id
  }

  private exchange(service: Exchange['service'], method: string, path: string, headers: Exchange['headers']): Exchange {
    return { service, method, path, query: '', headers, body: new Uint8Array(), remote: '' }
  }

  private send(message: ToSession): void {
    setImmediate(() => {
      try {
        this.listen(message)
      } catch (error) {
        this.failed(error)
      }
    })
  }
}

export interface SpokenPlay {
  readonly digest: string
  readonly rows: readonly ExternalRow[]
  readonly said: readonly string[]
  readonly waitedFor: readonly (readonly string[])[]
  /** How often a patience was over. */
  readonly lapses: number
}

/** Plays a session for clients that `begin` brings in. A patience that has begun is over when nothing has been said for some rounds of the event loop. */
export async function playedSpeaking(prepared: PreparedScenario, begin: (speaker: Speaker, driver: LockstepDriver) => void, stop = new AbortController().signal): Promise<SpokenPlay> {
  const digest = new Digest()
  const rows: ExternalRow[] = []
  const said: string[] = []
  const waitedFor: (readonly string[])[] = []
  let lapses = 0
  let driver: LockstepDriver | null = null
  const served = new ServedSession(prepared, {
    handlers: numbersOf(prepared), journal: { append: (row) => { rows.push(row) } }, shiftUs: 0, sinksOf: () => [digest], told: (seat, why) => { driver!.told(seat, why) },
  })
  served.begin()
  const failed = Promise.withResolvers<never>()
  const speaker = new Speaker((name) => driver!.parties.find((party) => party.name === name)!, failed.reject)
  driver = new LockstepDriver(served, speaker, {
    patienceMs: 30_000, shiftUs: 0, tokenOf, say: (text) => { said.push(text) }, waitsFor: (names) => { waitedFor.push(names) },
    startPatience: (run) => afterRounds(PATIENCE_ROUNDS, () => {
      lapses++
      run()
    }),
  })
  begin(speaker, driver)
  const stoppedUs = await Promise.race([driver.play(stop), failed.promise])
  served.drain()
  served.session.standAt(stoppedUs ?? NEVER_US)
  while (served.session.run(64)) continue
  return { digest: digest.hex(), rows, said, waitedFor, lapses }
}

/** A client of these tests answers within a few. */
const PATIENCE_ROUNDS = 200

/** Calls `run` after so many rounds of the event loop, unless what is returned is called before. */
function afterRounds(rounds: number, run: () => void): () => void {
  let left = rounds
  let next = setImmediate(function again() {
    if (--left === 0) run()
    else next = setImmediate(again)
  })
  return () => { clearImmediate(next) }
}
