import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { SettlementFailure } from '../chain/mirror/settlementFailure.ts'
import { DamagedResult, FaultAfterCommit, isOfSystem, LeaseLost } from '../result/failures.ts'
import { Bug } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { withShortLines } from '../unit/visibleText.ts'

/**
 * What kind of thing went wrong: `input` is a mistake of the user, `strategy` one of a strategy, `settlement` a chain that differs from the
 * ledger, `damaged` a result whose files were changed, `system` what the operating system refused, `lease` a folder that another process took
 * over, and `bug` a mistake of parlor.
 */
export type FailureKind = 'input' | 'strategy' | 'settlement' | 'damaged' | 'system' | 'lease' | 'bug'

/** What went wrong, for people and for machines. It crosses threads, which classes of errors do not. */
export interface Failure {
  readonly kind: FailureKind
  /** What people are told, in lines that are cut where they quote long names. Only a bug of parlor shows a stack. */
  readonly text: string
  /** The same for machines: plain JSON. */
  readonly json: { readonly error: Readonly<Record<string, unknown>> }
  /** The participant whose strategy failed. Absent where none did, or none is known. */
  readonly participant?: string
  /** The handler in which it failed. Absent where none is known. */
  readonly handler?: string
}

/** A run, or another action, that failed by no mistake of its caller. */
export class RunFailure extends Error {
  override name = 'RunFailure'
  /** What went wrong, as the command line tells it. */
  declare readonly failure: Failure

  constructor(failure: Failure, cause?: unknown) {
    super(String(failure.json.error['message']), cause === undefined ? undefined : { cause })
    this.failure = failure
  }

  get kind(): FailureKind {
    return this.failure.kind
  }

  /** The participant whose strategy failed, null where none did, or none is known. */
  get participant(): string | null {
    return this.failure.participant ?? null
  }

  /** The handler in which a strategy failed, null where none did, or none is known. */
  get handler(): string | null {
    return this.failure.handler ?? null
  }
}

/** What another thread told of errors that are no `RunFailure`. */
const told = new WeakMap<Error, Failure>()

/** Remembers what another thread told of an error. Returns the error. */
export function toldAs<E extends Error>(error: E, failure: Failure): E {
  told.set(error, failure)
  return error
}

/**
 * Says what an error means to the caller, in the words of the command line.
 *
 * @param error anything that was thrown
 * @param frameAt shows where a strategy threw; its library is not part of what every command begins with
 * @returns what went wrong, for people and for machines
 * @example
 * await run(loadScenario('scenarios/quickstart.yaml', { set: ['makers.0.use=./none.ts'] })).catch((error) => {
 *   const { kind, text } = describeFailure(error)
 *   console.error(kind, text)
 * })
 */
export function describeFailure(error: unknown, frameAt: FrameAt = () => ''): Failure {
  const known = error instanceof RunFailure ? error.failure : error instanceof Error ? told.get(error) : undefined
  if (known !== undefined) return known
  const { text, json, ...about } = wholeFailure(error, frameAt)
  return { ...about, text: withShortLines(text), json: withShortTexts(json) as Failure['json'] }
}

/** The same for machines: a mistake is told of in several of its texts, and each of them may quote the name. */
function withShortTexts(json: unknown): unknown {
  if (typeof json === 'string') return withShortLines(json)
  if (Array.isArray(json)) return json.map(withShortTexts)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, withShortTexts(value)]))
}

