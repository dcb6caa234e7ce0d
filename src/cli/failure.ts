import { CommanderError } from 'commander'
import { describeFailure } from '../actions/failure.ts'
import { withShortLines } from '../unit/visibleText.ts'

/** The exit code of a command: 0 done, 1 the run failed, 2 the input is wrong; of `verify` also 3: nothing differs, and not all could be tried. */
export const ExitCode = { done: 0, failed: 1, wrongInput: 2, unproven: 3 } as const

/** What a command that failed says. */
export interface CommandFailure {
  readonly exitCode: number
  /** Empty when the text has been printed already. */
  readonly text: string
  /** Undefined where nothing failed: help was asked for. */
  readonly json: unknown
}

/** Says what an error means to who called the command. */
export function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommanderError) return usageFailure(error)
  const { kind, text, json } = describeFailure(error)
  return { exitCode: kind === 'input' ? ExitCode.wrongInput : ExitCode.failed, text, json }
}

function usageFailure({ exitCode, code, message }: CommanderError): CommandFailure {
  const asked = code === 'commander.helpDisplayed' || code === 'commander.version' || (code === 'commander.help' && exitCode === 0)
  return {
    exitCode: asked ? ExitCode.done : ExitCode.wrongInput, text: '',
    json: asked ? undefined : { error: { kind: 'usage', message: withShortLines(message.replace(/^error: /, '')) } },
  }
}
