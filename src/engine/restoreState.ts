import { isTypedColumn, type TypedColumn } from '../unit/snapshot.ts'

type Tree = { [name: string]: unknown }

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

/**
 * Makes `state` equal to `image` in place. Objects, lists and columns that both have stay the same objects, because a strategy's
 * closures may refer to them. Keys come in the image's order. Nothing of the image is kept.
 */
export function restoreState(state: Tree, image: Readonly<Tree>): void {
  const former = { ...state }
  for (const name of Object.keys(state)) delete state[name]
  for (const [name, value] of Object.entries(image)) state[name] = restored(former[name], value)
}

function restored(former: unknown, value: unknown): unknown {
  if (isTree(value) && isTree(former)) {
    restoreState(former, value)
    return former
  }
  if (Array.isArray(value) && Array.isArray(former)) {
    const items = value.map((item, i) => restored(former[i], item))
    former.splice(0, former.length, ...items)
    return former
  }
  if (isTypedColumn(value) && isTypedColumn(former) && former.constructor === value.constructor && former.length === value.length) {
    former.set(value as TypedColumn as never)
    return former
  }
  return structuredClone(value)
}
