/** Services by number: the `service` of every row and command, and the order of their deadlines at one instant. */
export const Service = { parlay: 0, outcome: 1 } as const

/** Names of the services in the order of their numbers. */
export const SERVICE_NAMES = ['parlay', 'outcome'] as const
