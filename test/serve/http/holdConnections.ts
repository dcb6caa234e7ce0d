// Holds idle connections open in a process of its own, so that each side has its own files: `node holdConnections.ts PORT COUNT`. It says `held N`
// once all that the server takes are open, then after each line on its input how many of them still are, and ends with its input.
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** Connections that are being opened at a time: fewer than a listening socket queues. */
const AT_ONCE = 100

const [port, count] = process.argv.slice(2).map(Number) as [number, number]
const open = new Set<Socket>()
let begun = 0

const hold = async (): Promise<void> => {
  while (begun < count) {
    begun++
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        open.add(socket)
        resolve()
      })
      socket.on('error', () => { resolve() })
      socket.on('close', () => { open.delete(socket) })
    })
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, hold))
console.log(`held ${open.size}`)
const lines = createInterface(process.stdin)
lines.on('line', () => { console.log(`still ${open.size}`) })
lines.on('close', () => { process.exit(0) })
