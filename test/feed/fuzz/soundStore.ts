import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { mappedImporter } from '../../../src/feed/mapping/importMapped.ts'
import { importStore } from '../../../src/feed/store/importStore.ts'
import { openStore } from '../../../src/feed/store/openStore.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import type { Files } from './damage.ts'
import { MAPPINGS, ROWS } from './samples.ts'

/** All that a store says of markets and prices, as text. */
export function contentOf(folder: string): string {
  const store = openStore(folder)
  const ticks = store.parts.flatMap((part) => store.batchesOf(part).map((_, batch) => {
    const { count, ...columns } = store.readBatch(part, batch)
    return [part.name, count, ...Object.values(columns).map((column) => [...column.subarray(0, count)])]
  }))
  return JSON.stringify([store.catalogue.markets, ticks])
}

interface SoundStore {
  readonly files: Files
  readonly content: string
}

let made: Promise<SoundStore> | undefined

/** A store of two imports and two days, made once. */
export const soundStore = (): Promise<SoundStore> => (made ??= makeStore())

async function makeStore(): Promise<SoundStore> {
  const room = mkdtempSync(join(tmpdir(), 'parlor-sound-store-'))
  try {
    const importer = mappedImporter(mappingOfText('mapping.yaml', MAPPINGS['quotes']!))
    const store = join(room, 'store')
    const later = ROWS.csv.toString().replaceAll('M', 'N').replaceAll(/^(\d{13})/gm, (text) => String(Number(text) + 86_400_000))
    for (const [i, text] of [ROWS.csv.toString(), later].entries()) {
      const file = join(room, `${i}.csv`)
      writeFileSync(file, text)
      await importStore(store, importer, [file], { isAdded: i > 0 })
    }
    const names = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => relative(store, join(entry.parentPath, entry.name)))
    return { files: Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(join(store, name))])), content: contentOf(store) }
  } finally {
    rmSync(room, { recursive: true, force: true })
  }
}
