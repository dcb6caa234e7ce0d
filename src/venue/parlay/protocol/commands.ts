import { COMMAND_LEGS_MAX, type Command, type MarketOp } from '../../contract.ts'

/** Opcodes of the parlay quote service. Those below 20 are an operator's (design.md, decision 3), the others participants'. */
export const ParlayOp = {
  /** Adds or replaces a market: `market` (a number of its own choosing, from 0), `closeUs`, `list` = its exclusion keys. */
  listMarket: 1,
  haltMarket: 2,
  resumeMarket: 3,
  delistMarket: 4,
  /** Gives `market` its result (`Resolve`). A market resolves once; a second result is a CONFLICT. */
  resolveMarket: 5,
  /** Sets the fee rates (`SetFees`) for what is made from now on. */
  setFees: 6,
  /** Switches a fault on or off (`SetFault`). */
  setFault: 7,
  /** Puts an account's wallet on record, as it is for everybody at first, or takes it off (`SetWallet`). */
  setWallet: 8,
  /** A command of the gate: switches the webhook deliveries of an account off, or on again, as they are at first (`SetDeliveries`). */
  setDeliveries: 9,

  /** Credits `amountMicros` to the account's vault, made if there is none (readings A35); the token is that of `Deposit`. */
  deposit: 20,
  /** Takes `amountMicros` of the free balance out of the vault (PQ-214, PQ-218). */
  withdraw: 21,
  /** The same, to an external address (PQ-216). Wallets are taken to be empty, so that all of it comes out of the vault. */
  walletWithdraw: 22,
  /** A transaction that the client signed itself (PQ-217); it moves nothing of the vault. */
  submitTransaction: 23,

  /** `legCount`, `legMarkets`, `legSides`, `betMicros`. */
  createRequest: 30,
  /** `request` and the fields of createRequest. */
  updateRequest: 31,
  /** `request`. */
  cancelRequest: 32,
  /** `request`, `version` (expected_version), `quote` and `bookSeq` (displayed, recorded only), `oddsE4` (floor), `list` = excluded makers. */
  commitRequest: 33,
  /** `position`: its holder opens a cash-out auction. */
  openCashout: 34,
  /** `auction`. */
  cancelCashout: 35,
  /** `auction`, `amountMicros` (the lowest price that the seller takes, NONE: any). */
  commitCashout: 36,

  /** `request`, `version`, `contentTag`, `oddsE4`, `validMs` (NONE: the default). */
  submitQuote: 40,
  /** `request`; `version` and `contentTag` or NONE for the current ones. */
  withdrawQuote: 41,
  /** `request`, `quote` (the selected one). */
  confirmSelection: 42,
  declineSelection: 43,
  /** `auction`, `amountMicros` (`price_micro`), `validMs` (NONE: the default). */
  submitBid: 44,

  /** From here on: the gate. `CreateKey`, `closeUs` (expiry, NONE: never). The command's credential makes the key (PQ-267). */
  createKey: 60,
  /** `RevokeKey`. */
  revokeKey: 61,
  /** `SetEndpoint`. */
  setEndpoint: 62,
  /** `RotateSecret`: makes the endpoint's signing secret, or the next one (PQ-326). */
  rotateSecret: 63,
  /** `Redeliver`. */
  redeliver: 64,
  /** The maker's stream, which marks it live while it is open (PQ-208). */
  openStream: 65,
  /** The end of the stream's connection. It is no call and needs only its account. */
  closeStream: 66,
  /** `Read`: a read that only counts against its limits. */
  read: 67,
  /** The world answers a delivery (`AnswerDelivery`); `version` = attempt. Account −1. */
  answerDelivery: 68,
} as const satisfies {
  listMarket: typeof MarketOp.list, haltMarket: typeof MarketOp.halt, resumeMarket: typeof MarketOp.resume, delistMarket: typeof MarketOp.delist,
  resolveMarket: typeof MarketOp.resolve, [op: string]: number
}

export const PARLAY_OP_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(ParlayOp).map(([name, op]) => [op, name]),
)

/**
 * Faults that the operator switches on and off. While a fault of the chain is on, settlements wait, and vault transactions start
 * as chain_pending (chainUnclear), as chain_pending and then fail (chainDropped), or as balance_pending (mirrorBehind).
 * chainDisabled refuses the vault's calls (PQ-225). While withdrawalFails is on, a withdrawal that could be made fails (PQ-224).
 * While walletFails is on, a wallet withdrawal gets no further than the wallet (PQ-352).
 */
export const ParlayFault = {
  collateralUnavailable: 1, feeUnavailable: 2, chainUnclear: 3, chainDropped: 4, mirrorBehind: 5, chainDisabled: 6, withdrawalFails: 7,
  walletFails: 8,
} as const
export const Token = { usdc: 0, bridgedUsdc: 1, other: 2 } as const

