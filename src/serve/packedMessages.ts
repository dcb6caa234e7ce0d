import type { MessagePort } from 'node:worker_threads'
import type { Answer, Exchange, HeaderPairs, IdentityToken } from './exchange.ts'
import { joinSends, type Line, lineOf, type ToHttp, type ToSession } from './threadMessages.ts'

/**
 * Calls and answers as they cross between the threads: few texts instead of objects in objects, each name and value of which is copied by
 * itself. Line breaks stand between the parts of a text, since neither a request's head nor a header has one.
 */
type PackedCall = readonly [id: number, readMs: number, channel: '' | 'events' | 'socket', head: string, body: string, token: IdentityToken | undefined]
type PackedAnswer = readonly [id: number, status: number, headers: string, body: string]

function headersText(headers: HeaderPairs): string {
  let text = ''
  for (const [name, value] of headers) text += `${name}\n${value}\n`
  return text
}

function pairsOf(parts: readonly string[], from: number): HeaderPairs {
  const pairs: (readonly [name: string, value: string])[] = []
  for (let i = from; i + 1 < parts.length; i += 2) pairs.push([parts[i]!, parts[i + 1]!])
  return pairs
}

export const packToSession = (messages: readonly ToSession[]): readonly unknown[] => messages.map(packedCall)

function packedCall(message: ToSession): unknown {
  if (message.kind !== 'call' && message.kind !== 'open') return message
  const { id, readMs, exchange: { service, method, path, query, remote, headers, body, token } } = message
  const head = `${service}\n${method}\n${path}\n${query}\n${remote}\n${headersText(headers)}`
  const bytes = body.length === 0 ? '' : Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  return [id, readMs, message.kind === 'call' ? '' : message.channel, head, bytes, token] satisfies PackedCall
}

export function unpackToSession(message: unknown): ToSession {
  if (!Array.isArray(message)) return message as ToSession
  const [id, readMs, channel, head, body, token] = message as unknown as PackedCall
  const parts = head.split('\n')
  const exchange: Exchange = {
    service: parts[0] as Exchange['service'], method: parts[1]!, path: parts[2]!, query: parts[3]!, remote: parts[4]!, headers: pairsOf(parts, 5),
    body: Buffer.from(body, 'latin1'), ...(token !== undefined && { token }),
  }
  return channel === '' ? { kind: 'call', id, readMs, exchange } : { kind: 'open', id, readMs, exchange, channel }
}

/**
 * What the same channels are told one after the other goes over as one text, where the first of it stood. Each client hears in the order in which it
 * was told: an answer goes out on another connection than a channel's.
 */
export function packToHttp(messages: readonly ToHttp[]): readonly unknown[] {
  const packed: unknown[] = []
  let open: { readonly ids: number[]; text: string } | null = null
  for (const message of messages) {
    if (message.kind === 'answer') {
      const { id, answer: { status, headers, body } } = message
      packed.push([id, status, headersText(headers), body] satisfies PackedAnswer)
    } else if (message.kind === 'send' && message.isStream === true && open !== null && areEqual(open.ids, message.ids)) open.text += message.text
    else {
      open = message.kind === 'send' && message.isStream === true ? { ...message } : null
      packed.push(open ?? message)
    }
  }
  return packed
}

const areEqual = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((id, i) => id === b[i])

export function unpackToHttp(message: unknown): ToHttp {
  if (!Array.isArray(message)) return message as ToHttp
  const [id, status, headers, body] = message as unknown as PackedAnswer
  const answer: Answer = { status, headers: pairsOf(headers.split('\n'), 0), body }
  return { kind: 'answer', id, answer }
}

/** The line to the thread of HTTP. */
export const lineToHttp = (port: MessagePort): Line<ToSession, ToHttp> => lineOf(port, joinSends, { pack: packToHttp, unpack: unpackToSession })

/** The line to the session's thread. What comes in on all connections in a turn of the event loop goes over together. */
export const lineToSession = (port: MessagePort): Line<ToHttp, ToSession> => lineOf(port, undefined, { pack: packToSession, unpack: unpackToHttp, defer: setImmediate })
