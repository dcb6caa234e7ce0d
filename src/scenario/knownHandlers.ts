import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { handlerFault, HANDLERS_OF, handlersHint, type StrategyRole, unknownHandlers, UnknownHandlers } from '../agent/handlerNames.ts'
import { shownWords } from '../unit/visibleText.ts'
import { type Mistake, mistakeAt, ScenarioMistakes } from './mistakes.ts'
import { moduleGraph } from './moduleGraph.ts'
import { nodesIn } from './roomCode.ts'
import { languageOf } from './typeScript.ts'

type Utils = typeof import('rolldown/utils')

const require = createRequire(import.meta.url)

/** A strategy made handlers that there are not. It is a mistake of its file, found when the strategy is created for its seat. */
export class HandlerMistakes extends ScenarioMistakes {
  /** In whose seat, where that is known. */
  participant: string | null = null
}

/**
 * The `create` of a strategy, which throws HandlerMistakes for handlers that its role does not have. It makes handlers no second time: what a
 * file keeps in its variables would be another.
 * @param path of the strategy's file, if it has one.
 */
export function creatingKnownHandlers<A extends unknown[], H extends object>(create: (...given: A) => H, role: StrategyRole, path: string | undefined): (...given: A) => H {
  return (...given) => {
    const made = named(() => create(...given), role, path)
    const unknown = typeof made === 'object' && made !== null ? unknownHandlers(made, HANDLERS_OF[role]) : []
    if (unknown.length > 0) throw mistakesOf(unknown, role, path)
    return made
  }
}

/** What `create` makes. A room tells the names of what it does not make. */
function named<H>(create: () => H, role: StrategyRole, path: string | undefined): H {
  try {
    return create()
  } catch (error) {
    throw error instanceof UnknownHandlers ? mistakesOf(error.names, role, path) : error
  }
}

const mistakesOf = (names: readonly string[], role: StrategyRole, path: string | undefined): HandlerMistakes =>
  new HandlerMistakes(names.map((name) => mistakeOf(name, role, path)))

function mistakeOf(name: string, role: StrategyRole, path: string | undefined): Mistake {
  const message = handlerFault(shownWords(name), role)
  const hint = handlersHint(role)
  const place = path === undefined ? undefined : placeOf(name, path)
  return place === undefined
    ? { position: { file: path ?? `a ${role}` }, path: '', message, hint }
    : mistakeAt(place.file, place.text, place, '', message, hint)
}

interface NamedPlace {
  readonly file: string
  readonly text: string
  readonly line: number
  readonly column: number
}

/** Where a strategy file, or a file that it imports, writes a property of a name. */
function placeOf(name: string, entry: string): NamedPlace | undefined {
  const { parseSync } = require('rolldown/utils') as Utils
  const others = moduleGraph(entry).files.map((file) => resolve(dirname(entry), file)).filter((file) => file !== entry)
  for (const file of [entry, ...others]) {
    const text = readFileSync(file, 'utf8')
    const key = nodesIn(parseSync(file, text, { lang: languageOf(file), sourceType: 'module' }).program)
      .flatMap(({ key: named }) => (named !== undefined && (named.name ?? named.value) === name ? [named] : []))
      .toSorted((a, b) => a.start - b.start)[0]
    if (key === undefined) continue
    const before = text.slice(0, key.start).split('\n')
    return { file, text, line: before.length, column: before.at(-1)!.length + 1 }
  }
  return undefined
}
