import { NONE } from '../../../src/unit/none.ts'
import { AccountRole, BindAccount, KEY_MAX, OutcomeOp, SetSigner, SIGNER_MAX } from '../../../src/venue/outcome/protocol/commands.ts'
import { NET_DEPOSITS_MAX_MICROS } from '../../../src/venue/outcome/protocol/profile.ts'
import type { ModelCommand } from './command.ts'
import { signed } from './concreteTrade.ts'
import type { Intent } from './intents.ts'
import { usOfMs } from './numbers.ts'
import { type Fields, flawOf, makerOf, OPERATOR, participantOf, pickOf, type Scene, secondAfter, secondBefore } from './scene.ts'
import { reductionTag, withdrawalTag } from './signatures.ts'
import { awaitedCoreOf, coreOf, freeOf, itemsOf } from './state.ts'
import { exitWindowOf } from './withdrawals.ts'

/** Commands about accounts and funds that intents become. */

/** New accounts stand far apart. */
export function bindAccount(intent: Intent, { state }: Scene): Fields {
  const bound = itemsOf(state.accounts).map((account) => account.number)
  const fresh = [9, 10, 300, 1_100].filter((number) => !bound.includes(number))
  const value = pickOf(intent.flaw < 60 ? fresh : [], intent.pick) ?? pickOf(bound, intent.pick) ?? 0
  const flaws: Partial<ModelCommand>[] = [
    { value: -1 }, { value: 16_777_216 }, { value: 0.5 }, { value: NaN }, { value: -0 }, { value2: 2 }, { value2: -1 }, { value2: 0.5 },
    { value2: NaN },
  ]
  const role = intent.amount % 2 === 0 ? AccountRole.maker : intent.amount % 3 === 0 ? -0 : AccountRole.participant
  return [OutcomeOp.bindAccount, OPERATOR, { value, [BindAccount.role]: role, ...flawOf(intent, 85, flaws) }]
}

export function deposit(intent: Intent, scene: Scene): Fields {
  const { state, profile } = scene
  const rest = NET_DEPOSITS_MAX_MICROS - state.netDepositsMicros - awaitedCoreOf(state)
  const isHuge = intent.amount % 200 === 199
  const amountMicros = isHuge ? Math.min(profile.depositMaxMicros, rest + (intent.pick % 2)) : 1 + intent.amount * 300
  const flaws: Partial<ModelCommand>[] = [
    { amountMicros: 0 }, { amountMicros: -5 }, { amountMicros: 1.5 }, { amountMicros: NaN }, { amountMicros: profile.depositMaxMicros + 1 },
  ]
  const account = intent.pick % 2 === 0 ? participantOf(intent, scene) : makerOf(intent, scene)
  return [OutcomeOp.deposit, account, { amountMicros, ...flawOf(intent, 85, flaws) }]
}

export function withdraw(intent: Intent, scene: Scene): Fields {
  const { profile, nowUs } = scene
  const account = withdrawerOf(intent, scene)
  const amountMicros = amountOf(intent, scene, account)
  const [leastUs, mostUs] = exitWindowOf(profile, nowUs)
  const nowS = secondBefore(nowUs)
  const validAfterS = [nowS, nowS - 1, nowS][intent.pick % 3]!
  const spanS = secondBefore(usOfMs(profile.payoutSpanMaxMs))
  const furthestS = validAfterS + spanS - secondAfter(usOfMs(profile.payoutAfterMs))
  const exits = [NONE, secondAfter(leastUs), secondBefore(mostUs), secondAfter(leastUs) + 1].map((second) => Math.min(second, furthestS))
  const exitUntilS = exits[intent.who % exits.length]!
  const from = exitUntilS === NONE ? nowUs : exitUntilS * 1_000_000
  const least = secondAfter(from + usOfMs(profile.payoutAfterMs))
  const most = validAfterS + spanS
  const fields = { key: requestKeyOf(intent), amountMicros, exitUntilS, validAfterS, validBeforeS: intent.amount % 2 === 0 ? most : least }
  const flaws: Partial<ModelCommand>[] = [
    { exitUntilS: secondAfter(leastUs) - 1 }, { exitUntilS: secondBefore(mostUs) + 1 }, { exitUntilS: 0.5 }, { exitUntilS: -2 },
    { exitUntilS: NaN }, { validAfterS: nowS + 1 }, { validAfterS: NONE }, { validAfterS: 0.5 }, { validBeforeS: most + 1 }, { validBeforeS: least - 1 },
    { validBeforeS: NaN }, { validBeforeS: 1e300 }, ...KEYS_THAT_ARE_NONE,
  ]
  const sent = { ...fields, ...flawOf(intent, 86, flaws) }
  const sender = intent.flaw % 25 === 24 ? makerOf(intent, scene) : account
  const told = { ...sent, key: toldKeyOf(intent, sent.key) }
  return [OutcomeOp.withdraw, sender, { ...sent, ...signed(intent, sender, withdrawalTag(scene.state, sender, told)) }]
}

