import { InputError } from '../unit/inputError.ts'

/** Handlers that a session calls at moves of prices. A client has its turns when something is told, and no service tells it of a price. */
const UNTOLD = ['onPrice', 'onPositionPrice'] as const

/** Refuses a strategy that waits for what no client is told. Throws InputError. */
export function refuseUntold(role: 'maker' | 'bettor', handlers: object): void {
  if (role === 'bettor' && 'onSettled' in handlers) {
    throw new InputError('the bettor has onSettled: a session tells it what its bets brought and what it has left, and its client asks the service for neither', { hint: 'play it inside, or take onSettled and desk.freeMicros out and stake by a parameter of its own' })
  }
  const name = UNTOLD.find((handler) => handler in handlers)
  if (name === undefined) return
  throw new InputError(`the ${role} has ${name}: a session calls it when a price moves, and no service tells a client of that`, {
    hint: role === 'maker' ? 'play it inside, or look at prices again with desk.later and desk.after' : 'play it inside, or look at prices again with desk.checkIn',
  })
}
