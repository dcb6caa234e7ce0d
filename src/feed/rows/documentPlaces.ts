import { FileTally } from '../importTally.ts'
import type { InputFile } from './inputFiles.ts'
import { isDocument, jsonValues, type TakeValue } from './jsonValues.ts'
import { rowsWithin } from './jsonTable.ts'
import type { RowLayout } from './rowBatch.ts'
import { textHead } from './textBytes.ts'

const NAME = /^[A-Za-z_]\w*$/
const member = (name: string): string => (NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)

/** All of a document, which a path need not tell. */
const WHOLE = '$'

/** Where the values of a document lie, by their place in it, from 1. */
const pathOf = (file: InputFile, number: number): string => (textHead(file).toString('latin1', 0, 256).trimStart().startsWith('[') ? `${WHOLE}[${number - 1}]` : WHOLE)

/** Where a value of a file lies that is one JSON document. Undefined in any other file, and of one that is all of the document. */
export async function valuePlace(file: InputFile, number: number): Promise<string | undefined> {
  const path = pathOf(file, number)
  return path !== WHOLE && await isDocument(file, new FileTally(file.name)) ? path : undefined
}

/** Where rows lie in a file that is one JSON document, by number. Empty for any other file. */
export async function documentPlaces(file: InputFile, layout: RowLayout, numbers: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> {
  const places = new Map<number, string>()
  // What is wrong with the document has been told of.
  const nobody = new FileTally(file.name)
  if (numbers.size === 0 || !(await isDocument(file, nobody))) return places
  let row = 1
  const take: TakeValue = (value, number) => {
    const path = pathOf(file, number)
    // Code that makes rows of objects numbers these.
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const { all = [], count = 1 } = layout.shape === undefined && isObject ? rowsWithin(value, layout) : {}
    for (let i = 0; i < Math.max(1, count); i += 1) {
      if (!numbers.has(row + i)) continue
      const found = all[i]
      const place = path + (found === undefined ? '' : pathTo(value, found.value) ?? (found.around === null ? '' : pathTo(value, found.around.value) ?? ''))
      if (place !== WHOLE) places.set(row + i, place)
    }
    row += count
  }
  for await (const _ of jsonValues(file, nobody, true, take)) if (places.size === numbers.size) break
  return places
}

/** The path of an object or list within another, undefined where it is none. Looks at one level after the other. */
function pathTo(whole: unknown, sought: unknown): string | undefined {
  if (typeof sought !== 'object' || sought === null) return undefined
  let level: (readonly [value: unknown, path: string])[] = [[whole, '']]
  while (level.length > 0) {
    const found = level.find(([value]) => value === sought)
    if (found !== undefined) return found[1]
    level = level.flatMap(([value, path]) => {
      if (Array.isArray(value)) return value.map((item: unknown, i) => [item, `${path}[${i}]`] as const)
      return typeof value === 'object' && value !== null ? Object.entries(value).map(([name, item]) => [item, path + member(name)] as const) : []
    })
  }
  return undefined
}
