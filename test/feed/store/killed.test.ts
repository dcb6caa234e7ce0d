import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openStore } from '../../../src/feed/store/openStore.ts'
import { madeFolder } from './made.ts'
import { DAY, draftOf, writeRows } from './rows.ts'

const WRITER = fileURLToPath(new URL('../../../src/feed/store/storeWriter.ts', import.meta.url))

it('an import that is killed while its ticks wait on the disk leaves the store as it was, and the next one clears it away', async () => {
  const path = join(madeFolder(), 'store')
  const { dataHash } = await writeRows(path, [draftOf('a')], [[DAY, 0, 1, 2, 3, 4, 5]])
  const program = `
    const { StoreWriter } = await import(${JSON.stringify(WRITER)})
    const writer = await StoreWriter.begin(${JSON.stringify(path)}, { isAdded: true, runRows: 10 })
    for (let i = 0; i < 1000; i++) writer.add(${DAY} + i, 0, 1, 2, 3, 4, 5)
    process.kill(process.pid, 'SIGKILL')`
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program])
  expect(signal).toBe('SIGKILL')
  const partial = readdirSync(path).find((name) => name.startsWith('.partial-'))!
  expect(readdirSync(join(path, partial))).toEqual(['runs.bin'])
  expect(openStore(path).head).toMatchObject({ dataHash, ticks: 1 })
  // By the clock of the disk, its holder has not been seen for an hour.
  utimesSync(join(path, '.lease'), 1, 1)
  await writeRows(path, [draftOf('a')], [[DAY + 1, 0, 1, 2, 3, 4, 5]], { isAdded: true })
  expect([openStore(path).head.ticks, existsSync(join(path, partial)), readdirSync(path).toSorted()]).toEqual([2, false, ['imports', 'markets', 'parts', 'store.json']])
})