/** What `value` and `value2` of a command are called, of the kinds that this service alone has (contract.ts). */
export const SetFees = { takerFeeBps: 'value', profitFeeBps: 'value2' } as const
/** `isOnRecord`: 1 or 0. */
export const SetWallet = { walletOf: 'value', isOnRecord: 'value2' } as const
/** `isOn`: 1 or 0. */
export const SetDeliveries = { deliveriesOf: 'value', isOn: 'value2' } as const
/** `token`: a Token, NONE: USDC. */
export const Deposit = { token: 'value' } as const
/** `scopes`: mask of ScopeBit. */
export const CreateKey = { scopes: 'value' } as const
/** `keyNumber`: its number among all keys. */
export const RevokeKey = { keyNumber: 'value' } as const
/** `ownerKind`: an OwnerKind; `events`: mask of WebhookBit, 0 parks the endpoint (PQ-237). */
export const SetEndpoint = { ownerKind: 'value', events: 'value2' } as const
export const RotateSecret = { ownerKind: 'value' } as const
/** `ownerKind`: whose delivery it is, NONE: a user's. */
export const Redeliver = { delivery: 'value', ownerKind: 'value2' } as const
/** `route`: a ReadRoute. */
export const Read = { route: 'value' } as const
/** `status`: of HTTP, 0 for a network error. */
export const AnswerDelivery = { delivery: 'value', status: 'value2' } as const

/** The most list entries of a command. Edges refuse longer input before it becomes a command. */
export const COMMAND_LIST_MAX = 1024
/** Highest account number. An operator's commands may have account −1, nobody's. */
export const ACCOUNT_MAX = 16_777_215
const UNSET = -1

/**
 * One command of the parlay service, which is reused: `reset` it, set the fields that the opcode names, hand it to `apply`.
 * Fields without meaning for the opcode stay −1. Numbers need not be valid: the venue answers VALIDATION_ERROR. Legs and
 * list entries are the exception, see `leg` and `item`.
 */
export class ParlayCommand implements Command {
  seq = 0
  op = 0
  account = UNSET
  credential = 0
  source = 0
  request = UNSET
  version = UNSET
  /** Fingerprint of the request's content that stands for `request_hash` in process; see `contentTag`. */
  contentTag = UNSET
  quote = UNSET
  bookSeq = UNSET
  oddsE4 = UNSET
  validMs = UNSET
  betMicros = UNSET
  amountMicros = UNSET
  position = UNSET
  auction = UNSET
  market = UNSET
  closeUs = UNSET
  value = UNSET
  value2 = UNSET
  /** Recorded in the journal, never read by the venue: a maker's fair probability in billionths, or −1. */
  memoE9 = UNSET
  /** The same of the maker's product of the legs' prices. */
  productE9 = UNSET
  legCount = 0
  readonly legMarkets = new Int32Array(COMMAND_LEGS_MAX)
  readonly legSides = new Uint8Array(COMMAND_LEGS_MAX)
  listCount = 0
  readonly list = new Int32Array(COMMAND_LIST_MAX)

  /** Clears every field but `seq`. */
  reset(op: number, account: number): this {
    this.op = op
    this.account = account
    this.credential = this.source = 0
    this.request = this.version = this.contentTag = this.quote = this.bookSeq = UNSET
    this.oddsE4 = this.validMs = this.betMicros = this.amountMicros = UNSET
    this.position = this.auction = UNSET
    this.market = this.closeUs = this.value = this.value2 = this.memoE9 = this.productE9 = UNSET
    this.legCount = this.listCount = 0
    return this
  }

  /** Adds a leg. Edges check that the market fits int32 and the side is 0 or 1, since the typed arrays wrap. */
  leg(market: number, side: number): this {
    this.legMarkets[this.legCount] = market
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
  'op', 'account', 'credential', 'source', 'request', 'version', 'contentTag', 'quote', 'bookSeq', 'oddsE4', 'validMs', 'betMicros',
  'amountMicros', 'position', 'auction', 'market', 'closeUs', 'value', 'value2', 'memoE9', 'productE9',
] as const satisfies readonly (keyof ParlayCommand)[]

/** Whether a command's `listCount` is possible. */
export const isListCount = (count: number): boolean => Number.isInteger(count) && count >= 0 && count <= COMMAND_LIST_MAX

/**
 * Fingerprint of a request's content (legs in order, bet): a 52-bit integer that stands for `request_hash` inside the
 * process. Edges write the SHA-256 (readings A16). Equal content gives equal tags, so that the version is compared too.
 */
export function contentTag(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, betMicros: number, from = 0): number {
  let high = 0x9e3779b1 ^ legCount
  let low = 0x85ebca6b
  for (let i = from; i < from + legCount; i++) {
    high = Math.imul(high ^ (markets[i]! * 2 + sides[i]!), 0x7feb352d)
    high ^= high >>> 15
    low = Math.imul(low ^ high, 0x846ca68b)
    low ^= low >>> 13
  }
  high = Math.imul(high ^ betMicros, 0x7feb352d)
  low = Math.imul(low ^ Math.floor(betMicros / 4294967296) ^ high, 0x846ca68b)
  high ^= high >>> 16
  low ^= low >>> 16
  return (high >>> 12) * 4294967296 + (low >>> 0)
}
