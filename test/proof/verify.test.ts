import { cpSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Verification, verifyRun } from '../../src/proof/verify.ts'
import { BUILT_IN_MAKERS } from '../../src/scenario/builtIn.ts'
import { ownPlatform, type PreparedScenario, type RunSources } from '../../src/scenario/run.ts'
import type { Strategy } from '../../src/scenario/strategies.ts'
import { put } from '../scenario/small.ts'
import { addOne, editManifest, editText, flipBit, hashAlong, manifestOf, provedRuns, withoutRow } from './provedRun.ts'

const { folder, run, copy } = provedRuns()

beforeAll(async () => {
  await run('run')
  await run('parquet', { change: (ready) => ({ ...ready, record: { ...ready.record, parquet: true } }) })
  await run('other code', { made: (identity) => ({ ...identity, sourceTree: 'f'.repeat(64) }) })
})

/** The checks that are not the same: name, state, what is said of them. */
const faults = ({ checks }: Verification): string[] => checks.filter(({ ok }) => !ok).map(({ name, state, about }) => `${name} ${state}: ${about}`)
const matching = (lines: readonly RegExp[]): unknown[] => lines.map((line) => expect.stringMatching(line))

describe('a run as it was left', () => {
  it('is proven, file by file', async () => {
    const verification = await verifyRun(copy('parquet'))
    expect(faults(verification)).toEqual([])
    expect(verification).toMatchObject({ ok: true, verdict: 'proven' })
    const again = verification.checks.filter(({ about }) => about.endsWith(', and so when it is played again')).map(({ name }) => name)
    expect(again).toEqual(expect.arrayContaining(['table quotes', 'table marks', 'table passes', 'file tables/quotes.parquet', 'file summary.json', 'file report.html']))
    expect(again).toHaveLength(2 * Object.keys(manifestOf(join(folder, 'run')).tables).length + 2)
  })

  it('is proven beside leases and files that systems leave in folders', async () => {
    const dir = copy('run')
    writeFileSync(join(dir, 'tables', '.DS_Store'), 'a view')
    writeFileSync(join(dir, '.lease'), '0123456789abcdef')
    writeFileSync(join(dir, '.lease.0123456789abcdef'), '')
    expect(faults(await verifyRun(dir))).toEqual([])
  })
})

