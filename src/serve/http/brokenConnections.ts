import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection's calls that have been read and not been answered. */
interface Open {
  readonly responses: Set<ServerResponse>
  /** Ends the connection; null: nothing that it sent was wrong. */
  end: (() => void) | null
}

/**
 * Connections on which something came that is no HTTP. Calls that came whole before that are answered first, and a stream that is open is not
 * written into.
 */
export class BrokenConnections {
  private readonly open = new WeakMap<Socket, Open>()
  /** Listens to the end of every response. */
  private readonly over: (this: ServerResponse) => void

  constructor() {
    const { open } = this
    this.over = function over() {
      const ofSocket = open.get(this.req.socket)
      if (ofSocket === undefined) return
      ofSocket.responses.delete(this)
      settle(ofSocket)
    }
  }

  /** A call has begun to come in. */
  watch({ socket }: IncomingMessage, response: ServerResponse): void {
    this.openOf(socket).responses.add(response)
    response.on('close', this.over)
  }

  /** @param refusal goes out behind all answers, where no stream is open. */
  broken(socket: Socket, refusal: () => string): void {
    const open = this.openOf(socket)
    // What is no HTTP stays so: each part of it is told again.
    if (open.end !== null) return
    open.end = () => {
      if (socket.writable && [...open.responses].every((response) => !response.headersSent)) socket.write(refusal())
      socket.destroySoon()
    }
    settle(open)
  }

  /** A stream of the connection has begun: its answer does not end. */
  streams({ socket }: IncomingMessage): void {
    settle(this.openOf(socket))
  }

  private openOf(socket: Socket): Open {
    const known = this.open.get(socket)
    if (known !== undefined) return known
    const open: Open = { responses: new Set(), end: null }
    this.open.set(socket, open)
    return open
  }
}

/** Ends a broken connection that owes no answer any more. */
function settle({ responses, end }: Open): void {
  if (end !== null && ![...responses].some(isOwed)) end()
}

/** An answer that is on its way, or that a call is to have which came whole. */
const isOwed = ({ writableEnded, headersSent, req }: ServerResponse): boolean => writableEnded || (!headersSent && req.complete)
