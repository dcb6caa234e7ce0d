import { parseAst } from 'rolldown/parseAst'

/** One small change of a source: the text from `start` to `end` becomes `replacement`. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** The source line, trimmed. */
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const RELATIONS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'], '===': ['!=='], '!==': ['==='],
}
const SUMS: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }
const STEPS: Readonly<Record<string, string>> = { '++': '--', '--': '++', '+=': '-=', '-=': '+=' }
const ROUNDINGS: Readonly<Record<string, string>> = { floor: 'ceil', ceil: 'floor', min: 'max', max: 'min' }
/** Functions whose calls check and change nothing, and those that only make room: without them nothing else can be told. */
const UNTOLD = /^(assert|ensure|ensureAccounts|ensurePositions)$/
/** Methods that a simulated session reads only through snapshots are tested as a whole elsewhere. */
const PLUMBING = /^(constructor|snapshot|restore|hash|parts|rowCount)$/

/** Every mutant of a TypeScript source, in the order of the text. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = []
  const lineStarts = [0, ...[...source.matchAll(/\n/g)].map((match) => match.index + 1)]
  const add = (operator: string, start: number, end: number, replacement: string): void => {
    const line = lineStarts.findLastIndex((from) => from <= start)
    const text = source.slice(lineStarts[line], lineStarts[line + 1] ?? source.length).trim()
    found.push({ file, line: line + 1, operator, start, end, replacement, text })
  }
  const visit = (node: Node): void => {
    if (node.type.startsWith('TS') && node.type !== 'TSNonNullExpression' && node.type !== 'TSAsExpression') return
    if (node.type === 'ImportDeclaration') return
    if (node.type === 'MethodDefinition' && PLUMBING.test(nameOf(node['key']))) return
    mutate(node, source, add)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseAst(source, { lang: 'ts' }, file) as unknown as Node)
  return found.sort((a, b) => a.start - b.start || a.end - b.end)
}

type Add = (operator: string, start: number, end: number, replacement: string) => void

function mutate(node: Node, source: string, add: Add): void {
  switch (node.type) {
    case 'BinaryExpression': {
      const operator = node['operator'] as string
      for (const other of RELATIONS[operator] ?? []) swapOperator(node, source, operator, other, 'relation', add)
      if (SUMS[operator] !== undefined) swapOperator(node, source, operator, SUMS[operator], 'arithmetic', add)
      return
    }
    case 'LogicalExpression': {
      const operator = node['operator'] as string
      if (operator === '??') return
      return swapOperator(node, source, operator, operator === '&&' ? '||' : '&&', 'logic', add)
    }
    case 'UnaryExpression':
      if (node['operator'] === '!') add('negation', node.start, node.start + 1, '')
      return
    case 'UpdateExpression': case 'AssignmentExpression': {
      const other = STEPS[node['operator'] as string]
      if (other === undefined) return
      const at = source.indexOf(node['operator'] as string, node.type === 'UpdateExpression' ? node.start : (node['left'] as Node).end)
      return add('step', at, at + other.length, other)
    }
    case 'IfStatement': case 'ConditionalExpression': {
      const { start, end } = node['test'] as Node
      add('condition', start, end, 'true')
      return add('condition', start, end, 'false')
    }
    case 'CallExpression': {
      const callee = node['callee'] as Node
      if (callee.type !== 'MemberExpression' || nameOf(callee['object']) !== 'Math') return
      const property = callee['property'] as Node
      const other = ROUNDINGS[nameOf(property)]
      return other === undefined ? undefined : add('rounding', property.start, property.end, other)
    }
    case 'ExpressionStatement': {
      const expression = node['expression'] as Node
      if (expression.type === 'CallExpression' && UNTOLD.test(nameOf(expression['callee']))) return
      if (/^(CallExpression|AssignmentExpression|UpdateExpression)$/.test(expression.type)) add('statement', node.start, node.end, ';')
    }
  }
}

function swapOperator(node: Node, source: string, operator: string, other: string, name: string, add: Add): void {
  const at = source.indexOf(operator, (node['left'] as Node).end)
  add(name, at, at + operator.length, other)
}

/** Name of an identifier, or of the last part of a member expression. */
function nameOf(node: unknown): string {
  const { type, name, property } = node as { type: string; name?: string; property?: unknown }
  return type === 'MemberExpression' ? nameOf(property) : name ?? ''
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value)
}
