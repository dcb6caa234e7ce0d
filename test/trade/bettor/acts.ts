import type { Act, Answer, Call, Wake } from '../../../src/trade/link.ts'

/** An answer of a service with a JSON body. */
export const answer = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer => ({ status, headers, body: JSON.stringify(body) })

export const callsOf = (acts: readonly Act[]): Call[] => acts.filter((act): act is Call => 'path' in act)
export const wakesOf = (acts: readonly Act[]): Wake[] => acts.filter((act): act is Wake => 'wakeUs' in act)

/** Acts in short: `GET /path`, or `wake` with the µs from `nowUs` on. */
export const shortly = (acts: readonly Act[], nowUs: number): string[] => acts.map((act) => ('path' in act ? `${act.method} ${act.path}` : `wake ${act.wakeUs - nowUs}`))
