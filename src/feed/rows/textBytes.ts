import type { FileTally } from '../importTally.ts'
import type { InputFile } from './inputFiles.ts'
import { plainBytes } from './plainBytes.ts'

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const MARKS: readonly (readonly [Buffer, string])[] = [[Buffer.from([0xff, 0xfe]), 'utf-16le'], [Buffer.from([0xfe, 0xff]), 'utf-16be']]

const wideEncoding = (head: Buffer): string | undefined => MARKS.find(([mark]) => head.subarray(0, mark.length).equals(mark))?.[1]

/** Whether the bytes of a text are taken as they are. */
export const isUtf8 = ({ head }: InputFile): boolean => wideEncoding(head) === undefined

/** The length of the mark with which a text in UTF-8 begins. */
export const markBytes = ({ head }: InputFile): number => (head.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? UTF8_MARK.length : 0)

/** The first bytes of a text, in UTF-8 without a mark. */
export function textHead(file: InputFile): Buffer {
  const { head } = file
  const wide = wideEncoding(head)
  if (wide !== undefined) return Buffer.from(new TextDecoder(wide).decode(head.subarray(0, head.length & ~1)))
  return head.subarray(markBytes(file))
}

/** The bytes of a text without its mark. UTF-16 with a mark becomes UTF-8, which `tally` notes. */
export async function* textBytes(file: InputFile, tally: FileTally): AsyncGenerator<Buffer, void> {
  const wide = wideEncoding(file.head)
  if (wide === undefined) {
    let skip = markBytes(file)
    for await (const chunk of plainBytes(file)) {
      if (chunk.length > skip) yield chunk.subarray(skip)
      skip = Math.max(0, skip - chunk.length)
    }
    return
  }
  tally.note('other encoding', 1, `the file is in ${wide.toUpperCase()}`, 0)
  const decoder = new TextDecoder(wide)
  for await (const chunk of plainBytes(file)) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}
