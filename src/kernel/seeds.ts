/** Parts of a session whose draws may have a seed of their own (docs/decisions/0024-seeds.md). */
export const SEED_PARTS = ['outcomes', 'bettors', 'makers'] as const
export type SeedPart = (typeof SEED_PARTS)[number]

/** Seeds of their own, by part. A part that is absent has the session's. */
export type Seeds = { readonly [part in SeedPart]?: string }

/** What a session draws from. */
export interface Seeded {
  readonly seed: string
  readonly seeds?: Seeds
}

/** The seed of a part's draws. */
export const seedOfPart = ({ seed, seeds }: Seeded, part: SeedPart): string => seeds?.[part] ?? seed
