import { writeFileSync } from 'node:fs'
import { temporaryFolder } from './recordedData.ts'

export const lines = (...rows: string[]): string => `${rows.join('\n')}\n`

/** A folder with files. It goes when the test is over. */
export function written(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(`${folder}/${name}`, content)
  return folder
}
