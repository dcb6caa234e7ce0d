import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeWholeText } from '../../src/arrow/wholeFile.ts'
import { Generation } from '../../src/result/generation.ts'

/** Commits a small result of three files in two folders: all that a crash can meet, in a tenth of a second. */
export async function writeResult(dir: string, text: string): Promise<void> {
  const generation = await Generation.begin(dir)
  try {
    for (const name of ['a.txt', 'tables/b.txt', `tables/${text}.txt`]) writeWholeText(join(generation.folder, name), `${name} ${text}\n`.repeat(50))
    generation.commit({ kind: 'test', text })
  } catch (error) {
    generation.discard()
    throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeResult(process.argv[2]!, process.argv[3]!)
