/** What a layer of src may import. */
export interface Layer {
  /** Layers or single files that this one may import besides itself; `x/` stands for every layer that begins with it. */
  readonly may: readonly string[]
  /** Outside packages; `node:` stands for every builtin. */
  readonly packages?: readonly string[]
}

/** What others see of a venue: the protocols, and the layout of the rows that they number the fields of. */
const PROTOCOLS = ['venue/parlay/protocol', 'venue/outcome/protocol', 'venue/eventRows.ts', 'venue/eventCells.ts']
const TO_MARKET = ['unit', 'math', 'kernel', 'market']
const TO_RECORD = [...TO_MARKET, 'draw', 'ledger', 'venue', 'venue/', 'agent', 'feed', 'arrow', 'result', 'record']
const TO_SCENARIO = [...TO_RECORD, 'chain', 'engine', 'stats', 'scenario']

/** Imports between folders of src only go down, as in the table of docs/design.md. `kernel` imports `math`, because its draws need logarithms and quantiles. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  unit: { may: [] },
  math: { may: ['unit'] },
  kernel: { may: ['unit', 'math'], packages: ['seedrandom'] },
  market: { may: ['unit'] },
  /** Outcomes that are drawn: which are drawn together, with which chances, and how likely they come together. */
  draw: { may: TO_MARKET },
  ledger: { may: ['unit'] },
  venue: { may: ['unit'] },
  ...venueRows('parlay', []),
  /** What goes out at the edge: ids, bodies, signatures. */
  'venue/wire': { may: [], packages: ['node:crypto'] },
  'venue/parlay/wire': { may: ['unit', 'market/sides.ts', 'venue', 'venue/wire', 'venue/parlay/protocol'], packages: ['node:crypto'] },
  ...venueRows('outcome', ['viem']),
  'venue/outcome/wire': { may: ['unit', 'market/sides.ts', 'venue', 'venue/wire', 'venue/outcome/protocol'], packages: ['viem', '@noble/curves', 'node:crypto', 'node:module', 'node:url'] },
  /** Strategies know no service: `engine` translates (agent/vocabulary.ts). */
  agent: { may: TO_MARKET },
  feed: {
    may: ['unit', 'market', 'arrow', 'result'],
    packages: ['node:', 'csv-parse', 'hyparquet', 'hyparquet-compressors', 'decimal.js', 'zod', 'yaml'],
  },
  arrow: { may: ['unit', 'result/folders.ts'], packages: ['node:', 'apache-arrow', 'hyparquet-writer'] },
  /** What keeps a result's folder whole: leases, generations, hashes (docs/decisions/0016). */
  result: { may: ['unit'], packages: ['node:'] },
  record: { may: ['unit', 'market/sides.ts', 'arrow', 'result', 'ledger', 'venue/contract.ts', ...PROTOCOLS], packages: ['node:'] },
  /** Packages that a user adds, because few need them. */
  parts: { may: ['unit'], packages: ['node:'] },
  /** The wires, since ids and signed terms are what stands on a chain, and the shape of a sink (docs/decisions/0012). */
  chain: {
    may: ['unit', 'parts', 'result', 'ledger', ...PROTOCOLS, 'venue/parlay/wire', 'venue/outcome/wire', 'record/sink.ts'],
    packages: ['node:', '@solana/web3.js', 'litesvm', 'viem', 'secp256k1'],
  },
  engine: { may: TO_RECORD, packages: ['node:crypto'] },
  stats: { may: ['unit', 'math'] },
  scenario: { may: [...TO_SCENARIO, 'parts'], packages: ['node:', 'zod', 'yaml', '@babel/code-frame', 'rolldown'] },
  /** Both services on the wire: its schemas check requests, gates decide, and the wires of the venues render (design.md, decision 23). */
  serve: { may: TO_SCENARIO, packages: ['node:', 'zod', 'fastify', 'jose', 'undici', 'ws'] },
  /** A client of either service: it knows the services by their documents, and neither their code nor the session that serves them. */
  trade: { may: ['unit', 'math', 'kernel', 'market', 'agent', 'scenario'], packages: ['node:', 'ws', 'zod', 'viem', '@noble/curves'] },
  /** Figures of a finished run, from its tables: read by one run's report and by each task of a sweep (docs/decisions/0011). */
  score: { may: ['unit', 'arrow', 'stats'], packages: ['node:'] },
  /** The outcomes of a finished run drawn anew, with its fills as they were (docs/redraw.md). */
  redraw: { may: ['unit', 'math', 'kernel', 'arrow', 'stats', 'score'], packages: ['node:'] },
  /** Two finished runs, request by request. */
  diff: { may: ['unit', 'kernel', 'arrow', 'stats', 'score', 'redraw'] },
  /** What is in a price store: what it covers, whether it is whole, and its ticks for other programs. */
  look: { may: ['unit', 'market', 'arrow', 'result', 'feed'], packages: ['node:'] },
  sweep: { may: ['unit', 'scenario', 'engine', 'stats', 'arrow', 'result', 'score'], packages: ['node:', 'piscina'] },
  /** Tasks of sweeps and leagues over many machines: what they need and leave, in a store that all share. */
  fleet: { may: ['unit', 'parts', 'scenario', 'result', 'sweep'], packages: ['node:', '@aws-sdk/client-s3', 'bullmq', 'ioredis'] },
  /** Known results, met by sessions of the real services (`parlor validate`). */
  validation: { may: [...TO_SCENARIO, 'score'], packages: ['node:'] },
  report: { may: ['unit', 'arrow', 'result', 'stats', 'score', 'look', 'sweep', 'validation'], packages: ['node:', 'uplot', '@observablehq/plot', 'linkedom'] },
  /** Questions about the tables of a finished run (docs/decisions/0023). */
  sql: { may: ['unit', 'parts', 'market', 'arrow', 'result', 'record', 'feed', 'look'], packages: ['node:', '@duckdb/node-api'] },
  /** What a finished run is held against: its hashes, its journal, and the same run played again (`parlor verify`). */
  proof: { may: [...TO_SCENARIO, 'score', 'report'], packages: ['node:'] },
  /** What a program does with parlor, a function a thing. */
  actions: { may: [...TO_SCENARIO, 'parts', 'serve', 'trade', 'score', 'redraw', 'diff', 'look', 'sweep', 'fleet', 'validation', 'report', 'sql', 'proof'], packages: ['node:', '@babel/code-frame'] },
  /** Arguments in, texts out: all that it does is an action. */
  cli: { may: ['actions', 'unit'], packages: ['node:', 'commander', 'cli-progress'] },
  /** Files in src itself: what the package exports. */
  '': { may: ['*'] },
}

/** The layers of one service. `protocol` stands apart: it is all that others see. */
function venueRows(service: string, packages: readonly string[]): Record<string, Layer> {
  const own = `venue/${service}`
  const may = ['unit', 'ledger', 'venue', 'market', own, `${own}/`]
  return {
    [own]: { may, packages },
    [`${own}/machine`]: { may, packages },
    [`${own}/gate`]: { may, packages },
    [`${own}/protocol`]: { may: ['unit', 'venue', 'market'] },
  }
}
