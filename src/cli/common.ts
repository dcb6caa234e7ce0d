import type { Command } from 'commander'
import { InputError } from '../unit/inputError.ts'
import { visibleText, withShortLines } from '../unit/visibleText.ts'

/** Options of every command. */
export interface CommonOptions {
  readonly json?: boolean
}

/** Option of the commands that play strategy files. */
export interface TrustOptions {
  readonly trusted?: boolean
}

/** Options of the commands that read a scenario. */
export interface ScenarioOptions {
  readonly seed?: string
  readonly set?: readonly string[]
}

/** What the command line lays over a scenario. */
export const overridesOf = ({ set = [], seed }: ScenarioOptions): { readonly set: readonly string[]; readonly seed?: string } => ({ set, ...(seed === undefined ? {} : { seed }) })

export const withTrust = (command: Command): Command =>
  command.option('--trusted', 'run strategy files as any program of yours: with files, network, clock and packages')

/** Option of the commands that play strategies of others. */
export interface SandboxOptions {
  readonly sandbox?: boolean | 'strict' | 'weak'
}

export const withSandbox = (command: Command): Command =>
  command.option('--sandbox [level]', 'play strategies in processes without network and files, by bubblewrap (strict, which is the default level); weak: without bubblewrap, which holds nobody who leaves its room')

/** Adds what every command has. Each example is one line that works. */
export const common = (command: Command, ...examples: readonly string[]): Command =>
  withExamples(command.option('--json', 'print one JSON document for machines'), ...examples)

/** Adds the examples to a command that has a `--json` of its own. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
}

/** Collects a repeatable option. */
export const collect = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** Prints a text for people, in lines that are cut where they are long. */
export const print = (text: string): void => {
  const visible = withShortLines(visibleText(text))
  process.stdout.write(visible.endsWith('\n') ? visible : `${visible}\n`)
}

export const printJson = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

/** Prints a remark for people. It goes to stderr, so that piped output stays clean. */
export const remark = (text: string): void => {
  process.stderr.write(`${withShortLines(visibleText(text))}\n`)
}

/** Reads a whole number of the command line. */
export function wholeNumber(text: string, what: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(value)) throw new InputError(`expected ${what}, a whole number, got ${text}`)
  return value
}

export function atLeastOne(text: string, what: string): number {
  const value = wholeNumber(text, what)
  if (value < 1) throw new InputError(`expected ${what}, 1 or more, got ${text}`)
  return value
}

/** Where people find a row of a file: by its line, or by its path in a JSON document. */
export const rowPlace = (file: string, row: number, path: string | null | undefined): string => (path === undefined || path === null ? `${file}:${row}` : `${file} ${path}`)
