import { COMMAND_LEGS_MAX, type Command, type MarketOp } from '../../contract.ts'

/** Opcodes of the outcome-market RFQ service. Those below 20 are an operator's (design.md, decision 3), the others participants'. */
export const OutcomeOp = {
  /** Adds or replaces an outcome: `outcome` (a number of its own choosing, from 0), `closeUs`, `list` = its outcome_id as limbs (protocol/outcomeId.ts). */
  listOutcome: 1,
  haltOutcome: 2,
  resumeOutcome: 3,
  delistOutcome: 4,
  /** Gives `outcome` its result (`Resolve`). An outcome resolves once. */
  resolveOutcome: 5,
  /** Sets the fee rates (`SetFees`) for quotes made from now on. */
  setFees: 6,
  /** Switches a fault on or off (`SetFault`). */
  setFault: 7,
  /** Gives an account its venue identity, as a participant or a maker (`BindAccount`). Once. */
  bindAccount: 8,
  /** A command of the gate (`Drain`). The replica drains, and its streams close (CONNECTION_DRAIN), or it no longer does. */
  drain: 9,
  /** A command of the gate (`Resnapshot`). Streams of a channel close, as HTTP state must be reloaded (RESNAPSHOT_REQUIRED). */
  resnapshot: 10,

  /** Credits `amountMicros`: a participant's balance, a maker's capital. */
  deposit: 20,
  /** Signed. `amountMicros`, `exitUntilS` (NONE: no Exit), `validAfterS`, `validBeforeS`: a participant withdraws (OM-095). */
  withdraw: 21,
  /** Signed. `amountMicros`: a maker lowers its collateral (OM-087). */
  reduceCollateral: 22,
  /** `SetSigner`: a maker's quote signer from now on. */
  setSigner: 23,

  /** `stakeMicros`, `legCount`, `legOutcomes`, `legSides`. */
  createRfq: 30,
  /** `rfq`. */
  cancelRfq: 31,
  /** `position`: its holder opens a cash-out RFQ (OM-093). */
  openCashout: 32,
  /** Signed. `quote`, `generation` (NONE: whichever), `coreMicros` (part of the stake out of the core wallet), `validAfterS`, `validBeforeS`; `key` becomes the acceptance_id. */
  acceptQuote: 33,

  /** Signed. `rfq`, `generation` (NONE: whichever), `payoutMicros` (of a cash-out: the price), `expiryS`. */
  submitQuote: 40,
  /** `quote`. */
  cancelQuote: 41,
  /** Signed. `quote`: the maker confirms its pending acceptance. */
  confirmQuote: 42,
  /** `quote`. */
  declineQuote: 43,

  /** From here on: the gate. Signs in with a wallet, from `origin`. The reply names the session as a credential (OM-097). */
  signIn: 60,
  /** Ends the session that the command's credential is (OM-098). */
  signOut: 61,
  /** Makes an issue-key challenge for this account (OM-119): the fields of issueKey but `challenge` and the signature. */
  challengeKey: 62,
  /** Signed. `IssueKey`, `validMs` = label length, `expiryDays` (NONE: no expiry), `challenge`. */
  issueKey: 63,
  /** `RevokeKey`. */
  revokeKey: 64,
  /** `OpenStream`, `cursor` (NONE: a snapshot), `version` = subprotocol. */
  openStream: 65,
  /** `OpenMarketStream`, `list` = outcomes, `cursor`, `version` = subprotocol: the public price stream; needs no credential. */
  openMarketStream: 66,
  /** `CloseStream`: the client of the stream went away. This is no call, and always ok. */
  closeStream: 67,
  /** `ApplyStream`, `cursor`: the world says how far its client has read. Account −1. */
  applyStream: 68,
  /** `Read`, `cursor` (NONE: first page): a read that counts and checks its cursor. */
  read: 69,
} as const satisfies {
  listOutcome: typeof MarketOp.list, haltOutcome: typeof MarketOp.halt, resumeOutcome: typeof MarketOp.resume, delistOutcome: typeof MarketOp.delist,
  resolveOutcome: typeof MarketOp.resolve, [op: string]: number
}

export const OUTCOME_OP_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(OutcomeOp).map(([name, op]) => [op, name]),
)

/** Commands that move funds, or bind to move funds. They carry the signer and the terms that it signed (OM-016, design.md, decision 17). */
export const isSigned = (op: number): boolean =>
  op === OutcomeOp.withdraw || op === OutcomeOp.reduceCollateral || op === OutcomeOp.acceptQuote || op === OutcomeOp.submitQuote ||
  op === OutcomeOp.confirmQuote || op === OutcomeOp.issueKey

/** What a key acts for (OM-015). */
export const AccountRole = { participant: 0, maker: 1 } as const
/** Faults of the venue. Operations fail (chainDropped) or wait (chainStalled). The other faults refuse calls with the code of their name. */
export const OutcomeFault = {
  financialActionsDisabled: 1, coreFundingUnavailable: 2, quoteExposureStale: 3, chainDropped: 4, chainStalled: 5,
} as const

