import type { Command } from 'commander'
import type { Parameters } from '../agent/parameters.ts'
import { shownWords } from '../unit/visibleText.ts'
import { columnsText, common, type CommonOptions, print, printJson, type TrustOptions, withTrust } from './common.ts'
import type { Interruption } from './signals.ts'

interface Described {
  readonly name: string
  readonly role: string
  readonly parameters: Parameters
  /** What the strategy does. */
  readonly about?: string
}

export function addStrategies(program: Command, interruption: () => Interruption): void {
  const command = program.command('strategies').argument('[file...]', 'strategy files to describe instead')
    .summary('list the strategies and their parameters')
    .description('List the built-in strategies with their parameters, or those of strategy files.')
  withTrust(command)
  common(command, 'parlor strategies', 'parlor strategies ./mine.ts').action(async (files: readonly string[], options: CommonOptions & TrustOptions) => {
    const described = files.length === 0 ? await builtIn() : await ofFiles(files, options.trusted === true, interruption().signal)
    if (options.json === true) return printJson(described)
    const { parameterText } = await import('../scenario/settings.ts')
    for (const { name, role, parameters, about } of described) {
      print(`${name} (${role})`)
      if (about !== undefined) print(`  ${shownWords(about)}`)
      const rows = Object.entries(parameters).map(([key, parameter]) => {
        const { default: value, range } = parameterText(parameter)
        return [`  ${key}`, value, range, parameter.about ?? '']
      })
      if (rows.length > 0) print(columnsText([['  parameter', 'default', 'range', ''], ...rows]))
      print('')
    }
  })
}

function described(name: string, strategy: { readonly role: string; readonly parameters: Parameters; readonly about?: string }): Described {
  const { role, parameters, about } = strategy
  return { name, role, parameters, ...(about === undefined ? {} : { about }) }
}

async function builtIn(): Promise<Described[]> {
  const { BUILT_IN_BETTORS, BUILT_IN_MAKERS, SCRIPTED } = await import('../scenario/builtIn.ts')
  return [
    ...Object.entries({ ...BUILT_IN_MAKERS, ...BUILT_IN_BETTORS }).map(([name, strategy]) => described(name, strategy)),
    { name: SCRIPTED, role: 'bettor', parameters: {}, about: 'makes the requests that the scenario lists; see `parlor schema`' },
  ]
}

/** Files are read in a thread of their own, so that one whose loading never ends is ended and named. */
async function ofFiles(files: readonly string[], isTrusted: boolean, signal: AbortSignal): Promise<Described[]> {
  const [{ loadStrategyOfAnyRole }, { StrategyReader }] = await Promise.all([import('../scenario/strategies.ts'), import('../sweep/strategyReader.ts')])
  const reader = new StrategyReader({ isTrusted, signal })
  try {
    const all: Described[] = []
    for (const file of files) all.push(described(file, (await loadStrategyOfAnyRole(file, reader.read)).strategy))
    return all
  } finally {
    await reader.close()
  }
}
