#!/usr/bin/env node
// Starts the command line on a Node that runs TypeScript as it is: the one that comes with the package when the host's
// does not. Signals and the exit code pass through.
import { existsSync } from 'node:fs'
// As a whole: Node 20 has no enableCompileCache to import by name.
import module from 'node:module'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isEnough, nodeBeside } from './node.mjs'

const self = fileURLToPath(import.meta.url)
const root = dirname(dirname(self))
const bundler = join(root, 'tools', 'bundle', 'cache.mjs')
/** A checkout bundles its sources when they have changed; a package has its bundle. */
const isCheckout = existsSync(bundler) && !self.includes(`${sep}node_modules${sep}`)
/** What is only asked about plays nothing, and is told from the sources sooner than a bundle is made. */
const isPlayed = process.argv.length > 2 && !process.argv.some((word) => ['help', '--help', '-h', '--version', '-V'].includes(word))

if (isEnough()) {
  // The launcher's channel is listened to, and must not keep a finished command from ending.
  process.channel?.unref()
  module.enableCompileCache(cacheFolder())
  const { main, end } = await import(pathToFileURL(await entry()).href)
  end(await main(process.argv.slice(2)))
} else {
  await restart()
}

/** Where tools keep what they can make again: it goes with `npm ci`. Nothing comes of it where it cannot be written. */
function cacheFolder() {
  const modules = basename(dirname(root)) === 'node_modules' ? dirname(root) : join(root, 'node_modules')
  return join(modules, '.cache', 'parlor')
}

async function entry() {
  if (!isCheckout) return join(root, 'dist', 'main.js')
  const { bundleFolder } = await import(pathToFileURL(bundler).href)
  const folder = await bundleFolder(undefined, isPlayed)
  return folder === null ? join(root, 'src', 'cli', 'main.ts') : join(folder, 'main.js')
}

async function restart() {
  const { node, missing } = nodeBeside(import.meta.url)
  if (node === undefined) {
    process.stderr.write(`${missing}\n`)
    process.exitCode = 1
    return
  }
  const { spawn } = await import('node:child_process')
  // The channel tells the child when this process is gone, however it went.
  const child = spawn(node, [self, ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  const signals = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
  // The first signal asks; a second one does not wait for a strategy that never returns.
  let asked = false
  for (const signal of signals) {
    process.on(signal, () => {
      child.kill(asked ? 'SIGKILL' : signal)
      asked = true
    })
  }
  // npm passes SIGTERM on to its shell, which dies of it and tells nobody (src/cli/signals.ts).
  const { ppid } = process
  if (process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') {
    setInterval(() => { if (process.ppid !== ppid && !asked) asked = child.kill('SIGTERM') }, 500).unref()
  }
  child.on('error', (error) => {
    process.stderr.write(`cannot start ${node}: ${error.message}; install Node 24 or newer, and start parlor with it\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    if (signal === null) process.exitCode = code ?? 1
    else process.kill(process.pid, signal)
  })
}