/** What `value` and `value2` of a command are called, of the kinds that this service alone has (contract.ts). */
/** `taker_fee_bps` and `fee_bps`. */
export const SetFees = { takerFeeBps: 'value', feeBps: 'value2' } as const
/** `bound`: the account; `role`: an AccountRole. */
export const BindAccount = { bound: 'value', role: 'value2' } as const
/** `isDraining`: 1 or 0. */
export const Drain = { isDraining: 'value' } as const
/** `channel`: a ChannelBit. */
export const Resnapshot = { channel: 'value' } as const
export const SetSigner = { signer: 'value' } as const
/** `recordedOrigin`: as `origin`, which alone counts. */
export const SignIn = { recordedOrigin: 'value' } as const
/** Fields of challengeKey too. `scopes` is a mask of scopes, `scopeCount` how many were sent. */
export const IssueKey = { scopes: 'value', scopeCount: 'value2' } as const
/** `bodyTag`: fingerprint of the call that a command with a key was made of, NONE inside a session. It alone is the content of its key. */
export const Keyed = { bodyTag: 'cursor' } as const
/** `keyNumber`: its number among all keys. */
export const RevokeKey = { keyNumber: 'value' } as const
/** `channels`: mask of ChannelBit; `flags`: mask of StreamFlag. */
export const OpenStream = { channels: 'value', flags: 'value2' } as const
/** `flags`: StreamFlag.freshness or none. */
export const OpenMarketStream = { flags: 'value2' } as const
export const CloseStream = { stream: 'value' } as const
export const ApplyStream = { stream: 'value' } as const
/** `route`: a ReadRoute; `pageLimit`: NONE: 50. */
export const Read = { route: 'value', pageLimit: 'value2' } as const

/** The most list entries of a command. Edges refuse longer input before it becomes a command. */
export const COMMAND_LIST_MAX = 512
/** Highest account number. An operator's commands may have account −1, nobody's. */
export const ACCOUNT_MAX = 16_777_215
/** Highest signer number; an account's own wallet signs as the account's number. */
export const SIGNER_MAX = 2_147_483_647
/** Idempotency keys are numbers of an account's own choosing, from 1; the edge writes them as UUIDv7. */
export const KEY_MAX = 268_435_455

export const isIdempotencyKey = (key: number): boolean => Number.isInteger(key) && key >= 1 && key <= KEY_MAX
const UNSET = -1

/**
 * One command of the outcome service, which is reused: `reset` it, set the fields that the opcode names, hand it to `apply`.
 * Fields without meaning for the opcode stay −1. Numbers need not be valid. Legs and list entries are the exception, see
 * `leg` and `item`.
 */
export class OutcomeCommand implements Command {
  seq = 0
  op = 0
  account = UNSET
  /** 0 for the service app's own sign-in, from 1 a session or key, below 0 none (protocol/access.ts). */
  credential = 0
  source = 0
  /** Number of the Origin header's value; −1 none, −2 several. */
  origin = UNSET
  /** Idempotency key: 1…KEY_MAX; −1 none, −2 malformed. */
  key = UNSET
  rfq = UNSET
  generation = UNSET
  quote = UNSET
  position = UNSET
  outcome = UNSET
  stakeMicros = UNSET
  payoutMicros = UNSET
  amountMicros = UNSET
  coreMicros = UNSET
  /** Times inside signed terms are unix seconds (OM-032). */
  expiryS = UNSET
  exitUntilS = UNSET
  validAfterS = UNSET
  validBeforeS = UNSET
  closeUs = UNSET
  /** Who signed, recovered from the signature; −1 unsigned. */
  signer = UNSET
  /** Fingerprint of the terms that were signed (protocol/terms.ts). */
  termsTag = UNSET
  challenge = UNSET
  expiryDays = UNSET
  /** For a command with a key that came over the wire, the fingerprint of its body. */
  cursor = UNSET
  version = UNSET
  validMs = UNSET
  value = UNSET
  value2 = UNSET
  /** Recorded in the journal, never read by the venue: a maker's fair probability in billionths, or −1. */
  memoE9 = UNSET
  /** The same of the maker's product of the legs' prices. */
  productE9 = UNSET
  legCount = 0
  readonly legOutcomes = new Int32Array(COMMAND_LEGS_MAX)
  readonly legSides = new Uint8Array(COMMAND_LEGS_MAX)
  listCount = 0
  readonly list = new Int32Array(COMMAND_LIST_MAX)

  /** Clears every field but `seq`. */
  reset(op: number, account: number): this {
    this.op = op
    this.account = account
    this.credential = this.source = 0
    this.origin = this.key = this.rfq = this.generation = this.quote = this.position = this.outcome = UNSET
    this.stakeMicros = this.payoutMicros = this.amountMicros = this.coreMicros = UNSET
    this.expiryS = this.exitUntilS = this.validAfterS = this.validBeforeS = this.closeUs = UNSET
    this.signer = this.termsTag = this.challenge = this.expiryDays = this.cursor = this.version = this.validMs = UNSET
    this.value = this.value2 = this.memoE9 = this.productE9 = UNSET
    this.legCount = this.listCount = 0
    return this
  }

  /** Adds a leg. Edges check that the outcome fits int32 and the side is 0 or 1, since the typed arrays wrap. */
  leg(outcome: number, side: number): this {
    this.legOutcomes[this.legCount] = outcome
    this.legSides[this.legCount++] = side
    return this
  }

  /** Adds a list entry. Edges check that it fits int32, since the typed array wraps. */
  item(value: number): this {
    this.list[this.listCount++] = value
    return this
  }
}

/** Number fields of a command in the order of the journal. Legs and then the list follow in its side pool. */
export const COMMAND_FIELDS = [
  'op', 'account', 'credential', 'source', 'origin', 'key', 'rfq', 'generation', 'quote', 'position', 'outcome', 'stakeMicros',
  'payoutMicros', 'amountMicros', 'coreMicros', 'expiryS', 'exitUntilS', 'validAfterS', 'validBeforeS', 'closeUs', 'signer', 'termsTag',
  'challenge', 'expiryDays', 'cursor', 'version', 'validMs', 'value', 'value2', 'memoE9', 'productE9',
] as const satisfies readonly (keyof OutcomeCommand)[]

/** Whether a command's `listCount` is possible. */
export const isListCount = (count: number): boolean => Number.isInteger(count) && count >= 0 && count <= COMMAND_LIST_MAX
