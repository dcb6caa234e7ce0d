import { describe, expect, it } from 'vitest'
import { allSources, code, lineOf, type Source } from './sources.ts'

const CORE = ['unit', 'math', 'kernel', 'market', 'ledger', 'venue', 'agent', 'engine']

interface Ban {
  readonly pattern: RegExp
  readonly instead: string
  /** The only files that may. */
  readonly except?: readonly string[]
}

const OWN_TIME = 'the instant that the kernel hands in (nowUs, atUs)'
const EXACT_MATH = 'floor|ceil|round|trunc|abs|sign|min|max|sqrt|imul|clz32|fround|PI|E|LN2|LN10|LOG2E|LOG10E|SQRT2|SQRT1_2'

const BANS: readonly Ban[] = [
  { pattern: /\bDate\.now\b/g, instead: OWN_TIME },
  { pattern: /\bnew\s+Date\s*(?:\(\s*\)|(?![\s(]))/g, instead: OWN_TIME },
  { pattern: /\bnew\s+Date\s*\(\s*[^)\s]/g, instead: 'isoOfTimeUs of unit/time.ts', except: ['unit/time.ts'] },
  { pattern: /(?<!new\s)\bDate\s*\(/g, instead: OWN_TIME },
  { pattern: /\bperformance\s*\./g, instead: `${OWN_TIME}; a bench for durations` },
  { pattern: /\bprocess\.(?:hrtime|uptime|env|cpuUsage)\b/g, instead: `${OWN_TIME}, or a setting of the scenario` },
  { pattern: /\bMath\.random\b/g, instead: 'Draws or strategyRandom of kernel/random.ts' },
  { pattern: /\b(?:randomUUID|randomBytes|getRandomValues)\b/g, instead: 'a function of (session key, kind, number)' },
  { pattern: /\bseedrandom(?:\.\w+)?\(\s*\)/g, instead: 'seedrandom with the seed of the session' },
  {
    pattern: new RegExp(`\\bMath\\.(?!(?:${EXACT_MATH}|random)\\b)\\w+`, 'g'),
    instead: 'exp and log of src/math: engines may differ in the last bit',
  },
  { pattern: /\bMath\s*\[|[=({,]\s*Math\s*[,;)}]|=\s*Math\s*$/gm, instead: 'Math.name, so that this test sees it' },
  { pattern: /(?<![\d.]\s?)\*\*|\*\*(?!\s*-?\d)/g, instead: 'products, or exp and log of src/math: ** is Math.pow' },
  { pattern: /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)\b/g, instead: 'an event in the kernel\'s queue, or a deadline' },
  { pattern: /\.localeCompare\b|\.toLocale\w+|\bIntl\b/g, instead: 'comparison by <, which no locale changes' },
  { pattern: /\bfor\s*\(\s*(?:const|let|var)\s+[\w$]+\s+in\b/g, instead: 'for … of over Object.keys(…).sort(), or an array' },
  { pattern: /(?<!\bObject\.keys\([\w.]+\))\.(?:sort|toSorted)\(\s*\)/g, instead: 'a comparator: sort() orders numbers as text' },
]

function breaches(source: Source): string[] {
  const text = code(source.text)
  return BANS.flatMap((ban) =>
    ban.except?.includes(source.path)
      ? []
      : [...text.matchAll(ban.pattern)].map(
          (match) => `src/${source.path}:${lineOf(text, match.index)} has ${match[0].trim()}; use ${ban.instead}`,
        ),
  )
}

const breachesIn = (text: string, path = 'kernel/clock.ts'): string[] => breaches({ path, text })

describe('the deterministic core', () => {
  it('reads no clock, draws nothing unseeded and calculates alike everywhere', () => {
    const core = allSources().filter(({ path }) => CORE.includes(path.split('/')[0]!))
    expect(core.length).toBeGreaterThan(10)
    expect(core.flatMap(breaches)).toEqual([])
  })

  it.each([
    'Date.now()', 'new Date()', 'new Date', 'new Date(0)', 'Date()', 'performance.now()', 'process.hrtime.bigint()', 'Math.random()',
    'Math.exp(1)', 'Math.log(2)', 'Math.pow(2, 3)', 'Math.sin(1)', 'Math.hypot(3, 4)', 'const { exp } = Math', "Math['exp'](1)",
    'x ** 2', '2 ** x', 'x **= 2', 'setTimeout(f, 1)', 'a.localeCompare(b)', 'n.toLocaleString()', 'for (const k in table) {}',
    '[10, 9].sort()', 'ids.toSorted()', 'seedrandom()', 'seedrandom.alea()', 'crypto.randomUUID()',
  ])('refuses %s', (text) => {
    expect(breachesIn(`${text}\n`)).toHaveLength(1)
  })

  it.each([
    'Math.floor(x) + Math.min(1, 2) + Math.imul(3, 4) + Math.clz32(5) + Math.sqrt(2)', '2 ** 32 + 2 ** -53', "Object.keys(tree).sort()",
    'rows.sort((a, b) => a - b)', '// Date.now() is not asked', '/** Math.random */', "'Math.random'", 'for (const x of list) {}',
    'seedrandom(seed)', 'state.updatedUs', 'const candidate = 1',
  ])('lets %s pass', (text) => {
    expect(breachesIn(text)).toEqual([])
  })

  it('lets unit/time.ts alone turn an instant into a date, and names what to use instead', () => {
    expect(breachesIn('new Date(ms)', 'unit/time.ts')).toEqual([])
    expect(breachesIn('new Date()', 'unit/time.ts')).toHaveLength(1)
    expect(breachesIn('\nMath.random()')).toEqual([
      'src/kernel/clock.ts:2 has Math.random; use Draws or strategyRandom of kernel/random.ts',
    ])
  })
})

describe('a number that people read', () => {
  const written = (source: Source): string[] => {
    const text = code(source.text)
    return [...text.matchAll(/\.to(?:Fixed|Precision|LocaleString)\b/g)].map((match) => `src/${source.path}:${lineOf(text, match.index)}`)
  }

  it('is written by unit/numberText.ts alone', () => {
    const printing = allSources().filter(({ path }) => ['chain', 'cli', 'report', 'score', 'sweep', 'validation'].includes(path.split('/')[0]!))
    expect(printing.length).toBeGreaterThan(10)
    expect(printing.flatMap(written)).toEqual([])
  })

  it('is found where it is written otherwise', () => {
    expect(written({ path: 'cli/run.ts', text: 'const a = 1\nconst text = a.toFixed(2) + a.toLocaleString()' })).toEqual(['src/cli/run.ts:2', 'src/cli/run.ts:2'])
  })
})
