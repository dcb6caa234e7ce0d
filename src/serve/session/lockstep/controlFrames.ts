import { z } from 'zod'
import { readJsonText } from '../../http/jsonText.ts'

const turn = z.int().min(1)

/** What a client says on its control channel. */
const clientFrame = z.discriminatedUnion('frame', [
  /** It has opened its channels, and time may begin; or it is back; or it begins anew on another connection. */
  z.strictObject({ frame: z.literal('ready') }),
  /** Turn `n` ends, with so many calls and wakes. */
  z.strictObject({ frame: z.literal('done'), n: turn, calls: z.int().min(0) }),
  /** As call number `call` of turn `n`: call me again at `at_us`, in session time. */
  z.strictObject({ frame: z.literal('wake'), n: turn, call: z.int().min(1), at_us: z.int().min(0) }),
])
export type ClientFrame = z.output<typeof clientFrame>

/** What it is told. Instants are those of the wire, µs. */
export type ControlFrame =
  /** First of all. `has_begun`: whether time has, so that channels are opened in a turn. */
  | {
    readonly frame: 'welcome'; readonly seats: readonly { readonly service: string; readonly role: string; readonly name: string }[]; readonly at_us: number; readonly shift_us: number
    readonly has_begun: boolean
  }
  /**
   * Its turn. `why`: `begin`, `joined`, `answer`, `wake`, or the handler of a strategy that would have been called. Before it acts it reads so many
   * frames of each channel. A channel that is not counted is closed; `is_ending`: every market is over, because of which channels close.
   */
  | {
    readonly frame: 'turn'; readonly n: number; readonly at_us: number; readonly why: string; readonly of?: { readonly turn: number; readonly call: number }
    readonly counts: Readonly<Record<string, number>>; readonly is_ending?: true
  }
  /** Something that it sent is no part of the session. */
  | { readonly frame: 'refused'; readonly reason: string }
  /** It did not end its turn in time, and is out of the session until it says `ready`. */
  | { readonly frame: 'left'; readonly n: number; readonly why: string }
  | { readonly frame: 'over' }

const wakeBody = z.strictObject({ at_us: z.int().min(0) })

/** The body of `POST /wake`; null for what is none. */
export function wakeBodyOf(body: Uint8Array): z.output<typeof wakeBody> | null {
  const read = readJsonText(body)
  return 'fault' in read ? null : wakeBody.safeParse(read.value).data ?? null
}

/** Null for what is no frame. */
export function clientFrameOf(data: Uint8Array): ClientFrame | null {
  const read = readJsonText(data)
  return 'fault' in read ? null : clientFrame.safeParse(read.value).data ?? null
}
