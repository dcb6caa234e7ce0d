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

/** Leases that are renewed, and their tokens. */
const held = new Map<string, string>()
let heart: Worker | undefined
let late: NodeJS.Timeout | undefined

/**
 * Begins to renew the lease at a path. `isPrompt`: its holder comes to its timers while the lease is young, so the thread, which costs as much as a
 * sixth of a short session's start, begins a beat later. Most holders are done by then.
 */
export function beat(path: string, token: string, isPrompt = false): void {
  held.set(path, token)
  if (heart !== undefined) tell(heart, path, token)
  else if (isPrompt) late ??= setTimeout(begin, BEAT_MS).unref()
  else begin()
}

export function stopBeating(path: string): void {
  held.delete(path)
  if (heart !== undefined) tell(heart, path, null)
  else if (held.size === 0) endWait()
}

function begin(): void {
  endWait()
  heart = new Worker(BEATING, { eval: true, execArgv: [], env: {} })
  heart.unref()
  for (const [path, token] of held) tell(heart, path, token)
}

function endWait(): void {
  clearTimeout(late)
  late = undefined
}

// eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
const tell = (worker: Worker, path: string, token: string | null): void => { worker.postMessage([path, token]) }
