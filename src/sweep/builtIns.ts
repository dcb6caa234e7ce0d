/** Built-in objects of the language that modules of one thread share. */
const SHARED = [
  'Object', 'Function', 'Array', 'Number', 'String', 'Boolean', 'Symbol', 'BigInt', 'Map', 'Set', 'WeakMap', 'WeakSet', 'Promise', 'RegExp', 'Date', 'Error',
  'Iterator', 'JSON', 'Math', 'Reflect', 'Float64Array', 'Int32Array', 'Uint8Array', 'ArrayBuffer', 'DataView',
] as const

// Who looks for changes calls nothing that may have been changed.
const { getOwnPropertyDescriptor, is } = Object
const { ownKeys } = Reflect

interface Member {
  readonly path: string
  readonly of: object
  readonly key: PropertyKey
  readonly value: unknown
  readonly get: unknown
}

function membersOf(path: string, of: object): Member[] {
  return ownKeys(of).map((key) => {
    const { value, get } = getOwnPropertyDescriptor(of, key)!
    return { path: `${path}.${String(key)}`, of, key, value, get }
  })
}

const MEMBERS = SHARED.flatMap((name) => {
  const shared = (globalThis as unknown as Record<string, { readonly prototype?: object }>)[name]
  if (shared === undefined) return []
  return [...membersOf(name, shared), ...(shared.prototype === undefined ? [] : membersOf(`${name}.prototype`, shared.prototype))]
})

/** Tools that map the places of traces set them. */
const OF_TOOLS = ['Error.prepareStackTrace', 'Error.stackTraceLimit']
const WATCHED = MEMBERS.filter(({ path }) => !OF_TOOLS.includes(path))

/** The first built-in member that is another than when this module was loaded, such as `Array.prototype.sort`; null for none. */
export function changedBuiltIn(): string | null {
  for (let i = 0; i < WATCHED.length; i++) {
    const { path, of, key, value, get } = WATCHED[i]!
    const now = getOwnPropertyDescriptor(of, key)
    if (now === undefined || !is(now.value, value) || now.get !== get) return path
  }
  return null
}
