import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { SERVICE_NAMES } from '../unit/services.ts'
import { InputError } from '../unit/inputError.ts'

const seat = z.object({ role: z.enum(['maker', 'bettor']) }).catchall(z.string())
const service = z.object({ url: z.url(), seats: z.record(z.string(), seat) })
/** The file that parlor serve writes for whoever holds its seats. */
const credentials = z.object({ parlay: service.optional(), outcome: service.optional(), control: z.object({ url: z.url() }).optional() })

/** A seat of a served session, and the way to it. */
export interface Seat {
  readonly service: (typeof SERVICE_NAMES)[number]
  readonly name: string
  readonly role: 'maker' | 'bettor'
  readonly url: string
  /** Where its turns come from; null: the session goes by the wall's clock. */
  readonly controlUrl: string | null
  /** By the names in the file: `api_key`, `control_token`, and what else the service has. */
  readonly held: Readonly<Record<string, string>>
}

export interface WantedSeat {
  readonly role: 'maker' | 'bettor'
  readonly name?: string | undefined
  /** Of the service; absent: the file's. */
  readonly url?: string | undefined
}

/** The seat that a client is to hold. Throws InputError for a file that is none of credentials, and where no seat or several fit. */
export function seatOf(path: string, { role, name, url }: WantedSeat): Seat {
  if (url !== undefined && !url.startsWith('http://')) throw new InputError(`--url ${url}: parlor serve speaks plain HTTP`, { hint: 'expected an address that begins with http://' })
  const file = readCredentials(path)
  const all = SERVICE_NAMES.flatMap((of) => {
    const found = file[of]
    return found === undefined ? [] : Object.entries(found.seats).map(([own, { role: itsRole, ...held }]): Seat => ({ service: of, name: own, role: itsRole, url: found.url, controlUrl: file.control?.url ?? null, held }))
  })
  const atUrl = url === undefined ? all : all.filter((one) => sameOrigin(one.url, url))
  // An address that the file does not have may be the way to its only service.
  const reached = atUrl.length > 0 || url === undefined ? atUrl : new Set(all.map((one) => one.service)).size === 1 ? all.map((one) => ({ ...one, url: withoutSlash(url) })) : []
  if (reached.length === 0) throw new InputError(`no service of the credentials is at ${url}`, { position: { file: path }, hint: `expected ${[...new Set(all.map((one) => one.url))].join(' or ')}` })
  const fitting = reached.filter((one) => one.role === role && (name === undefined || one.name === name))
  if (fitting.length === 1) return fitting[0]!
  const names = reached.map((one) => `${one.name} (${one.role} of the ${one.service} service)`).join(', ')
  throw new InputError(fitting.length === 0 ? `the credentials have no ${role}${name === undefined ? '' : ` named ${name}`}` : `the credentials have several ${role}s`, { position: { file: path }, hint: `expected --seat and --url of one of ${names}` })
}

function readCredentials(path: string): z.output<typeof credentials> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new InputError(`no credentials at ${path}`, { hint: 'expected the file that parlor serve names; it is there until the session ends', cause })
  }
  try {
    return credentials.parse(JSON.parse(text))
  } catch (cause) {
    throw new InputError('is no file of credentials', { position: { file: path }, hint: 'expected the file that parlor serve writes', cause })
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

function sameOrigin(one: string, other: string): boolean {
  return URL.canParse(other) && new URL(one).origin === new URL(other).origin
}
