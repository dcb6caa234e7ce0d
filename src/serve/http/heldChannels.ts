import type { ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import { Outbox, type Sender, type Told } from './outbox.ts'

/** What a client has not read may grow to this. Then the client is closed, so that it costs the others nothing. */
const UNREAD_BYTES_MAX = 1 << 20
/** A client that does not answer the closing of its socket is cut off after this. */
const CLOSE_MS = 1000
const SLOW = { code: 1008, reason: 'SLOW_CONSUMER' } as const

/** A channel that is open to a client. */
export interface HeldChannel {
  send(text: string): void
  /** Tells a client that the connection stands, where the protocol has no ping. */
  beat?(): void
  close(code: number, reason: string): void
}

/** @param ended called once, with the WebSocket's code, however the channel ended but by `close`. */
export function heldSocket(socket: WebSocket, ended: (code: number) => void): HeldChannel {
  const close = (code: number, reason: string): void => {
    socket.close(code, reason)
    setTimeout(() => { socket.terminate() }, CLOSE_MS).unref()
  }
  socket.on('close', ended)
  return {
    send: (text) => {
      if (socket.readyState !== socket.OPEN) return
      socket.send(text)
      if (socket.bufferedAmount > UNREAD_BYTES_MAX) close(SLOW.code, SLOW.reason)
    },
    close,
  }
}

/** Server-sent events over a response whose head has gone out. */
export function heldEvents(response: ServerResponse, ended: (code: number) => void, outbox = new Outbox()): HeldChannel {
  response.on('close', () => ended(1006))
  let told: Told | null = null
  const sendOut = (): void => {
    const out = told
    told = null
    if (out === null || response.destroyed || response.writableEnded) return
    // One chunk that all streams share, and one write for it. Node would make three parts of it for each of them.
    if (response.chunkedEncoding && response.socket !== null) response.socket.write(out.chunk)
    else response.write(out.text)
    if (response.writableLength > UNREAD_BYTES_MAX) response.destroy()
  }
  const sender: Sender = { sendOut }
  const send = (text: string): void => {
    told = (told ?? outbox.add(sender)).with(text)
  }
  return {
    send,
    // A line without an empty one behind it is no event of its own: clients that count events do not count it.
    beat: () => { send(': heartbeat\n') },
    close: () => {
      sendOut()
      response.end()
      setTimeout(() => { response.destroy() }, CLOSE_MS).unref()
    },
  }
}
