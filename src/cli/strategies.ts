import type { Command } from 'commander'
import { columnsText } from '../unit/columnsText.ts'
import { shownWords } from '../unit/visibleText.ts'
import { common, type CommonOptions, print, printJson, type TrustOptions, withTrust } from './common.ts'
import type { Interruption } from './signals.ts'

export function addStrategies(program: Command, interruption: () => Interruption): void {
  const command = program.command('strategies').argument('[file...]', 'strategy files to describe instead')
    .summary('list the strategies and their parameters')
    .description('List the built-in strategies with their parameters, or those of strategy files.')
  withTrust(command)
  common(command, 'parlor strategies', 'parlor strategies ./mine.ts').action(async (files: readonly string[], options: CommonOptions & TrustOptions) => {
    const { describeStrategies, listStrategies, parameterText } = await import('../actions/listStrategies.ts')
    const described = files.length === 0 ? await listStrategies() : await describeStrategies(files, { trusted: options.trusted === true, signal: interruption().signal })
    if (options.json === true) return printJson(described)
    for (const { name, role, parameters, about } of described) {
      print(`${name} (${role})`)
      if (about !== undefined) print(`  ${shownWords(about)}`)
      const rows = Object.entries(parameters).map(([key, parameter]) => {
        const { default: value, range } = parameterText(parameter)
        return [`  ${key}`, value, range, aboutText(key, parameter)]
      })
      if (rows.length > 0) print(columnsText([['  parameter', 'default', 'range', ''], ...rows]))
      print('')
    }
  })
}

/** What a parameter is, and which setting of a scenario takes the place of its default. */
function aboutText(key: string, { unit, about }: { readonly unit: string; readonly about?: string }): string {
  const parts = [about ?? '', key === 'maxAge' && unit === 'us' ? 'history.maxAge of a scenario takes the place of this default' : '']
  return parts.filter((part) => part !== '').join('; ')
}
