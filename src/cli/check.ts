import type { Command } from 'commander'
import { plural } from '../unit/numberText.ts'
import type { FileMistake } from '../actions/check.ts'
import { common, type CommonOptions, print, printJson, remark, type TrustOptions, withTrust } from './common.ts'
import { ExitCode } from './failure.ts'
import type { Interruption } from './signals.ts'

export function addCheck(program: Command, interruption: () => Interruption): void {
  const command = program.command('check').argument('<file...>', 'strategy files, and scenarios (.yaml)')
    .summary('check strategy files, and what scenarios can ask for')
    .description('Check strategy files: their types, by TypeScript with parlor\'s own declarations, and what a session would refuse: a file that does not load, is no strategy, or has handlers that there are not. The exit code is 2 where a file is wrong. Of a scenario: what a run would refuse, and which filter keeps which bettors from which markets, with the setting to change where none is left, and when arrivals.max ends arrivals. Strategy files need TypeScript, which parlor comes without: where it is missing, the command that adds it is said.')
  withTrust(command)
  common(command, 'parlor check ./mine.ts', 'parlor check scenarios/quickstart.yaml').action(async (files: readonly string[], options: CommonOptions & TrustOptions) => { await check(files, options, interruption) })
}

async function check(files: readonly string[], { json, trusted }: CommonOptions & TrustOptions, interruption: () => Interruption): Promise<void> {
  const actions = await import('../actions/check.ts')
  const { ok, mistakes, cohorts, arrivalsEnds } = await actions.check(files, { trusted: trusted === true, signal: interruption().signal })
  if (!ok) process.exitCode = ExitCode.wrongInput
  if (json === true) return printJson({ ok, mistakes, ...(cohorts.length > 0 && { cohorts }), ...(arrivalsEnds.length > 0 && { arrivalsEnds }) })
  for (const mistake of mistakes) remark(mistakeText(mistake))
  for (const { text } of cohorts) print(text)
  for (const { text } of arrivalsEnds) print(`arrivals: ${text}`)
  if (ok) print(`${plural(files.length, 'file')}: nothing is wrong`)
  else remark(plural(mistakes.length, 'mistake'))
}

function mistakeText({ file, line, column, code, message, hint }: FileMistake): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return `${place}: ${code === undefined ? '' : `${code}: `}${message}${hint === undefined ? '' : `\n  hint: ${hint}`}`
}
