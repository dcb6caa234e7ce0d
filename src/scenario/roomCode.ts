import { createRequire } from 'node:module'
import { compileFunction, Script } from 'node:vm'

type Utils = typeof import('rolldown/utils')

const require = createRequire(import.meta.url)

/** What the code of a module is given: by these it imports and exports. */
const GIVEN = ['__vite_ssr_import__', '__vite_ssr_exportAll__', '__vite_ssr_exports__', '__vite_ssr_import_meta__', '__vite_ssr_dynamic_import__']
const HEAD = `(function (${GIVEN.join(', ')}) {"use strict";`

/** The script of a module in a room. Its value is one function. */
const scriptOf = (code: string): string => `${HEAD}${code}\n})`

/** Compiled modules by name and text: a sweep evaluates the same file in a new room for each session. */
const compiled = new Map<string, Script>()
const COMPILED_MAX = 200

export function compiledOnce(name: string, code: string): Script {
  const key = `${name}\n${code}`
  let script = compiled.get(key)
  if (script === undefined) {
    // V8 takes no body that ends its function. This one is never called.
    compileFunction(`"use strict";${code}`, GIVEN, { filename: name })
    // A comment of the file could call the script otherwise. V8 takes the last one.
    script = new Script(`${scriptOf(code)}\n//# sourceURL=${name}`, { filename: name, columnOffset: -HEAD.length })
    if (compiled.size === COMPILED_MAX) compiled.delete(compiled.keys().next().value!)
    compiled.set(key, script)
  }
  return script
}

/**
 * What is wrong with code that a room is about to run, null where nothing is. A module becomes a script, which reads some texts otherwise
 * (`await /`, `<!--`): a file made for that could end the function around it. So what runs is parsed as the script that it is, and must be one
 * function, the same when it is parsed as part of a module, and without imports of its own.
 */
export function mistakeOf(path: string, code: string): string | null {
  const { parseSync } = require('rolldown/utils') as Utils
  const text = scriptOf(code)
  const [script, module] = (['script', 'module'] as const).map((sourceType) => parseSync(path, text, { lang: 'js', sourceType }))
  const { errors: [mistake], program: { body } } = script!
  if (mistake !== undefined) return mistake.message
  const [only] = body
  if (body.length !== 1 || only?.type !== 'ExpressionStatement' || bare(only.expression).type !== 'FunctionExpression' || only.end !== text.length) return 'what it has at its top is no module'
  if (textOf(module!.program.body) !== textOf(body)) return 'as a script it would be another program'
  return nodesIn(body).some(({ type }) => type === 'ImportExpression') ? 'a strategy imports nothing while it runs' : null
}

/** Where code of a module waits at its top, null where it does not. */
export function topLevelAwait(program: object): number | null {
  const waits = nodesIn(program, (type) => /Function/.test(type)).find(({ type, await: isForAwait, kind }) =>
    type === 'AwaitExpression' || (type === 'ForOfStatement' && isForAwait === true) || (type === 'VariableDeclaration' && kind === 'await using'))
  return waits?.start ?? null
}

interface Node {
  readonly type: string
  readonly start: number
  /** Of a property. */
  readonly key?: { readonly start: number; readonly name?: unknown; readonly value?: unknown }
  readonly await?: boolean
  readonly kind?: string
}

/** A node without the parentheses around it. */
function bare(node: { readonly type: string }): { readonly type: string } {
  return node.type === 'ParenthesizedExpression' ? bare((node as unknown as { readonly expression: Node }).expression) : node
}

/** All nodes from `root` on, without what is in nodes of the types that `skipped` names. */
export function nodesIn(root: object, skipped: (type: string) => boolean = () => false): Node[] {
  const nodes: Node[] = []
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    const { type } = value as Partial<Node>
    if (typeof type === 'string') {
      if (skipped(type)) continue
      nodes.push(value as Node)
    }
    // Not all at once: a long array would be more arguments than a call may have.
    for (const part of Object.values(value)) waiting.push(part)
  }
  return nodes
}

const textOf = (program: object): string => JSON.stringify(program, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
