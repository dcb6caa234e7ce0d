/** A value within an object, and the objects around it. */
export interface Found {
  readonly value: unknown
  /** What the member is called that `*` came to last: a name in an object, a place in a list. '' where no path had one. */
  readonly name: string
  /** The next object around it, null around the outermost one. */
  readonly around: Found | null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Stands for each member of an object or list in a path, and for the name of the member in a column. */
const EACH = '*'

/**
 * The rows that lie in an object at a path of names with dots between them. Lists on the way are gone through. `*` goes to each member of an
 * object or list. A list at the end has a row in each item, and an object is one row.
 */
export function itemsAt(whole: Found, path: string): readonly Found[] {
  return endsAt(whole, path).flatMap((one) => (Array.isArray(one.value) ? one.value.map((value: unknown) => ({ ...one, value })) : isObject(one.value) ? [one] : []))
}

/** The lists at paths that have no item: of each object around such lists one, as a row that has nothing itself, unless another path has items of that object. */
export function emptyListsAt(whole: Found, paths: readonly string[]): readonly Found[] {
  const ends = paths.flatMap((path) => endsAt(whole, path))
  const isEmpty = ({ value }: Found): boolean => Array.isArray(value) && value.length === 0
  const told = new Set(ends.filter((one) => !isEmpty(one) && typeof one.value === 'object' && one.value !== null).map(({ around }) => around?.value))
  return ends.flatMap((one) => {
    if (!isEmpty(one) || told.has(one.around?.value)) return []
    told.add(one.around?.value)
    return [{ ...one, value: {} }]
  })
}

function endsAt(whole: Found, path: string): readonly Found[] {
  let found: readonly Found[] = [whole]
  for (const name of path.split('.')) found = found.flatMap((one) => membersOf(one, name))
  return found
}

function membersOf(at: Found, name: string): readonly Found[] {
  const { value } = at
  // A list in a list is gone into by `*` alone: lists may nest without end.
  if (Array.isArray(value) && name !== EACH) return value.flatMap((item: unknown) => (isObject(item) ? membersOf({ ...at, value: item }, name) : []))
  if (typeof value !== 'object' || value === null) return []
  const around = isObject(value) ? at : at.around
  if (name !== EACH) return Object.hasOwn(value, name) ? [{ value: (value as Readonly<Record<string, unknown>>)[name], name: at.name, around }] : []
  return Object.entries(value).map(([member, inside]) => ({ value: inside, name: member, around }))
}

/** Looks a column up: a path of names with dots between them. */
export class ItemColumn {
  private declare readonly path: string
  private declare readonly names: readonly string[]
  private declare readonly hasEach: boolean

  constructor(path: string) {
    this.path = path
    this.names = path.split('.')
    this.hasEach = this.names.includes(EACH)
  }

  /** What the row has at the path, otherwise what the objects around it have, the next one first. Undefined where none has it. */
  valueOf(row: Found): unknown {
    if (this.path === EACH && row.name !== '') return row.name
    const names = this.hasEach ? this.names.map((name) => (name === EACH ? row.name : name)) : this.names
    for (let at: Found | null = row; at !== null; at = at.around) {
      const value = this.within(at.value, names)
      if (value !== undefined) return value
    }
    return undefined
  }

  private within(value: unknown, names: readonly string[]): unknown {
    if (typeof value !== 'object' || value === null) return undefined
    // A name may have dots itself.
    if (Object.hasOwn(value, this.path)) return (value as Readonly<Record<string, unknown>>)[this.path]
    return names.length === 1 && !this.hasEach ? undefined : at(value, names, 0)
  }
}

/** What lies at a path. Of a list, what its items have there. */
function at(value: unknown, names: readonly string[], from: number): unknown {
  if (from === names.length) return value
  const name = names[from]!
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, name)) return at((value as Readonly<Record<string, unknown>>)[name], names, from + 1)
  if (!Array.isArray(value)) return undefined
  const inside = value.map((item: unknown) => (isObject(item) ? at(item, names, from) : undefined)).filter((one) => one !== undefined)
  return inside.length === 0 ? undefined : inside
}

/** Paths that an object has, of the objects in it too. */
export function pathsOf(value: unknown, into: Set<string>, before = '', depth = 0): void {
  if (!isObject(value)) return
  for (const [name, inside] of Object.entries(value)) {
    if (isObject(inside) && depth < 4) pathsOf(inside, into, `${before}${name}.`, depth + 1)
    else into.add(`${before}${name}`)
  }
}

/** The value of a JSON text of which only the beginning may be there: as far as its last whole member. Undefined for what is no beginning of JSON. */
export function beginningOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return cutOff(text)
  }
}

function cutOff(text: string): unknown {
  const open: string[] = []
  let isText = false
  let end = 0
  let closers = ''
  for (let i = 0; i < text.length; i += 1) {
    const letter = text[i]!
    if (isText) {
      if (letter === '\\') i += 1
      else if (letter === '"') isText = false
    } else if (letter === '"') isText = true
    else if (letter === '{' || letter === '[') open.push(letter === '{' ? '}' : ']')
    else if (letter === '}' || letter === ']') open.pop()
    // What stands before a comma is whole.
    else if (letter === ',') {
      end = i
      closers = open.toReversed().join('')
    }
  }
  try {
    return end === 0 ? undefined : JSON.parse(text.slice(0, end) + closers)
  } catch {
    return undefined
  }
}
