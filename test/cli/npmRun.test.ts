import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { endOf } from './parlor.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LOOPING = "import { maker } from 'parlor'\nexport default maker({}, () => ({ onRequest() { console.log('loops'); for (;;) {} } }))\n"

it.skipIf(process.platform === 'win32')('npm run parlor leaves no process when it is told to end, although a strategy never returns', async () => {
  const folder = newFolder()
  put(folder, 'bad.ts', LOOPING)
  const scene = put(folder, 'small.yaml', SMALL.replace('{ use: fixed-margin, capital', '{ name: bad, use: ./bad.ts, capital'))
  const out = join(folder, 'out')
  const npm = spawn('npm', ['run', '-s', 'parlor', '--', 'run', scene, '--quiet', '--no-report', '--out', out], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  npm.stderr.on('data', (data: Buffer) => { if (data.toString().includes('loops')) npm.kill('SIGTERM') })
  // Its outputs are closed when the last process that has them is gone.
  const { err } = await endOf(npm)
  expect(err).toBe('loops\nthe shell that npm started this command in has ended, and this command ends with it\ninterrupted: nothing was left; strategy of bad did not return from onRequest\n')
  expect(existsSync(out)).toBe(false)
})
