import { spawnSync } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import { typeMistakes } from '../../src/actions/typeMistakes.ts'
import { PATIENCE_MS } from '../patience.ts'
import { newFolder, put } from '../scenario/small.ts'

it.skipIf(process.platform === 'win32')('a compiler that has no end ends with the signal', async () => {
  const folder = newFolder()
  // Compilers are told apart by the folder in which they find their settings.
  vi.stubEnv('TMPDIR', folder)
  const compilers = (): string[] => spawnSync('ps', ['-ww', '-eo', 'args'], { encoding: 'utf8' }).stdout.split('\n').filter((line) => line.includes(`-p ${folder}`))
  try {
    const stop = new AbortController()
    const checking = typeMistakes([put(folder, 'deep.ts', `export const deep = ${'['.repeat(60_000)}${']'.repeat(60_000)}\n`)], false, stop.signal)
    await vi.waitFor(() => { expect(compilers()).toHaveLength(1) }, { timeout: PATIENCE_MS })
    stop.abort()
    await expect(checking).rejects.toThrow('interrupted')
    await vi.waitFor(() => { expect(compilers()).toEqual([]) }, { timeout: PATIENCE_MS })
  } finally {
    vi.unstubAllEnvs()
  }
})
