import type { Command } from 'commander'
import { InputError } from '../unit/inputError.ts'
import { common, type CommonOptions, print, printJson, remark } from './common.ts'
import { type OpenOption, openPage, withOpen } from './openPage.ts'

interface DiffOptions extends CommonOptions, OpenOption {
  readonly out?: string
}

export function addDiff(program: Command): void {
  const command = program.command('diff').alias('compare').argument('<a>', 'folder of a run').argument('<b>', 'folder of another run')
    .summary('join two runs request by request, and say where their difference in profit comes from')
    .description('Join two runs request by request: for each maker what it filled in both, at the same odds or others, what in one alone and who had it, what it declined, and how much of the difference in profit, B less A, comes of each. The parts add up, to the micro-unit. Besides, the outcomes of both runs are drawn anew, the same in both: the mean of the difference, its range over such nights, and how often B is better (docs/whatif.md).')
  command.option('--out <file>', 'write a page about the difference, too')
  common(withOpen(command), 'parlor diff runs/quickstart runs/quickstart-2', 'parlor diff runs/quickstart runs/quickstart-2 --out difference.html --open').action(diff)
}

async function diff(a: string, b: string, { out, open: isOpened, json }: DiffOptions): Promise<void> {
  if (isOpened === true && out === undefined) throw new InputError('--open needs --out', { hint: 'expected the path of a page, as --out difference.html' })
  const actions = await import('../actions/diff.ts')
  const result = await actions.diff(a, b, { onNote: remark, ...(out !== undefined && { out }) })
  if (isOpened === true) await openPage(out!)
  if (json === true) printJson(result)
  else print(actions.diffText(result))
}
