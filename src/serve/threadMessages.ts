import type { MessagePort } from 'node:worker_threads'
import type { Answer, Exchange, HeaderPairs } from './exchange.ts'

/** What the thread of HTTP tells that of the session. `id` numbers exchanges and channels alike; `readMs` is a reading of `wallMs`, taken when all had been read. */
export type ToSession =
  | { readonly kind: 'call'; readonly id: number; readonly readMs: number; readonly exchange: Exchange }
  | { readonly kind: 'open'; readonly id: number; readonly readMs: number; readonly exchange: Exchange; readonly channel: 'events' | 'socket' }
  | { readonly kind: 'frame'; readonly id: number; readonly readMs: number; readonly data: Uint8Array; readonly isBinary: boolean }
  | { readonly kind: 'closed'; readonly id: number; readonly readMs: number; readonly code: number }

/** What the thread of the session tells that of HTTP. */
export type ToHttp =
  /** It answers a call, or refuses a channel. */
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'accept'; readonly id: number; readonly subprotocol: string | undefined; readonly headers: HeaderPairs }
  /** The same for each channel. `isStream`: they are event streams, so that two texts, one behind the other, are one text as well. */
  | { readonly kind: 'send'; readonly ids: number[]; readonly text: string; readonly isStream?: true }
  | { readonly kind: 'close'; readonly id: number; readonly code: number; readonly reason: string }
  /** It says nothing more. */
  | { readonly kind: 'ended' }

/** One end of the line between the two threads. */
export interface Line<In, Out> {
  say(message: Out): void
  /** Sets who hears what comes in. It is called once. */
  hear(listen: (message: In) => void): void
}

/** Messages that go over together at most, so that the first does not wait for all of what is being played. */
const TOGETHER_MAX = 64

/** Adds what is said to channels to what was said before, when it is the same. Returns false, and adds nothing, when it is not. */
export function joinSends(last: ToHttp, next: ToHttp): boolean {
  if (last.kind !== 'send' || next.kind !== 'send' || last.text !== next.text || last.isStream !== next.isStream) return false
  last.ids.push(...next.ids)
  return true
}

/** How messages cross. */
export interface Crossing<In, Out> {
  /** What goes over in the place of messages, and each of them again. Both ends agree. */
  readonly pack: (messages: readonly Out[]) => readonly unknown[]
  readonly unpack: (packed: unknown) => In
  /** Calls when what has been said goes over. The default is as soon as whoever speaks is done. */
  readonly defer?: (post: () => void) => void
}

/**
 * Messages that are said one after the other go over together: each crossing costs as much as a message of a thousand bytes.
 * @param join adds a message to the one before it where both are to be one, and returns whether it did.
 */
export function lineOf<In, Out>(
  port: MessagePort, join: (last: Out, next: Out) => boolean = () => false,
  { pack, unpack, defer = queueMicrotask }: Crossing<In, Out> = { pack: (messages) => messages, unpack: (packed) => packed as In },
): Line<In, Out> {
  let together: Out[] = []
  const post = (): void => {
    if (together.length === 0) return
    const messages = together
    together = []
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
    port.postMessage(pack(messages))
  }
  return {
    say: (message) => {
      const last = together.at(-1)
      if (last !== undefined && join(last, message)) return
      if (together.push(message) === 1) defer(post)
      else if (together.length === TOGETHER_MAX) post()
    },
    hear: (listen) => { port.on('message', (messages: readonly unknown[]) => { for (const message of messages) listen(unpack(message)) }) },
  }
}
