import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { isThreadLeft, nameSources } from '../actions/threads.ts'
import { visibleText, withShortLines } from '../unit/visibleText.ts'
import { addCheck } from './check.ts'
import { printJson, remark } from './common.ts'
import { addData } from './data.ts'
import { addDiff } from './diff.ts'
import { addExplain } from './explain.ts'
import { failureOf } from './failure.ts'
import { addImport } from './import.ts'
import { addInit } from './init.ts'
import { enlargeWorkerHeaps, widenInlining } from './v8.ts'
import { addLeague } from './league.ts'
import { addQueue } from './queue.ts'
import { addReconcile } from './reconcile.ts'
import { addRedraw } from './redraw.ts'
import { addReport } from './report.ts'
import { addRfqs } from './rfqs.ts'
import { addRun } from './run.ts'
import { addSchema } from './schema.ts'
import { addServe } from './serve.ts'
import { addSign } from './sign.ts'
import { Interruption } from './signals.ts'
import { addSql } from './sql.ts'
import { addStrategies } from './strategies.ts'
import { addSweep } from './sweep.ts'
import { addTrade } from './trade.ts'
import { addValidate } from './validate.ts'
import { addVerify } from './verify.ts'
import { addView } from './view.ts'
import { addWhatIf } from './whatif.ts'
import { addWorker } from './worker.ts'

/** Commands that play many short sessions in workers. */
const POOLED = ['sweep', 'league', 'worker', 'validate']
/**
 * Wide inlining is not for `serve`: what clients ask for runs through much code, each part of it seldom, and the compiler would be busy for minutes.
 * `run` looks at its scenario first.
 */
const NOT_WIDE = ['serve', 'run']

/** The commands. `interruption` gives the signal that Ctrl-C aborts. Ctrl-C simply ends a command that does not ask for it. */
export function programOf(interruption: () => Interruption): Command {
  const program = new Command('parlor')
    .description('Backtest and simulate RFQ markets. The same inputs give the same bytes.')
    .version(versionText(), '--version', 'show the version')
    .helpOption('-h, --help', 'show this')
    .showHelpAfterError('(add --help for the options and an example)')
    .exitOverride()
    .configureOutput({ writeErr: (text) => { process.stderr.write(withShortLines(visibleText(text))) } })
    .addHelpText('after', '\nExample:\n  $ parlor run scenarios/quickstart.yaml\n\nExit codes: 0 done, 1 the run failed, 2 the input is wrong.')
  addInit(program)
  addCheck(program, interruption)
  addRun(program, interruption)
  addServe(program, interruption)
  addTrade(program, interruption)
  addSweep(program, interruption)
  addLeague(program, interruption)
  addWorker(program, interruption)
  addQueue(program)
  addWhatIf(program, interruption)
  addDiff(program)
  addVerify(program, interruption)
  addSign(program)
  addReconcile(program, interruption)
  addValidate(program, interruption)
  addExplain(program)
  addReport(program)
  addView(program, interruption)
  addRedraw(program, interruption)
  addSql(program, interruption)
  addStrategies(program, interruption)
  addSchema(program)
  addImport(program, interruption)
  addData(program, interruption)
  addRfqs(program)
  program.hook('preAction', (_program, command) => {
    if (POOLED.includes(command.name())) enlargeWorkerHeaps()
    else if (!NOT_WIDE.includes(command.name())) widenInlining()
  })
  for (const command of program.commands) command.exitOverride().showHelpAfterError('(add --help for the options and an example)')
  return program
}

/** Runs one command line, given without the words before the command. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  nameSources()
  endOnClosedPipe()
  let interruption: Interruption | undefined
  const program = programOf(() => (interruption ??= new Interruption()))
  try {
    await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof Error && error.name === 'Interrupted') {
      remark(error.message === 'interrupted' ? 'interrupted: nothing was left' : error.message)
      interruption!.end()
      return 1
    }
    const failure = failureOf(error)
    if (failure.text !== '') remark(failure.text)
    if (args.includes('--json') && failure.json !== undefined) printJson(failure.json)
    return failure.exitCode
  } finally {
    interruption?.close()
  }
}

/**
 * Ends this process with an exit code, when nothing is left to do. Node waits for each thread, also for one that V8 cannot stop, so where there
 * is such a thread another program that ends at once takes the place of this one.
 */
export function end(exitCode: number): void {
  process.exitCode = exitCode
  if (!isThreadLeft()) return
  if (process.platform !== 'win32') process.execve!(process.execPath, [process.execPath, '-e', `process.exitCode = ${exitCode}`], {})
  // This ends with 1 there.
  process.kill(process.pid, 'SIGKILL')
}

/** `parlor … | head` ends quietly. Where the output takes nothing for another reason, the command goes on, and that is said once. */
function endOnClosedPipe(): void {
  if (!process.stdout.listeners('error').includes(onOutputError)) process.stdout.on('error', onOutputError)
}

let isOutputLost = false
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  if (isOutputLost) return
  isOutputLost = true
  process.exitCode = 1
  remark(`what was to be said is lost: ${error.message}`)
}

const versionText = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version