/** What is done to a copy of the run, and what is said of all checks that are not the same. */
const TAMPERED: readonly (readonly [what: string, tamper: (dir: string) => void, said: readonly RegExp[]])[] = [
  ['a figure of the summary is edited', (dir) => { editText(dir, 'summary.json', /"seed": "1"/, '"seed": "7"') },
    [/^file summary\.json differs: seed: "7", expected "1"; SHA-256 \w{12}, expected \w{12}: the file was changed$/]],
  ['a figure of the summary is edited with its hash', (dir) => {
    editText(dir, 'summary.json', /"markToMarketMicros": \d+/, '"markToMarketMicros": 5')
    hashAlong(dir, 'summary.json')
  }, [/^file summary\.json differs: makers\[0\]\.drawdown\.markToMarketMicros: 5, expected \d+$/]],
  ['the page is edited with its hash', (dir) => {
    editText(dir, 'report.html', /<h1>small/, '<h1>other')
    hashAlong(dir, 'report.html')
  }, [/^file report\.html differs: line \d+, column \d+: ".*<h1>other.*", expected ".*<h1>small.*"$/]],
  ['the page has another title, with its hash, that the sources have too', (dir) => {
    editText(dir, 'sources.json', /small\.yaml/, 'other.yaml')
    editText(dir, 'report.html', /<h1>small/, '<h1>other')
    hashAlong(dir, 'report.html')
  }, [/^file report\.html differs: .*<h1>other.*", expected ".*<h1>small.*"$/]],
  ['the name of the scenario is taken out', (dir) => { editManifest(dir, ({ record }) => { delete record.name }) }, [/^record differs: the manifest does not say what the scenario is called: /]],
  ['the name of the scenario is edited', (dir) => { editManifest(dir, ({ record }) => { record.name = 'other' }) }, [/^file report\.html differs: .*<title>small.*", expected ".*<title>other.*"; 1 more line differs$/]],
  ['the seed of the identity is edited', (dir) => { editManifest(dir, ({ identity }) => { identity.seed = '2' }) },
    [/^manifest differs: identity\.seed: "2", expected "1"$/, /^identity differs: .*metadata identity of table requests: \w{64}, expected \w{64}$/]],
  ['a count is edited', (dir) => { editManifest(dir, ({ counts }) => { counts.arrivals = 61 }) }, [/^manifest differs: counts\.arrivals: 61, expected 40$/]],
  ['a count is added', (dir) => { editManifest(dir, ({ counts }) => { counts['wins of me'] = 9 }) }, [/^manifest differs: counts\["wins of me"\]: 9, expected nothing$/]],
  ['the number of rows of a table is edited', (dir) => { editManifest(dir, ({ tables }) => { tables.webhooks.rows = 1 }) }, [/^manifest differs: tables\.webhooks\.rows: 1, expected 0$/]],
  ['the label is edited', (dir) => { editManifest(dir, (manifest) => { manifest.label = 'replay' }) },
    [/^manifest differs: label: "replay", expected "interactive"$/, /^identity differs: .*metadata label of table requests: interactive, expected replay$/]],
  ['the length of a file is edited', (dir) => { editManifest(dir, ({ files }) => { files['report.html'].bytes = 1 }) }, [/^manifest differs: files\["report\.html"\]\.bytes: 1, expected \d+$/]],
  ['the hash of a file is taken out', (dir) => { editManifest(dir, ({ files }) => { files['summary.json'].sha256 = null }) }, [/^manifest differs: files\["summary\.json"\]\.sha256: null, expected "\w{64}"$/]],
  ['the manifest is written in another way', (dir) => { writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifestOf(dir))) }, [/^manifest differs: line 1, column 2: /]],
  ['the digest is edited', (dir) => { editManifest(dir, (manifest) => { manifest.digest = '0'.repeat(64) }) },
    [/^journal differs: replayed through a fresh venue: digest \w{12}, expected 0{12}$/, /^rerun differs: the scenario played again: digest \w{12}, expected 0{12}$/]],
  ['how often equity was sampled is edited', (dir) => { editManifest(dir, ({ record }) => { record.equityEveryUs = 60_000_000 }) }, [
    /^table equity differs: row \d+, column \w+: .+, expected .+; \d+ rows, expected \d+$/, /^file report\.html differs: line /, /^file summary\.json differs: makers/, /^manifest differs: tables\.equity\.rows: /,
  ]],
  ['how the run was recorded is taken out', (dir) => { editManifest(dir, (manifest) => { delete manifest.record }) }, [/^record differs: the manifest does not say how the run was recorded/]],
  ['the first row of a table is removed', (dir) => {
    withoutRow(dir, 'positions', 'first')
    hashAlong(dir, 'tables/positions.arrow')
    editManifest(dir, ({ tables }) => { tables.positions.rows -= 1 })
  }, [/^table positions differs: row 1, column \w+: .*, expected .*; \d+ rows?, expected \d+$/, /^manifest differs: tables\.positions\.rows: \d+, expected \d+$/]],
  ['the last row of a table is removed', (dir) => {
    withoutRow(dir, 'quotes', 'last')
    hashAlong(dir, 'tables/quotes.arrow')
  }, [/^table quotes differs: rows: \d+, expected \d+$/]],
  ['a file is added', (dir) => { writeFileSync(join(dir, 'tables', 'more.arrow'), 'more') }, [/^file tables\/more\.arrow differs: was added: manifest\.json does not name it$/]],
  ['a file is added with its hash', (dir) => {
    writeFileSync(join(dir, 'notes.txt'), 'better than it looks')
    hashAlong(dir, 'notes.txt')
  }, [/^file notes\.txt differs: no such file is left when the run is played again$/]],
  ['a file with a name that every object has is added with its hash', (dir) => {
    writeFileSync(join(dir, 'constructor'), 'better than it looks')
    hashAlong(dir, 'constructor')
  }, [/^file constructor differs: no such file is left when the run is played again$/]],
  ['what chains held is made up, with its hash, of a run that was settled on none', (dir) => {
    writeFileSync(join(dir, 'settlement.json'), '{"chains":[{"chain":"svm","differences":0}]}')
    hashAlong(dir, 'settlement.json')
  }, [/^settlement differs: settlement\.json was added: the run was settled on no chain \(record\.chains\)$/]],
  ['a chain is named that the run was not settled on', (dir) => { editManifest(dir, ({ record }) => { record.chains = ['svm'] }) },
    [/^settlement differs: settlement\.json is not named, and the run was settled on svm \(record\.chains\)$/]],
  ['pages are added under names of leases, systems and writers', (dir) => {
    for (const file of ['.lease', '.lease-page.html', '.DS_Store/x.html', '.partial-0123456789abcdef/x.html', `.generation-${'0'.repeat(64)}/x.html`]) put(dir, file, 'better than it looks')
  }, [
    /^file \.DS_Store\/x\.html differs: was added: manifest\.json does not name it$/, /^file \.generation-0+\/x\.html differs: was added: .*may have left it$/, /^file \.lease differs: was added/,
    /^file \.lease-page\.html differs: was added/, /^file \.partial-0123456789abcdef\/x\.html differs: was added: .*may have left it$/,
  ]],
  ['a table is removed with all that names it', (dir) => {
    rmSync(join(dir, 'tables', 'passes.arrow'))
    editManifest(dir, ({ files, tables }) => {
      delete files['tables/passes.arrow']
      delete tables.passes
    })
  }, [/^file tables\/passes\.arrow differs: is not among the files of the run, and is left when it is played again$/, /^manifest differs: tables\.passes: nothing, expected \{.*\}$/]],
  ['the page is removed with its hash', (dir) => {
    rmSync(join(dir, 'report.html'))
    editManifest(dir, ({ files }) => { delete files['report.html'] })
  }, [/^file report\.html differs: is not among the files of the run, which was left with it \(record\.left\)$/]],
  ['the summary is removed with its hash', (dir) => {
    rmSync(join(dir, 'summary.json'))
    editManifest(dir, ({ files }) => { delete files['summary.json'] })
  }, [/^file summary\.json differs: is not among the files of the run, which was left with it \(record\.left\)$/]],
  ['what the run was left with is edited', (dir) => { editManifest(dir, ({ record }) => { record.left = ['summary.json'] }) }, [/^file report\.html differs: was added: the run was left without it \(record\.left\)$/]],
  ...([null, {}, 'report.html summary.json', ['summary.json', 'report.html', 'more']] as const).map((left): (typeof TAMPERED)[number] => [
    `what the run was left with is ${JSON.stringify(left)}`, (dir) => { editManifest(dir, ({ record }) => { record.left = left as never }) }, [/^record differs: record\.left is no list of report\.html and summary\.json$/],
  ]),
  ['the page is removed with its hash, and what the run was left with is taken out', (dir) => {
    rmSync(join(dir, 'report.html'))
    editManifest(dir, ({ files, record }) => {
      delete files['report.html']
      delete record.left
    })
  }, [/^record differs: the manifest does not say which of report\.html and summary\.json the run was left with \(record\.left\)$/]],
]

describe('verify tells', () => {
  it.each(TAMPERED)('that %s, and where', async (_, tamper, said) => {
    const dir = copy('run')
    tamper(dir)
    const verification = await verifyRun(dir)
    expect(verification).toMatchObject({ ok: false, verdict: 'differs' })
    expect(faults(verification)).toEqual(matching(said))
  })

  it.skipIf(process.platform === 'win32')('that files of the run, its folders and its manifest are links', async () => {
    const link = (dir: string, name: string): void => {
      renameSync(join(dir, name), `${dir} ${name}`)
      symlinkSync(`${dir} ${name}`, join(dir, name))
    }
    const dir = copy('run')
    for (const name of ['report.html', 'sources.json', 'manifest.json']) link(dir, name)
    expect(faults(await verifyRun(dir))).toEqual(['file report.html differs: is a link', 'file sources.json differs: is a link', 'file manifest.json differs: is a link'])
    const other = copy('run')
    link(other, 'tables')
    expect(faults(await verifyRun(other))).toEqual(expect.arrayContaining(['table quotes differs: lies behind tables, which is a link', 'file tables differs: is a link']))
  })

  it('the row, the column and both values of a cell that was edited with its hash', async () => {
    const dir = copy('run')
    const before = addOne(dir, 'quotes', 'risk_micros', 7)
    hashAlong(dir, 'tables/quotes.arrow')
    const verification = await verifyRun(dir)
    expect(faults(verification)).toEqual([`table quotes differs: row 7, column risk_micros: ${before + 1}, expected ${before}`])
    expect(verification.checks.find(({ ok }) => !ok)!.difference).toEqual({ at: 'row 7, column risk_micros', found: String(before + 1), expected: String(before), more: '' })
  })

  it('that a cell of the journal was edited with its hash, which a fresh venue notices too', async () => {
    const dir = copy('run')
    addOne(dir, 'journal', 'at', 5)
    hashAlong(dir, 'tables/journal.arrow')
    expect(faults(await verifyRun(dir))).toEqual(matching([/^table journal differs: row 5, column at: 2025-\S+Z, expected 2025-\S+Z$/, /^journal differs: /]))
  })

  it.each([['', false], [' and its hash is edited along', true]])('that a bit of a Parquet file is flipped%s, and where', async (_, isAlong) => {
    const dir = copy('parquet')
    flipBit(dir, 'tables/quotes.parquet', 0.5)
    if (isAlong) hashAlong(dir, 'tables/quotes.parquet')
    const [fault, ...others] = faults(await verifyRun(dir))
    expect(others).toEqual([])
    expect(fault).toMatch(/^file tables\/quotes\.parquet differs: (row [\d,]+, column \w+|byte [\d,]+): .+, expected /)
    expect(fault!.endsWith(': the file was changed')).toBe(!isAlong)
  })

  it('all that another margin would have changed, and that the tables are of none such', async () => {
    const dir = copy('run')
    editManifest(dir, ({ identity }) => { identity.scenario.makers[0].parameters.margin = 0.25 })
    const found = faults(await verifyRun(dir))
    expect(found).toEqual(expect.arrayContaining(matching([
      /^table quotes differs: row \d+, column quoted_odds_e4: \d+, expected \d+; /, /^table logs differs: metadata identity: \w+, expected \w+$/, /^file summary\.json differs: /,
      /^manifest differs: counts\./, /^identity differs: /, /^rerun differs: the scenario played again: digest \w{12}, expected \w{12}$/,
    ])))
  })

  it('that a manifest’s scenario cannot be played', async () => {
    const dir = copy('run')
    editManifest(dir, ({ identity }) => { delete identity.scenario.arrivals })
    expect(faults(await verifyRun(dir))).toEqual(expect.arrayContaining(matching([/^identity differs: /, /^rerun differs: the scenario played again: /])))
  })
})

describe('verify cannot prove', () => {
  const expectUnproven = async (dir: string, said: readonly RegExp[]): Promise<void> => {
    const verification = await verifyRun(dir)
    expect(verification).toMatchObject({ ok: false, verdict: 'unproven' })
    expect(faults(verification)).toEqual(matching(said))
  }

  it('a run of other code', () => expectUnproven(copy('other code'), [/^code unproven: the run was made by other code of parlor \(f{12}, this is \w{12}\)$/]))

  it('a run of another Node', async () => {
    await expectUnproven(await run('other node', { made: (identity) => ({ ...identity, node: 'v99.0.0' }) }), [/^Node unproven: the run was made by Node v99\.0\.0, this is v\d/])
  })

  it('a run of another platform', async () => {
    const dir = copy('run')
    const sources = JSON.parse(readFileSync(join(dir, 'sources.json'), 'utf8')) as RunSources
    expect(sources.platform).toBe(ownPlatform())
    writeFileSync(join(dir, 'sources.json'), JSON.stringify({ ...sources, platform: 'plan9-mips' }))
    await expectUnproven(dir, [/^platform unproven: the run was made on plan9-mips, as sources\.json says, which has no hash; this is \w+-\w+$/])
  })

  it('a page that was edited with its hash, where the platform was edited along, and says that the platform has no hash', async () => {
    const dir = copy('run')
    editText(dir, 'sources.json', /"platform": "[^"]*"/, '"platform": "plan9-mips"')
    editText(dir, 'report.html', /<h1>small/, '<h1>other')
    hashAlong(dir, 'report.html')
    await expectUnproven(dir, [/^file report\.html unproven: .*<h1>other.*; the run was made on plan9-mips, as sources\.json says, which has no hash/, /^platform unproven: /])
  })

  it('a run whose inputs are missing or not named', async () => {
    const dir = copy('run')
    const sources = readFileSync(join(dir, 'sources.json'), 'utf8')
    writeFileSync(join(dir, 'sources.json'), sources.replace('../prices', '../nowhere'))
    await expectUnproven(dir, [/^inputs unproven: .*nowhere: there is no store here/])
    writeFileSync(join(dir, 'sources.json'), '{}')
    await expectUnproven(dir, [/^inputs unproven: .*the run does not say where its scenario and its store lie/])
  })

  it('a run whose history has changed', async () => {
    const dir = copy('run')
    const other = join(folder, 'other prices')
    cpSync(join(folder, 'prices'), other, { recursive: true })
    const path = join(other, 'store.json')
    const store = JSON.parse(readFileSync(path, 'utf8')) as { dataHash?: string }
    expect(store.dataHash).toMatch(/^\w{64}$/)
    writeFileSync(path, JSON.stringify({ ...store, dataHash: '0'.repeat(64) }))
    writeFileSync(join(dir, 'sources.json'), readFileSync(join(dir, 'sources.json'), 'utf8').replace('../prices', '../other prices'))
    const verification = await verifyRun(dir)
    expect([verification.verdict, faults(verification).map((fault) => fault.split(':')[0])]).toEqual(['unproven', [expect.stringMatching(/^(history prices|inputs) unproven$/)]])
  })

  it('a run whose strategies were objects', async () => {
    const handmade = (ready: PreparedScenario): PreparedScenario => ({
      ...ready, resolved: { ...ready.resolved, makers: ready.resolved.makers.map((maker, i) => (i === 0 ? { ...maker, strategy: 'handmade' } : maker)) },
      strategies: { ...ready.strategies, maker: new Map([...ready.strategies.maker, ['handmade', { use: 'handmade', isGiven: true, strategy: BUILT_IN_MAKERS['fixed-margin'] as unknown as Strategy }]]) },
    })
    await expectUnproven(await run('objects', { change: handmade }), [/^strategy handmade unproven: was an object of a program, and no file that could be played again$/])
  })

  it('a run of other code that differs when it is played again, and says where', async () => {
    const dir = copy('other code')
    addOne(dir, 'quotes', 'risk_micros', 7)
    hashAlong(dir, 'tables/quotes.arrow')
    await expectUnproven(dir, [/^table quotes unproven: row 7, column risk_micros: \d+, expected \d+; the run was made by other code of parlor/, /^code unproven: /])
  })
})

describe('damage that hashes show is told', () => {
  it.each<[string, (dir: string) => void, RegExp]>([
    ['an edited page', (dir) => { editText(dir, 'report.html', /<h1>small/, '<h1>other') }, /^file report\.html differs: .*the file was changed$/],
    ['an added file', (dir) => { writeFileSync(join(dir, 'more.txt'), 'more') }, /^file more\.txt differs: was added/],
    ['an edited seed', (dir) => { editManifest(dir, ({ identity }) => { identity.scenario.seed = '2' }) }, /^identity differs: /],
    ['an identity that was edited to one of other code', (dir) => { editManifest(dir, ({ identity }) => { identity.sourceTree = 'e'.repeat(64) }) }, /^identity differs: /],
  ])('of a run of other code: %s', async (_, tamper, said) => {
    const dir = copy('other code')
    tamper(dir)
    const verification = await verifyRun(dir)
    expect(verification.verdict).toBe('differs')
    expect(faults(verification)).toEqual(expect.arrayContaining(matching([said, /^code unproven: /])))
  })

  it.each<[string, (dir: string) => void, RegExp]>([
    ['an edited page', (dir) => { editText(dir, 'report.html', /<h1>small/, '<h1>other') }, /^file report\.html differs: .*the file was changed$/],
    ['an edited seed', (dir) => { editManifest(dir, ({ identity }) => { identity.seed = '2' }) }, /^manifest differs: identity\.seed: /],
    ['a made-up settlement', (dir) => {
      put(dir, 'settlement.json', '{}')
      hashAlong(dir, 'settlement.json')
    }, /^settlement differs: settlement\.json was added/],
  ])('of a run whose platform was edited along: %s', async (_, tamper, said) => {
    const dir = copy('run')
    editText(dir, 'sources.json', /"platform": "[^"]*"/, '"platform": "plan9-mips"')
    tamper(dir)
    const verification = await verifyRun(dir)
    expect(verification.verdict).toBe('differs')
    expect(faults(verification)).toEqual(expect.arrayContaining(matching([said, /^platform unproven: /])))
  })
})

describe('a run of a history to which a day was added since', () => {
  const FIRST_DAY = ['markets/0.json', 'parts/2025-06-19.0.arrow', 'parts/2025-06-19.0.last.arrow']
  const asOfFirstDay = (ready: PreparedScenario): PreparedScenario =>
    ({ ...ready, store: ready.store.asOf(Object.fromEntries(Object.entries(ready.store.files).filter(([name]) => FIRST_DAY.includes(name)))) })

  it('is proven by the files that it names', async () => {
    const dir = await run('first day', { change: asOfFirstDay })
    expect(Object.keys(manifestOf(dir).history!)).toEqual(FIRST_DAY)
    const whole = manifestOf(join(folder, 'run'))
    expect(manifestOf(dir).identity.data).not.toBe(whole.identity.data)
    expect(Object.keys(whole.history!)).toEqual([...FIRST_DAY, 'parts/2025-06-20.0.arrow', 'parts/2025-06-20.0.last.arrow'])
    expect(await verifyRun(dir)).toMatchObject({ verdict: 'proven', ok: true })
    // What the manifest does not say is looked for in all of the store.
    editManifest(dir, (manifest) => { delete manifest.history })
    expect(faults(await verifyRun(dir))).toEqual(expect.arrayContaining([expect.stringMatching(/^history \S+ unproven: has changed since the run/)]))
  })

  it('is not proven where one of them is missing or another, which is named', async () => {
    const [gone, other] = [copy('run'), copy('run')]
    editManifest(gone, (manifest) => { manifest.history['parts/2025-06-18.0.arrow'] = 'a'.repeat(64) })
    expect(faults(await verifyRun(gone))).toEqual(expect.arrayContaining([expect.stringMatching(/^inputs unproven: .*parts\/2025-06-18\.0\.arrow of the store is not there any more/)]))
    editManifest(other, (manifest) => { manifest.history['markets/0.json'] = 'a'.repeat(64) })
    expect(faults(await verifyRun(other))).toEqual(expect.arrayContaining([expect.stringMatching(/^inputs unproven: .*markets\/0\.json of the store is another than it was: \w{12}, expected aaaaaaaaaaaa/)]))
  })
})
