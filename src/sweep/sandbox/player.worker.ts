import { InputError } from '../../unit/inputError.ts'
import type { StrategyAnswer } from '../strategyReader.worker.ts'
import { StrategyReader } from '../strategyReader.ts'
import { Workers } from '../workers.ts'
import { type Answered, type Asked, lineOf, Lines, type PlayerTerms, toldHere } from './words.ts'

// A program of its own (sandbox.ts): it reads strategies and plays sessions, and has nothing but its input and its output to talk over.

/** Answers alone go to the output. What strategies print goes where complaints go. */
const answerTo = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
// What threads print waits for the output where there is much of it.
process.stderr.on('drain', () => { process.stdout.emit('drain') })

interface Hands {
  readonly reader: StrategyReader
  readonly workers: Workers
}

function handsOf({ limitMs, limits, isTrusted }: PlayerTerms): Hands {
  return { reader: new StrategyReader({ limits, limitMs, isTrusted }), workers: new Workers(1, limitMs, limits, isTrusted) }
}

async function answer({ reader, workers }: Hands, asked: Asked): Promise<Answered> {
  const { number } = asked
  try {
    if ('play' in asked) return { number, play: await workers.attempt(asked.play) }
    return { number, read: await readIn(reader, asked.read) }
  } catch (error) {
    return { number, bug: error instanceof Error ? error.stack ?? error.message : String(error) }
  }
}

async function readIn(reader: StrategyReader, { path, role }: Extract<Asked, { readonly read: unknown }>['read']): Promise<StrategyAnswer> {
  try {
    const { parameters, about, isTrusted = false, ...strategy } = await reader.read(path, role)
    return { role: strategy.role, parameters, isTrusted, ...(about === undefined ? {} : { about }) }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const { message, position, hint } = error
    return { message, position, hint }
  }
}

let hands: Hands | undefined
function take(line: string): void {
  if (hands === undefined) hands = handsOf(toldHere(line) as PlayerTerms)
  else void answer(hands, toldHere(line) as Asked).then((told) => { answerTo(lineOf(told)) })
}

const lines = new Lines()
process.stdin.setEncoding('utf8').on('data', (text: string) => { for (const line of lines.take(text)) take(line) })
// Whoever began it is gone, or needs it no more.
process.stdin.on('close', () => { process.exit(0) })
