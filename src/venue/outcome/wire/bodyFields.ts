/** What is wrong with a field: it is missing, its value cannot be, or no such field exists (OM-174). */
export interface FieldViolation {
  /** JSON pointer (RFC 6901) into the body; '' is the body itself. */
  readonly field: string
  readonly code: 'REQUIRED' | 'INVALID' | 'UNEXPECTED'
}

/** Reads a value off a JSON value, or null when it is none. No parser takes null for a value but one that says so. */
export type Parser<T> = (value: unknown) => T | null

const escaped = (name: string | number): string => String(name).replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * The fields of one JSON object, read one by one; whatever is wrong is collected as violations, in the order read. An absent
 * field and one that is null are different inputs (OM-035).
 */
export class BodyFields {
  declare readonly violations: FieldViolation[]
  private declare readonly values: Readonly<Record<string, unknown>>
  private declare readonly pointer: string
  private readonly known = new Set<string>()
  /** Set when the value is no object: that one violation says it all. */
  private declare readonly broken: boolean

  constructor(value: unknown, pointer = '', violations: FieldViolation[] = []) {
    this.violations = violations
    this.pointer = pointer
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject) violations.push({ field: pointer, code: 'INVALID' })
    this.values = isObject ? value as Record<string, unknown> : {}
    this.broken = !isObject
  }

  private at(name: string | number): string {
    return `${this.pointer}/${escaped(name)}`
  }

  private has(name: string): boolean {
    this.known.add(name)
    return Object.hasOwn(this.values, name)
  }

  private violate(field: string, code: FieldViolation['code']): null {
    if (!this.broken) this.violations.push({ field, code })
    return null
  }

  required<T>(name: string, parse: Parser<T>): T | null {
    if (!this.has(name)) return this.violate(this.at(name), 'REQUIRED')
    return parse(this.values[name]) ?? this.violate(this.at(name), 'INVALID')
  }

  /** `absent` when the field was omitted. */
  optional<T>(name: string, parse: Parser<T>, absent: T): T | null {
    return this.has(name) ? this.required(name, parse) : absent
  }

  /** A field whose null means something: `whenNull`. */
  nullable<T>(name: string, parse: Parser<T>, whenNull: T): T | null {
    return this.required(name, (value) => (value === null ? whenNull : parse(value)))
  }

  /** The fields of an object inside, or null when it is absent; a required one that is absent is a violation. */
  object(name: string, presence: 'required' | 'optional'): BodyFields | null {
    if (!this.has(name)) return presence === 'required' ? this.violate(this.at(name), 'REQUIRED') : null
    return new BodyFields(this.values[name], this.at(name), this.violations)
  }

  /** Each item of a required array of `min` to `max` items, by `read`; null when it is no such array. */
  items<T>(name: string, min: number, max: number, read: (item: unknown, pointer: string) => T): T[] | null {
    const list = this.required<unknown[]>(name, (value) => (Array.isArray(value) && value.length >= min && value.length <= max ? value : null))
    return list === null ? null : list.map((item, i) => read(item, `${this.at(name)}/${i}`))
  }

  /** Reports the fields that nobody asked for. */
  close(): void {
    for (const name of Object.keys(this.values)) if (!this.known.has(name)) this.violate(this.at(name), 'UNEXPECTED')
  }
}