/** Somebody, most often one whose core wallet is idle. */
function withdrawerOf(intent: Intent, scene: Scene): number {
  const account = participantOf(intent, scene)
  const idle = [0, 1, 2].filter((one) => coreOf(scene.state, one) === 'idle')
  return intent.flaw < 50 && !idle.includes(account) ? pickOf(idle, intent.who) ?? account : account
}

/** Most requests have a key; without a gate they need none. */
const requestKeyOf = ({ pick }: Intent): number => (pick % 4 === 0 ? NONE : 1 + pick)

const KEYS_THAT_ARE_NONE: readonly { key: number }[] = [{ key: -2 }, { key: 0 }, { key: 0.5 }, { key: NaN }, { key: KEY_MAX + 1 }]

/** The key that was signed: now and then that of another request. */
const toldKeyOf = ({ flaw, amount }: Intent, key: number): number => (flaw % 17 === 16 ? 1 + (amount % 9) : key)

export function reduceCollateral(intent: Intent, scene: Scene): Fields {
  const maker = makerOf(intent, scene)
  const amountMicros = amountOf(intent, scene, maker)
  const sender = intent.flaw % 25 === 24 ? participantOf(intent, scene) : maker
  const sent = { key: requestKeyOf(intent), amountMicros, ...flawOf(intent, 86, KEYS_THAT_ARE_NONE) }
  const told = { ...sent, key: toldKeyOf(intent, sent.key) }
  return [OutcomeOp.reduceCollateral, sender, { ...sent, ...signed(intent, sender, reductionTag(scene.state, sender, told)) }]
}

function amountOf(intent: Intent, { state, profile }: Scene, account: number): number {
  const free = Math.min(freeOf(state, account), profile.withdrawMaxMicros)
  const bad = [0, -1, 0.5, NaN, profile.withdrawMaxMicros + 1, -0]
  return intent.flaw < 45 ? 1 + Math.floor((free * intent.amount) / 8_000_000)
    : intent.flaw < 55 ? Math.max(1, free) : intent.flaw < 65 ? free + 1 : intent.flaw < 72 ? bad[intent.pick % bad.length]! : 1_000_000
}

/** Makers change their signer and back, some for one that another has. */
export function setSigner(intent: Intent, scene: Scene): Fields {
  const maker = makerOf(intent, scene)
  const signers = [maker, 900, 901, maker, SIGNER_MAX, 5, 0]
  const flaws: Partial<ModelCommand>[] = [{ value: -1 }, { value: SIGNER_MAX + 1 }, { value: 0.5 }, { value: NaN }, { value: -0 }]
  const sender = intent.flaw % 25 === 24 ? participantOf(intent, scene) : maker
  return [OutcomeOp.setSigner, sender, { [SetSigner.signer]: signers[intent.pick % signers.length]!, ...flawOf(intent, 85, flaws) }]
}
