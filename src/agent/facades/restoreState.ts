import { isTypedColumn, type TypedColumn } from '../../unit/snapshot.ts'

type Tree = { [name: string]: unknown }

/** What kind of object a value is, of whatever realm. An image and the state that it restores may be of different ones. */
const kindOf = (value: unknown): string => (typeof value !== 'object' || value === null ? 'plain' : Object.prototype.toString.call(value))

const isTree = (value: unknown): value is Tree => kindOf(value) === '[object Object]'

/**
 * Makes `state` equal to `image` in place. Objects, lists and columns that both have stay the same objects, because a strategy's
 * closures may refer to them. Keys come in the image's order. Nothing of the image is kept: what is new is made in this module's realm.
 */
export function restoreState(state: Tree, image: Readonly<Tree>): void {
  const former = { ...state }
  for (const name of Object.keys(state)) delete state[name]
  for (const [name, value] of Object.entries(image)) state[name] = restored(former[name], value)
}

/** A copy in this module's realm. */
export const copiedState = (state: Readonly<Tree>): { [name: string]: never } => copyOf(state) as { [name: string]: never }

function restored(former: unknown, value: unknown): unknown {
  if (isTree(value) && isTree(former)) {
    restoreState(former, value)
    return former
  }
  if (Array.isArray(value) && Array.isArray(former)) {
    const items = Array.from(value as unknown[], (item, i) => restored(former[i], item))
    former.length = items.length
    for (const [i, item] of items.entries()) former[i] = item
    return former
  }
  if (isTypedColumn(value) && isTypedColumn(former) && kindOf(former) === kindOf(value) && former.length === value.length) {
    // Whoever makes a column may give it a `set` of its own, which would get the image.
    for (let i = 0; i < value.length; i++) former[i] = value[i]!
    return former
  }
  return copyOf(value)
}

const COLUMNS: Readonly<Record<string, new (of: ArrayLike<number>) => TypedColumn>> = {
  '[object Float64Array]': Float64Array, '[object Float32Array]': Float32Array, '[object Int32Array]': Int32Array, '[object Uint32Array]': Uint32Array,
  '[object Int16Array]': Int16Array, '[object Uint16Array]': Uint16Array, '[object Int8Array]': Int8Array, '[object Uint8Array]': Uint8Array,
} as never

/** A copy in this realm. Throws for what no state may hold: plain data, lists, maps, sets and columns are all there is. */
function copyOf(value: unknown): unknown {
  const kind = kindOf(value)
  switch (kind) {
    case 'plain': return value
    case '[object Object]': {
      const copy: Tree = {}
      for (const [name, held] of Object.entries(value as Tree)) copy[name] = copyOf(held)
      return copy
    }
    case '[object Array]': return Array.from(value as unknown[], copyOf)
    case '[object Map]': return new Map([...(value as Map<unknown, unknown>)].map(([key, held]) => [copyOf(key), copyOf(held)]))
    case '[object Set]': return new Set([...(value as Set<unknown>)].map(copyOf))
  }
  const Column = COLUMNS[kind]
  if (Column === undefined) throw new Error(`a state cannot hold ${kind}`)
  return new Column(value as unknown as ArrayLike<number>)
}
