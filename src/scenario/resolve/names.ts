import { entityOfName } from '../../kernel/names.ts'
import type { Path } from '../mistakes.ts'
import type { Role } from '../strategies.ts'
import type { Check, NameClaim } from './draft.ts'

/** Gives participants their names. */
export class Names {
  readonly claims: NameClaim[] = []
  private readonly made = new Map<string, number>()

  /** The name given, or one after the strategy: `shade`, `shade-2`, …: a participant more renames nobody before it. */
  of(role: Role, path: Path, given: string | undefined, use: string, seat: number, key: NameClaim['key'] = 'name'): string {
    const base = given ?? use.replaceAll('\\', '/').split('/').at(-1)!.replace(/\.[cm]?[jt]s$/, '')
    const ordinal = given === undefined ? (this.made.get(base) ?? 0) + 1 : seat
    if (given === undefined) this.made.set(base, ordinal)
    const name = ordinal === 1 ? base : `${base}-${ordinal}`
    this.claims.push({ role, name, path, key, isGiven: given !== undefined })
    return name
  }
}

/** Names are all different: draws and results go by them. */
export const checkNames: Check = ({ names }, fail) => {
  const taken = new Map<string, string>()
  const entities = new Map<string, string>()
  for (const { role, name, path, key, isGiven } of names) {
    const entity = `${role} ${entityOfName(name)}`
    const owner = path.map(String).join('.')
    const twin = taken.get(name) ?? entities.get(entity)
    if (twin !== undefined) {
      const why = taken.has(name) ? `the name ${name} is taken by ${twin}` : `the name ${name} draws the same numbers as ${twin}`
      fail(isGiven ? [...path, key] : path, why, { hint: `give one of them another \`${key}\`` })
    }
    taken.set(name, owner)
    entities.set(entity, owner)
  }
}
