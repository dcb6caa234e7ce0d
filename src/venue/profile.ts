/** A setting of a service: its default and the range that its document allows, in `unit`. */
export interface Setting {
  readonly default: number
  readonly min: number
  readonly max: number
  readonly unit: 'ms' | 'micros' | 'bps' | 'count' | 'oddsE4' | 'flag'
  /** What the setting is, with the rule that it comes from. */
  readonly about: string
}

/** Every window, fee and limit of a service, as data. Scenarios override values, and `scenario` checks them against the ranges. */
export type ProfileSettings = Readonly<Record<string, Setting>>

/** Resolved values of a profile: one number for each setting. */
export type ProfileValues<S extends ProfileSettings> = { readonly [name in keyof S]: number }

/** The defaults of a profile with some values replaced. Ranges are checked by `scenario`, at the edge. */
export function profileOf<S extends ProfileSettings>(settings: S, overrides: Partial<ProfileValues<S>> = {}): ProfileValues<S> {
  const values: Record<string, number> = {}
  for (const [name, setting] of Object.entries(settings)) values[name] = setting.default
  return { ...values, ...overrides } as ProfileValues<S>
}
