import { connect, createServer, type Server, type Socket } from 'node:net'

/** The way of one machine to a server, which can stand still or be cut. */
export class Network {
  private readonly server: Server
  private readonly pairs = new Set<readonly [Socket, Socket]>()
  private isStill = false

  private constructor(port: number) {
    this.server = createServer((near) => {
      const far = connect(port, '127.0.0.1')
      const pair = [near, far] as const
      this.pairs.add(pair)
      near.pipe(far)
      far.pipe(near)
      if (this.isStill) this.hold(pair)
      for (const socket of pair) {
        socket.on('error', () => {})
        socket.on('close', () => {
          this.pairs.delete(pair)
          for (const one of pair) one.destroy()
        })
      }
    })
  }

  static async to(port: number): Promise<Network> {
    const network = new Network(port)
    await new Promise<void>((resolve) => { network.server.listen(0, '127.0.0.1', resolve) })
    return network
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as { port: number }).port}`
  }

  /** Connections stay and are made, and nothing passes. */
  stand(): void {
    this.isStill = true
    for (const pair of this.pairs) this.hold(pair)
  }

  /** What was held up arrives. */
  flow(): void {
    this.isStill = false
    for (const [near, far] of this.pairs) {
      near.pipe(far)
      far.pipe(near)
    }
  }

  /** Ends every connection. New ones can be made. */
  cut(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy()
  }

  close(): Promise<void> {
    this.cut()
    return new Promise((resolve) => { this.server.close(() => { resolve() }) })
  }

  private hold([near, far]: readonly [Socket, Socket]): void {
    near.unpipe(far).pause()
    far.unpipe(near).pause()
  }
}
