import { type FileMetaData, parquetSchema, type SchemaElement, type SchemaTree } from 'hyparquet'
import { isListLike, isMapLike } from 'hyparquet/src/schema.js'
import { decimalText, isExactDecimal, unscaledOf } from './decimals.ts'

/** A column as mappings name it: one of the file's own, or a field of a struct by its path, as `instrument.symbol`. */
export interface NamedColumn {
  readonly name: string
  /** The file's own column that has it. */
  readonly top: string
  /** What the file says of its values. */
  readonly element: SchemaElement
  /** Makes its value of what hyparquet gives for the file's own column. Null where that is the value. */
  readonly pick: ((value: unknown) => unknown) | null
}

/** The columns of a file, in its order, each struct with its fields behind it. */
export const namedColumns = (metadata: FileMetaData): NamedColumn[] => parquetSchema(metadata).children.flatMap((tree) => namedIn(tree, tree.element.name, []))

function namedIn(tree: SchemaTree, top: string, path: readonly string[]): NamedColumn[] {
  const mend = tree.children.length === 0 ? null : mendOf(tree)
  const own = { name: [top, ...path].join('.'), top, element: tree.element, pick: path.length === 0 && mend === null ? null : (value: unknown) => (mend ?? same)(fieldOf(value, path)) }
  return [own, ...(isStruct(tree) ? tree.children.flatMap((child) => namedIn(child, top, [...path, child.element.name])) : [])]
}

const same = (value: unknown): unknown => value

const isStruct = (tree: SchemaTree): boolean => tree.children.length > 0 && tree.element.repetition_type !== 'REPEATED' && !isListLike(tree) && !isMapLike(tree)

function fieldOf(value: unknown, path: readonly string[]): unknown {
  let here = value
  for (const name of path) here = here === null || typeof here !== 'object' ? null : (here as Readonly<Record<string, unknown>>)[name]
  return here ?? null
}

type Mend = (value: unknown) => unknown

/** Makes decimals within lists and structs of what is stored, as texts. Null where there are none. */
function mendOf(tree: SchemaTree): Mend | null {
  const { element, children } = tree
  if (isMapLike(tree)) return null
  if (children.length === 0) {
    if (!isExactDecimal(element)) return null
    return inList(element, (value) => {
      const unscaled = unscaledOf(value)
      return unscaled === null ? null : decimalText(unscaled, element.scale ?? 0)
    })
  }
  if (isListLike(tree)) {
    const [list] = children
    // A list of two levels repeats its items themselves.
    const items = list!.children.length === 1 ? mendOf(list!.children[0]!) : null
    return items === null ? null : (value) => (Array.isArray(value) ? value.map(items) : value)
  }
  const fields = children.flatMap((child) => {
    const mend = mendOf(child)
    return mend === null ? [] : [[child.element.name, mend] as const]
  })
  if (fields.length === 0) return null
  return inList(element, (value) => {
    if (value === null || typeof value !== 'object') return value
    const mended: Record<string, unknown> = { ...value }
    for (const [name, mend] of fields) mended[name] = mend(mended[name])
    return mended
  })
}

const inList = ({ repetition_type: repetition }: SchemaElement, mend: Mend): Mend => (repetition === 'REPEATED' ? (value) => (Array.isArray(value) ? value.map(mend) : mend(value)) : mend)
