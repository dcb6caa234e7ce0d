import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { CommanderError } from 'commander'
import { SettlementFailure } from '../chain/mirror/settlementFailure.ts'
import { DamagedResult, FaultAfterCommit, isOfSystem, LeaseLost } from '../result/failures.ts'
import { Bug } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { withShortLines } from '../unit/visibleText.ts'

/** The exit code of a command: 0 done, 1 the run failed, 2 the input is wrong. */
export const ExitCode = { done: 0, failed: 1, wrongInput: 2 } as const

/** What went wrong, for people and for machines. */
export interface Failure {
  readonly exitCode: number
  /** Empty when the text has been printed already. */
  readonly text: string
  readonly json: unknown
}

/** What went wrong in another thread, as that thread told it: classes of errors do not survive the message. */
export class ToldFailure extends Error {
  override name = 'ToldFailure'
  declare readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.text)
    this.failure = failure
  }
}

/**
 * Says what an error means to the caller, in lines that are cut where they quote long names. Only a bug of parlor shows a stack.
 * @param frameAt shows where a strategy threw; its library is not part of what every command begins with.
 */
export function failureOf(error: unknown, frameAt: FrameAt = () => ''): Failure {
  const { exitCode, text, json } = wholeFailure(error, frameAt)
  return { exitCode, text: withShortLines(text), json: withShortTexts(json) }
}

/** The same for machines: a mistake is told of in several of its texts, and each of them may quote the name. */
function withShortTexts(json: unknown): unknown {
  if (typeof json === 'string') return withShortLines(json)
  if (Array.isArray(json)) return json.map(withShortTexts)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, withShortTexts(value)]))
}

function wholeFailure(error: unknown, frameAt: FrameAt): Failure {
  if (error instanceof ToldFailure) return error.failure
  if (error instanceof CommanderError) return usageFailure(error)
  if (error instanceof InputError) return inputFailure(error)
  if (error instanceof Error && error.name === 'StrategyFailure') return strategyFailure(error, frameAt)
  if (error instanceof SettlementFailure) return settlementFailure(error)
  if (error instanceof DamagedResult) {
    return { exitCode: ExitCode.failed, text: `${error.message}\n  hint: the result was changed: make it again`, json: { error: { kind: 'damaged', message: error.message, files: error.files } } }
  }
  if (error instanceof FaultAfterCommit) return { exitCode: ExitCode.failed, text: `error: ${error.message}`, json: { error: { kind: 'system', message: error.message, committed: error.path } } }
  if (error instanceof LeaseLost) return { exitCode: ExitCode.failed, text: `error: ${error.message}`, json: { error: { kind: 'lease', message: error.message } } }
  const system = systemErrorOf(error)
  if (system !== null) return systemFailure(system)
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    exitCode: ExitCode.failed,
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
  return { exitCode: ExitCode.failed, text: `error: ${text}`, json: { error: { kind: 'system', message: text } } }
}

function usageFailure({ exitCode, code, message }: CommanderError): Failure {
  const asked = code === 'commander.helpDisplayed' || code === 'commander.version' || (code === 'commander.help' && exitCode === 0)
  return {
    exitCode: asked ? ExitCode.done : ExitCode.wrongInput, text: '',
    json: asked ? undefined : { error: { kind: 'usage', message: message.replace(/^error: /, '') } },
  }
}

function inputFailure(error: InputError): Failure {
  const { message, position, hint } = error
  const mistakes = (error as { mistakes?: unknown }).mistakes
  const json = {
    kind: 'input', message, ...(position === undefined ? {} : { position }), ...(hint === undefined ? {} : { hint }),
    ...(mistakes === undefined ? {} : { mistakes }),
  }
  const text = error.describe()
  return { exitCode: ExitCode.wrongInput, text: position === undefined ? `error: ${text}` : text, json: { error: json } }
}

/** The author of a strategy needs the place in the strategy file, and not parlor's own frames. */
function strategyFailure(error: Error, frameAt: FrameAt): Failure {
  const { cause } = error
  const place = cause instanceof Error ? firstPlace(cause.stack ?? '') : undefined
  if (place === undefined) return { exitCode: ExitCode.failed, text: `error: ${error.message}`, json: { error: { kind: 'strategy', message: error.message } } }
  const at = [place.file, place.line, place.column].join(':')
  const frame = frameAt(place)
  return {
    exitCode: ExitCode.failed, text: `error: ${error.message}\n  at ${at}${frame === '' ? '' : `\n${frame}`}`,
    json: { error: { kind: 'strategy', message: error.message, at, ...(frame === '' ? {} : { frame }) } },
  }
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

/** A mirrored run is there to find a chain whose sums differ from the ledger's. It is no bug of the command line. */
function settlementFailure({ name, message, details }: SettlementFailure): Failure {
  return { exitCode: ExitCode.failed, text: `error: ${message}`, json: { error: { kind: 'settlement', name, message, ...details } } }
}
