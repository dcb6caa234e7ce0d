import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTable, type Table } from '../arrow/tableReader.ts'
import type { Manifest } from '../record/manifest.ts'
import { Bug } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { SERVICE_NAMES } from '../unit/services.ts'
import { type EntityOrigins, WireIdentity as OutcomeIdentity } from '../venue/outcome/wire/identity.ts'
import { WireIdentity as ParlayIdentity } from '../venue/parlay/wire/identity.ts'

type ServiceName = (typeof SERVICE_NAMES)[number]

/** A UUID, or 32 bytes in hexadecimal: with 0x on the outcome service alone. */
const ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(0x)?[0-9a-f]{64})$/i

/** Whether a text has the form of an id that the wire of a service gives to a request or to what belongs to one. */
export const isServedId = (text: string): boolean => ID.test(text)

/** Which request of which service an id of the wire belongs to. */
export interface RequestOfId {
  readonly service: ServiceName
  readonly request: number
}

/** A row of a table that has ids: the number that it is about, and the request that it belongs to. */
interface Numbered {
  readonly number: number
  readonly request: number
  /** When it was made, µs, of the session. */
  readonly atUs: number
}

type IdsOf = (row: Numbered) => readonly string[]

/**
 * The request, and its service, to which an id belongs that a client of a served session had: that of a request, RFQ, quote, position, auction or
 * bid. Throws InputError when the run was not served, or has no such id.
 * @param service where the id is looked for; null: in each.
 */
export function requestOfId(dir: string, id: string, service: string | null = null): RequestOfId {
  const { served } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Manifest
  if (served?.idKey === undefined) {
    const hint = served === undefined ? 'expected a number, as the tables have' : 'the run is of an older version, which kept no key of ids; expected a number, as the tables have'
    throw new InputError(`${id} is an id of the wire, and the run has numbers alone`, { position: { file: dir }, hint })
  }
  const wanted = id.toLowerCase()
  for (const own of SERVICE_NAMES.filter((name) => service === null || name === service)) {
    for (const [name, [column, at, idsOf]] of Object.entries(idsBy(own, served.idKey, served.shiftUs))) {
      const table = readTable(join(dir, 'tables', `${name}.arrow`))
      for (const row of rowsOf(table, own, { column, at })) if (idsOf(row).includes(wanted)) return { service: own, request: row.request }
    }
  }
  throw new InputError(`the run has no id ${id}`, { position: { file: dir }, hint: 'expected that of a request, an RFQ, a quote, a position, an auction or a bid, or a number, as the tables have' })
}

/** By table: the columns of the number and of its instant, and the ids that a number has. */
function idsBy(service: ServiceName, idKey: string, shiftUs: number): Readonly<Record<string, readonly [column: string, at: string, ids: IdsOf]>> {
  if (service === 'parlay') {
    const identity = new ParlayIdentity(idKey, shiftUs)
    return {
      requests: ['request', 'created_at', ({ number }) => [identity.request(number), identity.rfq(number)]],
      quotes: ['quote', 'submitted_at', ({ number }) => [identity.quote(number)]],
      positions: ['position', 'opened_at', ({ number }) => [identity.position(number)]],
      auctions: ['auction', 'opened_at', ({ number }) => [identity.auction(number)]],
      bids: ['bid', 'submitted_at', ({ number }) => [identity.bid(number)]],
    }
  }
  let createdAtUs = 0
  const never = (): never => { throw new Bug('no id that is looked for has such an origin') }
  const origins: EntityOrigins = { rfqCreatedAtUs: () => createdAtUs, operationStartedAtUs: never, acceptance: never }
  const identity = new OutcomeIdentity(idKey, origins, null, shiftUs)
  const rfq: IdsOf = ({ number, atUs }) => {
    createdAtUs = atUs
    return [identity.rfq(number)]
  }
  const quote: IdsOf = ({ number }) => [identity.quote(number)]
  return {
    requests: ['request', 'created_at', rfq],
    quotes: ['quote', 'submitted_at', quote],
    positions: ['position', 'opened_at', ({ number }) => [identity.position(number)]],
    auctions: ['auction', 'opened_at', rfq],
    bids: ['bid', 'submitted_at', quote],
  }
}

function* rowsOf(table: Table, service: ServiceName, { column, at }: { readonly column: string; readonly at: string }): Generator<Numbered> {
  const services = table.column('service')
  const own = services.values!.indexOf(service)
  if (own < 0) return
  const [numbers, requests, times] = [column, 'request', at].map((name) => table.column(name).numbers!) as [Float64Array, Float64Array, Float64Array]
  for (let row = 0; row < table.rowCount; row++) {
    if (services.codes![row] === own) yield { number: numbers[row]!, request: requests[row]!, atUs: times[row]! }
  }
}
