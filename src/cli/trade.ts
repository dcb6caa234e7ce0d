import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { TradeSummary } from '../trade/trade.ts'
import { InputError } from '../unit/inputError.ts'
import { fixed } from '../unit/numberText.ts'
import { collect, columnsText, common, type CommonOptions, print, printJson, remark, type TrustOptions, wholeNumber, withTrust } from './common.ts'
import type { Interruption } from './signals.ts'

interface TradeCommandOptions extends CommonOptions, TrustOptions {
  readonly url?: string
  readonly credentials: string
  readonly seat?: string
  readonly seed?: string
  readonly set?: readonly string[]
  readonly rate: string
  readonly bets?: string
}

const RATE_PER_HOUR = '60'
const SEED_BYTES = 8
const USDC_MICROS = 1_000_000
const CENTS = 2

export function addTrade(program: Command, interruption: () => Interruption): void {
  const command = program.command('trade').argument('<strategy>', 'strategy file, or the name of a built-in one')
    .summary('play a strategy as a client of a served session')
    .description('Hold a seat of a session that parlor serve plays, with the strategy that would play in it inside: a maker or a bettor of either service. It ends with the session, or with Ctrl-C, which withdraws quotes and ends what is open.')
    .requiredOption('--credentials <file>', 'the file of credentials that parlor serve names')
    .option('--url <url>', 'address of the service; default: the one in the credentials')
    .option('--seat <name>', 'name of the seat; default: the only one of the strategy\'s role')
    .option('--seed <seed>', 'draw what the strategy draws inside from the scenario\'s seed; default: a seed that is drawn and named')
    .option('--set <name=value>', 'value of a parameter of the strategy; may be repeated', collect)
    .option('--rate <bets>', 'with a bettor: how many come in an hour of the session', RATE_PER_HOUR)
    .option('--bets <count>', 'with a bettor: how many come at most')
  withTrust(command)
  common(command, 'parlor trade ./mine.ts --credentials keys.json', 'parlor trade fixed-margin --set margin=3% --seat our-maker --credentials keys.json', 'parlor trade impatient --rate 120 --credentials keys.json')
    .action(async (strategy: string, options: TradeCommandOptions) => { await tradeFor(strategy, options, interruption) })
}

async function tradeFor(use: string, options: TradeCommandOptions, interruption: () => Interruption): Promise<void> {
  const { signal } = interruption()
  const [{ loadNamedStrategy, writtenValues }, { seatOf }, { trade }] = await Promise.all([import('../scenario/tradedStrategy.ts'), import('../trade/credentials.ts'), import('../trade/trade.ts')])
  const strategy = await loadNamedStrategy(use, options.trusted === true)
  const values = writtenValues(strategy.parameters, options.set ?? [])
  const fault = 'check' in strategy ? strategy.check?.(values as never) : undefined
  if (fault !== undefined) throw new InputError(`${fault.parameter}: ${fault.message}`, { hint: 'expected other values of --set' })
  const seat = seatOf(options.credentials, { role: strategy.role, name: options.seat, url: options.url })
  const seed = options.seed ?? randomBytes(SEED_BYTES).toString('hex')
  if (options.seed === undefined) remark(`drawing from the seed ${seed}`)
  remark(`${use} plays ${seat.name}, a ${seat.role} of the ${seat.service} service at ${seat.url}, ${seat.controlUrl === null ? 'by the wall\'s clock' : 'in time that waits'}`)
  const summary = await trade({ seat, strategy, values, seed, say: remark, ratePerHour: Number(options.rate), ...(options.bets === undefined ? {} : { betsMax: wholeNumber(options.bets, '--bets') }) }, signal)
  if (options.json === true) return printJson({ seat: seat.name, role: seat.role, service: seat.service, seed, ...summary })
  print(textOf(seat.name, summary))
}

function textOf(name: string, { calls, refusals, figures }: TradeSummary): string {
  const rows = Object.entries(figures).map(([figure, value]) => [wordsOf(figure), figure.endsWith('Micros') ? `${fixed(value / USDC_MICROS, CENTS)} USDC` : String(value)])
  const refused = Object.entries(refusals).map(([code, count]) => [`refused: ${code}`, String(count)])
  return columnsText([[name, ''], ['calls', String(calls)], ...refused, ...rows], [1])
}

/** `openRiskMicros` as `open risk`. */
const wordsOf = (name: string): string => name.replace(/Micros$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
