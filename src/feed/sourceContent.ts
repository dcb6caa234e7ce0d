import { createHash } from 'node:crypto'
import type { SourceContent } from './importReport.ts'
import type { ImportTally } from './importTally.ts'

/**
 * Notes the content of a file in the account of an import, by what it is when it is decompressed. False, and a remark, where a file before
 * it has the same content.
 */
export async function isFirstOfContent(name: string, plain: AsyncIterable<Buffer>, tally: ImportTally, mapping?: string): Promise<boolean> {
  const content: SourceContent = { ...await contentOf(plain), mapping }
  const same = tally.fileOf(content)
  if (same === undefined) tally.source(name, content)
  else tally.file(name).note('same content', 1, `the content is that of ${same}, which is read once`, 0)
  return same === undefined
}

async function contentOf(plain: AsyncIterable<Buffer>): Promise<SourceContent> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of plain) {
    hash.update(chunk)
    bytes += chunk.byteLength
  }
  return { bytes, sha256: hash.digest('hex') }
}
