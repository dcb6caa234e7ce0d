import { join } from 'node:path'
import { writeWholeText } from '../arrow/wholeFile.ts'
import { readManifest } from '../record/manifest.ts'
import { checkFiles } from '../result/check.ts'
import { Generation } from '../result/generation.ts'
import { SIGNATURES_NAME } from '../result/head.ts'
import { type Key, signedText } from '../result/signatures.ts'

/**
 * Signs the manifest of a run, beside the signatures that it has. Throws InputError where there is no run or another process writes it,
 * DamagedResult where its files are not those that would be signed for.
 */
export async function signRun(dir: string, key: Key): Promise<void> {
  readManifest(dir)
  checkFiles(dir)
  // Nobody replaces the manifest meanwhile.
  const generation = await Generation.begin(dir)
  try {
    writeWholeText(join(dir, SIGNATURES_NAME), signedText(dir, key))
  } finally {
    generation.discard()
  }
}
