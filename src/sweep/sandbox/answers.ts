import { MarkColumn } from '../../score/columns.ts'
import { SCORE_COLUMNS, SCORE_FIGURES } from '../../score/scores.ts'
import { areAll, isCount, isRecord, isText } from '../../unit/shapes.ts'
import type { Attempt, ScoredTerms } from '../taskPlayers.ts'
import { type Answered, restored } from './words.ts'

type Fields = Readonly<Record<string, unknown>>

const DIGEST = /^[0-9a-f]{64}$/
/** A column of a horizon, such as `markOut60s`. */
const MARK = new RegExp(String.raw`^(?:${Object.keys(MarkColumn).join('|')})\d+(?:\.\d+)?s$`)

const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isTextIfAny = (value: unknown): boolean => value === undefined || isText(value)
const isNumberIfAny = (value: unknown): boolean => value === undefined || typeof value === 'number'

/** An answer out of a sandbox, where anything may have been said. Null for what is none. What it says of a session is believed, where it is about what was asked. @param terms null where a file is read. */
export function answerIn(line: string, terms: ScoredTerms | null): Answered | null {
  const value = jsonOf(line)
  if (!isRecord(value) || !isCount(value['number'])) return null
  const { number, play, read, bug } = value
  if (bug !== undefined) return isText(bug) ? { number, bug } : null
  if (play !== undefined) {
    const attempt = terms !== null && isRecord(play) ? attemptIn(play, terms) : null
    return attempt === null ? null : { number, play: attempt }
  }
  const answer = terms === null && isRecord(read) ? strategyIn(read) : null
  return answer === null ? null : { number, read: answer }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/**
 * What came of a session. Nobody in a sandbox ends more than its own session: what parlor itself would be to blame for, or the machine, is this session's
 * failure.
 */
function attemptIn(fields: Fields, terms: ScoredTerms): Attempt | null {
  const { kind, who, message, excess, digest, differs } = fields
  switch (kind) {
    case 'played': {
      const scores = Array.isArray(fields['scores']) ? fields['scores'].map(withFloats) : []
      return isText(digest) && DIGEST.test(digest) && typeof differs === 'boolean' && scores.length > 0 && scores.every((one) => isScores(one, terms)) && isOnceEach(scores.map((one) => (one as Fields)['service'])) ? { ...fields, scores } as unknown as Attempt : null
    }
    case 'strategy': case 'bug': return isTextOrNull(who) && isText(message) ? { kind, who, message } : null
    case 'input': return isMistake(fields) ? { kind: 'bug', who: null, message: message as string } : null
    case 'system': return isText(message) ? { kind: 'bug', who: null, message } : null
    case 'endless': return isTextOrNull(who) ? { kind, who } : null
    case 'excess': return isRecord(excess) && (excess['kind'] === 'endless' || excess['kind'] === 'memory') && isText(excess['who']) && isText(excess['message']) ? fields as unknown as Attempt : null
    case 'died': return isTextOrNull(who) && isText(message) ? { kind, who, message, isBegun: true } : null
    default: return null
  }
}

const withFloats = (value: unknown): unknown => (isRecord(value) ? { ...value, sums: restored(value['sums']), values: restored(value['values']) } : value)

function isScores(value: unknown, { services, makers: known, clustersMax }: ScoredTerms): boolean {
  if (!isRecord(value)) return false
  const { service, makers, clusters, columns, sums, figures, values } = value
  return isText(service) && services.includes(service) && areAll(makers, isText) && isOnceEach(makers) && makers.every((name) => known.includes(name))
    && areAll(clusters, isText) && clusters.length <= clustersMax && isOnceEach(clusters) && areAll(columns, isText) && areColumns(columns)
    && areAll(figures, isText) && figures.join() === SCORE_FIGURES.join()
    && sums instanceof Float64Array && sums.length === makers.length * clusters.length * columns.length && sums.every(Number.isSafeInteger)
    && values instanceof Float64Array && values.length === makers.length * figures.length && values.every((figure) => Number.isFinite(figure) || Number.isNaN(figure))
}

const isOnceEach = (list: readonly unknown[]): boolean => new Set(list).size === list.length
const areColumns = (columns: readonly string[]): boolean =>
  isOnceEach(columns) && SCORE_COLUMNS.every((name, i) => columns[i] === name) && columns.slice(SCORE_COLUMNS.length).every((name) => MARK.test(name))

const isMistake = ({ message, position, hint }: Fields): boolean =>
  isText(message) && isTextIfAny(hint) && (position === undefined || (isRecord(position) && isText(position['file']) && isNumberIfAny(position['line']) && isNumberIfAny(position['column'])))

function strategyIn(fields: Fields): Extract<Answered, { readonly read: unknown }>['read'] | null {
  if ('message' in fields) return isMistake(fields) ? fields as unknown as Extract<Answered, { readonly read: unknown }>['read'] : null
  const { role, parameters, about, isTrusted } = fields
  if ((role !== 'maker' && role !== 'bettor') || !isTextIfAny(about) || typeof isTrusted !== 'boolean' || !isRecord(parameters)) return null
  const read = Object.entries(parameters).map(([name, of]) => [name, isRecord(of) ? Object.fromEntries(Object.entries(of).map(([key, value]) => [key, restored(value)])) : of] as const)
  return read.every(([, of]) => isParameter(of)) ? { ...fields, parameters: Object.fromEntries(read) } as unknown as Extract<Answered, { readonly read: unknown }>['read'] : null
}

const isParameter = (value: unknown): boolean =>
  isRecord(value) && ['default', 'min', 'max'].every((name) => typeof value[name] === 'number') && isText(value['unit']) && isTextIfAny(value['about'])