function wholeFailure(error: unknown, frameAt: FrameAt): Failure {
  if (error instanceof InputError) return inputFailure(error)
  if (error instanceof Error && error.name === 'StrategyFailure') return strategyFailure(error, frameAt)
  if (error instanceof SettlementFailure) return settlementFailure(error)
  if (error instanceof DamagedResult) {
    return { kind: 'damaged', text: `${error.message}\n  hint: the result was changed: make it again`, json: { error: { kind: 'damaged', message: error.message, files: error.files } } }
  }
  if (error instanceof FaultAfterCommit) return { kind: 'system', text: `error: ${error.message}`, json: { error: { kind: 'system', message: error.message, committed: error.path } } }
  if (error instanceof LeaseLost) return { kind: 'lease', text: `error: ${error.message}`, json: { error: { kind: 'lease', message: error.message } } }
  const system = systemErrorOf(error)
  if (system !== null) return systemFailure(system)
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    kind: 'bug',
    text: `${stack}\n\nThis is a bug of parlor. Please report it with the lines above, the command and the scenario.`,
    json: { error: { kind: 'bug', message: error instanceof Error ? error.message : String(error), stack } },
  }
}

/** What the operating system said, also where an error of ours has it for its cause. */
function systemErrorOf(error: unknown): NodeJS.ErrnoException | null {
  if (!(error instanceof Error) || error instanceof Bug) return null
  return isOfSystem(error) ? error : systemErrorOf(error.cause)
}

function systemFailure({ message, code, errno, syscall, path }: NodeJS.ErrnoException): Failure {
  const where = path === undefined ? '' : ` at ${path}`
  // Node has no name for it.
  const isOverQuota = errno === -constants.errno.EDQUOT
  const text = isOverQuota ? `the disk is full${where} (EDQUOT: disk quota exceeded, ${syscall})` : code === 'ENOSPC' ? `the disk is full${where} (${message})`
    : path !== undefined && message.includes(path) ? message : `${message}${where}`
  return { kind: 'system', text: `error: ${text}`, json: { error: { kind: 'system', message: text } } }
}

function inputFailure(error: InputError): Failure {
  const { message, position, hint } = error
  const mistakes = (error as { mistakes?: unknown }).mistakes
  const json = {
    kind: 'input', message, ...(position === undefined ? {} : { position }), ...(hint === undefined ? {} : { hint }),
    ...(mistakes === undefined ? {} : { mistakes }),
  }
  const text = error.describe()
  return { kind: 'input', text: position === undefined ? `error: ${text}` : text, json: { error: json } }
}

/** The author of a strategy needs the place in the strategy file, and not parlor's own frames. */
function strategyFailure(error: Error, frameAt: FrameAt): Failure {
  const { cause } = error
  const place = cause instanceof Error ? firstPlace(cause.stack ?? '') : undefined
  const who = calledIn(error)
  if (place === undefined) return { kind: 'strategy', ...who, text: `error: ${error.message}`, json: { error: { kind: 'strategy', message: error.message } } }
  const at = [place.file, place.line, place.column].join(':')
  const frame = frameAt(place)
  return {
    kind: 'strategy', ...who, text: `error: ${error.message}\n  at ${at}${frame === '' ? '' : `\n${frame}`}`,
    json: { error: { kind: 'strategy', message: error.message, at, ...(frame === '' ? {} : { frame }) } },
  }
}

/** Who failed, and in which handler, as far as the error has it. */
function calledIn(error: Error): Pick<Failure, 'participant' | 'handler'> {
  const { participant, handler } = error as { participant?: unknown; handler?: unknown }
  return { ...(typeof participant === 'string' ? { participant } : {}), ...(typeof handler === 'string' ? { handler } : {}) }
}

/** A place in a file, from 1 on. */
export interface FilePlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** The lines of a file around a place, empty for none. */
export type FrameAt = (place: FilePlace) => string

/** The first place in a trace, with the path of its file. */
function firstPlace(stack: string): FilePlace | undefined {
  const [, file, line, column] = /\(?((?:file:\/\/)?\/[^\s()]+):(\d+):(\d+)\)?/.exec(stack) ?? []
  return file === undefined ? undefined : { file: file.startsWith('file:') ? fileURLToPath(file) : file, line: Number(line), column: Number(column) }
}

/** A mirrored run is there to find a chain whose sums differ from the ledger's. It is no bug. */
function settlementFailure({ name, message, details }: SettlementFailure): Failure {
  return { kind: 'settlement', text: `error: ${message}`, json: { error: { kind: 'settlement', name, message, ...details } } }
}
