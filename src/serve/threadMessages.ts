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
  | { readonly kind: 'send'; readonly id: number; readonly text: string }
  | { readonly kind: 'close'; readonly id: number; readonly code: number; readonly reason: string }

/** One end of the line between the two threads. */
export interface Line<In, Out> {
  say(message: Out): void
  /** Sets who hears what comes in. It is called once. */
  hear(listen: (message: In) => void): void
}

export const lineOf = <In, Out>(port: MessagePort): Line<In, Out> => ({
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  say: (message) => { port.postMessage(message) },
  hear: (listen) => { port.on('message', listen) },
})
