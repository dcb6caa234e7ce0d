// Takes the checks of the vault program out one at a time, and bends its sums, and runs the program's tests on each mutant:
// `node test/chain/svm/programMutants.ts [PART OF A LINE]`. It takes the compiler.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgram, PROGRAM_FOLDER } from '../../../tools/vaultProgram/build.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** The quick ones first: the first failure ends a mutant. */
const TESTS = ['programRules', 'programAttacks', 'program', 'programTampering'].map((name) => `test/chain/svm/${name}.test.ts`)

interface Mutant {
  readonly file: string
  readonly line: number
  readonly from: string
  readonly to: string
}

/** Sums and comparisons that are bent, each wherever it stands. */
const BENT: readonly (readonly [string, string])[] = [
  ['amount / BPS * bps + amount % BPS * bps / BPS', 'amount / BPS * bps + (amount % BPS * bps + BPS - 1) / BPS'],
  ['amount > basis ? amount - basis : 0', 'amount'],
  ['position->state = outcome;', ''],
  ['position->state = BOUGHT_BACK;', ''],
  ['position->transfers = order->sequence;', ''],
  ['position->holder = buyer->wallet;', ''],
  ['if (feeOnTransfer) position->basisMicros = price;', 'position->basisMicros = price;'],
  ['if (feeOnTransfer) position->basisMicros = price;', ''],
  ['user->sequence = order->sequence;', ''],
  ['config->collectSequence = order->sequence;', ''],
  ['stake + takerFee, risk, 0', 'stake, risk, takerFee'],
  ['payout - fee, 0, fee + takerFee', 'payout - fee, 0, fee'],
  ['payout - price - makerFee', 'payout - price'],
  ['*lamports *= 2', '*lamports *= 1'],
  ['if (*account->lamports == 0)', 'if (true)'],
  ['given == last + 1', 'true'],
  ['i < 4; i++', 'i < 1; i++'],
  ['given != last || isLast', 'true'],
  ['nowS < user->delegatedUntilS', 'nowS <= user->delegatedUntilS'],
  ['user->delegatedUntilS > endS', 'true'],
  ['user->delegatedUntilS = endS', 'user->delegatedUntilS = nowS'],
  ['user->lastMicros = order->amountMicros;', ''],
  ['user->lastTag = order->order.tag;', ''],
  ['position->transferMicros = price;', ''],
  ['config->collectedMicros = order->amountMicros;', ''],
  ['config->collectedTo = *input->accounts[3].key;', ''],
  ['config->deposits++;', ''],
]

function mutantsOf(file: string): Mutant[] {
  const lines = readFileSync(join(PROGRAM_FOLDER, file), 'utf8').split('\n')
  return lines.flatMap((text, line) => {
    const mutants: Mutant[] = BENT.filter(([from]) => text.includes(from)).map(([from, to]) => ({ file, line, from, to }))
    if (/^ *(for \(.*\) |if \(.*\) )?(require\(|attempt\((check|debit))/.test(text)) mutants.push({ file, line, from: text, to: '' })
    // Each operand of what a function gives back or remembers, and of a condition that has two.
    if (/^ *(return|&&|const bool .* =) .* && |^ *return [^(].*[^;{]$|^ *&& /.test(text)) {
      mutants.push(...operandsOf(text).map((from) => ({ file, line, from, to: 'true' })))
    }
    const sides = /require\((.+) && (.+), [A-Z_]+\)/.exec(text)
    if (sides !== null && !text.includes('(*')) {
      mutants.push({ file, line, from: `${sides[1]} && `, to: '' }, { file, line, from: ` && ${sides[2]}`, to: '' })
    }
    return mutants
  })
}

/** The comparisons of a line of `a == b && f(c, d) && …`. */
const operandsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\((?:[^()]|\([^()]*\))*\)|\w+\([^()]*\)|[\w>.[\]-]+ (?:==|<) [\w>.[\]-]+)/g)].map(([operand]) => operand)

/** Whether some test fails on a mutant. */
function isCaught({ file, line, from, to }: Mutant): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'vault-mutant-'))
  try {
    cpSync(PROGRAM_FOLDER, folder, { recursive: true })
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    lines[line] = lines[line]!.replace(from, to)
    writeFileSync(join(folder, file), lines.join('\n'))
    const program = join(folder, 'mutant.so')
    writeFileSync(program, buildProgram(folder, ['-Wno-error']))
    const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--bail', '1', '--no-file-parallelism', '--no-isolate', ...TESTS], {
      cwd: ROOT, env: { ...process.env, PARLOR_VAULT_PROGRAM: program }, stdio: 'ignore',
    })
    return status !== 0
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const chosen = readdirSync(PROGRAM_FOLDER).filter((name) => /\.[ch]$/.test(name)).sort().flatMap(mutantsOf)
  .filter(({ file, from }) => process.argv[2] === undefined || `${file} ${from}`.includes(process.argv[2]))
let survived = 0
for (const mutant of chosen) {
  const caught = isCaught(mutant)
  if (!caught) survived++
  console.log(`${caught ? 'caught  ' : 'SURVIVED'}  ${mutant.file}:${mutant.line + 1}  ${mutant.from.trim()} -> ${mutant.to === '' ? '(nothing)' : mutant.to}`)
}
console.log(`${chosen.length} mutants, ${survived} survived`)
