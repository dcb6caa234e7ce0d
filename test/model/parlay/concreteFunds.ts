import { NONE } from '../../../src/unit/none.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import type { ModelCommand } from './command.ts'
import type { Intent } from './intents.ts'
import { accountOf, type Fields, flawOf, pickOf, type Scene } from './scene.ts'
import { freeOf, isFenced } from './state.ts'

/** Commands about funds that intents become. */
export function deposit(intent: Intent, scene: Scene): Fields {
  const fields = { amountMicros: 1 + intent.amount * 300, value: [NONE, 0][intent.pick % 2]! }
  const flaws: Partial<ModelCommand>[] = [
    { amountMicros: 0 }, { amountMicros: -5 }, { amountMicros: 1.5 }, { amountMicros: NaN },
    { amountMicros: scene.profile.depositMaxMicros + 1 }, { value: 1 }, { value: 2 }, { value: 3 }, { value: 0.5 }, { value: NaN },
  ]
  return [ParlayOp.deposit, actorOf(intent, scene), { ...fields, ...flawOf(intent, 85, flaws) }]
}

export const withdraw = (intent: Intent, scene: Scene): Fields => takeOut(ParlayOp.withdraw, intent, scene)
export const walletWithdraw = (intent: Intent, scene: Scene): Fields => takeOut(ParlayOp.walletWithdraw, intent, scene)
export const submitTransaction = (intent: Intent): Fields => [ParlayOp.submitTransaction, accountOf(intent), {}]

function takeOut(op: number, intent: Intent, scene: Scene): Fields {
  const account = actorOf(intent, scene)
  const free = freeOf(scene.state, account)
  const bad = [0, -1, 0.5, NaN, scene.profile.withdrawMaxMicros + 1]
  const amountMicros = intent.flaw < 45 ? 1 + Math.floor((free * intent.amount) / 4_000_000)
    : intent.flaw < 60 ? Math.max(1, free) : intent.flaw < 85 ? free + 1 : bad[intent.flaw % bad.length]!
  return [op, account, { amountMicros }]
}

/** Somebody, most often with a vault that is not fenced. */
function actorOf(intent: Intent, { state }: Scene): number {
  const account = accountOf(intent)
  const open = [...state.accounts.keys()].filter((one) => !isFenced(state, one))
  return intent.flaw < 70 && isFenced(state, account) ? pickOf(open, intent.who) ?? account : account
}
