import { Worker } from 'node:worker_threads'

/** How often leases are renewed. */
export const BEAT_MS = 2000

/**
 * Renews leases in a thread of its own: a session, an import or a page keeps the main thread busy for longer than a lease lives. A file is
 * renewed through one descriptor, so that a lease that another process has put in its place is never touched. Written bytes carry the
 * clock of the file system, while `utimes` would carry the clock of this process.
 */
const BEATING = `
const { parentPort } = require('node:worker_threads')
const fs = require('node:fs')
const held = new Map()
parentPort.on('message', ([path, token]) => { if (token === null) held.delete(path); else held.set(path, token) })
setInterval(() => {
  for (const [path, token] of held) {
    let file
    try {
      file = fs.openSync(path, 'r+')
      if (fs.readFileSync(file, 'utf8') === token) fs.writeSync(file, token, 0)
    } catch {} finally {
      if (file !== undefined) fs.closeSync(file)
    }
  }
}, ${BEAT_MS})
`

let heart: Worker | undefined

/** Begins to renew the lease at a path. */
export function beat(path: string, token: string): void {
  if (heart === undefined) {
    heart = new Worker(BEATING, { eval: true, execArgv: [], env: {} })
    heart.unref()
  }
  tell(heart, path, token)
}

export function stopBeating(path: string): void {
  if (heart !== undefined) tell(heart, path, null)
}

// eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
const tell = (worker: Worker, path: string, token: string | null): void => { worker.postMessage([path, token]) }
