import { LIMIT_OF_BUCKET } from './limits.ts'

/** Answers of each command that the page names; those of the venue are the venue's own duel's. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  setFault: ['ok', 'invalidRequest /account', 'invalidRequest /value', 'invalidRequest /value2'],
  drain: ['ok', 'invalidRequest /value', 'invalidRequest /account'],
  resnapshot: ['ok', 'invalidRequest /value', 'invalidRequest /account'],
  withdraw: ['unauthenticated', 'forbidden', 'invalidIdempotencyKey', 'idempotencyKeyReused'],
  reduceCollateral: ['unauthenticated', 'forbidden', 'invalidIdempotencyKey', 'idempotencyKeyReused'],
  createRfq: ['unauthenticated', 'originRequired', 'forbidden', 'rateLimited', 'invalidIdempotencyKey', 'idempotencyKeyReused'],
  cancelRfq: ['unauthenticated', 'forbidden', 'invalidIdempotencyKey', 'idempotencyKeyReused'],
  openCashout: ['unauthenticated', 'forbidden', 'rateLimited', 'invalidIdempotencyKey', 'idempotencyKeyReused'],
  acceptQuote: ['unauthenticated', 'forbidden', 'rateLimited', 'invalidIdempotencyKey', 'idempotencyKeyReused'],
  submitQuote: ['unauthenticated', 'forbidden', 'rateLimited', 'invalidIdempotencyKey', 'idempotencyKeyReused'],
  cancelQuote: ['unauthenticated', 'rateLimited'],
  confirmQuote: ['unauthenticated', 'rateLimited', 'invalidIdempotencyKey'],
  declineQuote: ['unauthenticated', 'rateLimited', 'invalidIdempotencyKey'],
  signIn: ['ok', 'originRequired', 'identityNotFound', 'embeddedWalletUnavailable', 'invalidRequest /account'],
  signOut: ['ok', 'unauthenticated', 'originRequired'],
  challengeKey: [
    'ok', 'unauthenticated', 'originRequired', 'invalidRequest /label', 'invalidRequest /scopes', 'invalidRequest /expires_in_days',
  ],
  issueKey: [
    'ok', 'unauthenticated', 'originRequired', 'forbidden', 'invalidRequest /label', 'invalidRequest /scopes', 'invalidRequest /expires_in_days',
    'invalidRequest /proof', 'stateConflict', 'invalidSignature', 'wrongAuthority', 'invalidIdempotencyKey', 'idempotencyKeyReused',
  ],
  revokeKey: ['ok', 'unauthenticated', 'invalidRequest /value', 'notFound', 'stateConflict'],
  openStream: [
    'ok', 'subprotocolRequired', 'unauthenticated', 'invalidSubscription', 'subscriptionDenied', 'connectionDrain', 'connectionLimit', 'cursorReset',
    'snapshotTooLarge', 'dependencyStale', 'sourceUnavailable',
  ],
  openMarketStream: [
    'ok', 'subprotocolRequired', 'invalidSubscription', 'subscriptionDenied', 'connectionDrain', 'connectionLimit', 'cursorReset',
    'marketDataUnavailable', 'invalidRequest /account',
  ],
  closeStream: ['ok', 'invalidRequest /account'],
  applyStream: ['ok', 'forbidden', 'notFound', 'invalidCursor'],
  read: [
    'ok', 'unauthenticated', 'originRequired', 'forbidden', 'rateLimited', 'invalidRequest /value', 'invalidQuery', 'invalidCursor', 'staleCursor',
    'cursorExpired',
  ],
  'unknown op': ['unauthenticated', 'invalidRequest '],
}

const FAULTED: Readonly<Record<string, readonly string[]>> = {
  authorizationUnavailable: ['signIn', 'a read', 'createRfq', 'openStream', 'acceptQuote'],
  dependencyStale: ['a read', 'openStream'],
  sourceUnavailable: ['a read', 'openStream'],
  contractUnavailable: ['createRfq', 'openCashout', 'submitQuote'],
  marketDataUnavailable: ['a public read', 'openMarketStream'],
  sponsorshipUnavailable: ['withdraw', 'reduceCollateral', 'acceptQuote'],
  contractSignatureOverloaded: ['withdraw', 'reduceCollateral', 'acceptQuote', 'submitQuote', 'confirmQuote', 'issueKey'],
  comboAutomaticDisabled: ['createRfq'],
  embeddedWalletUnavailable: ['withdraw', 'reduceCollateral', 'acceptQuote', 'submitQuote', 'confirmQuote', 'issueKey', 'signIn'],
}

const CLOSINGS = ['ok', 'authorizationRevoked', 'slowConsumer', 'connectionDrain', 'resnapshotRequired']
const EVENTS = ['RFQ_CREATED', 'QUOTE_CREATED', 'QUOTE_ACCEPTED', 'OPERATION_UPDATED']
const EDGES = [
  'call with a session at its end', 'call with a key at its end', 'challenge used at its end', 'page cursor at its end',
  'replay at the end of the window', 'repeat at the end', 'repeat of an accept at the end', 'command at a heartbeat',
  'call at the end of a full window',
]
const KEYED = ['withdraw', 'reduceCollateral', 'createRfq', 'cancelRfq', 'openCashout', 'acceptQuote', 'submitQuote', 'issueKey']

/** What must be reached: the transitions of docs/readings.md, "Tables of states" (key, session, stream), every class of answer, every limit and instant. */
export const SIGHTS: readonly string[] = [
  `a maker's read by nobody bound: forbidden`, `signOut with another account's session`, `createRfq with another account's key`, 'session none→live', ...['signed out', 'idle', 'aged'].map((how) => `session live→ended, ${how}`),
  'key none→active', 'key none→active, for ever', 'key active→revoked', 'key active→expired',
  ...['account', 'maker', 'account and maker'].flatMap((of) => ['a snapshot', 'a replay'].flatMap((how) =>
    ['some', 'none'].map((what) => `${of} opened with ${how} of ${what}`))),
  'market opened with a snapshot of none', 'market opened with a replay of none',
  ...CLOSINGS.map((code) => `stream live→closed, ${code}`), 'stream closed as it opened',
  ...['ok', 'connectionDrain', 'resnapshotRequired'].map((code) => `market stream closed, ${code}`),
  ...['a plain stream', 'a fresh stream', 'market data'].map((of) => `heartbeat of ${of}`),
  ...EVENTS.flatMap((name) => [`${name} to a paced stream`, `${name} to a reading stream`]),
  'cursor at the horizon', 'cursor one below the horizon', 'cursor at the newest', 'cursor one above the newest', 'snapshot of a full class',
  'replay that fills the backlog',
  ...KEYED.map((name) => `replayed ${name}`), 'replayed a success', 'replayed a refusal', 'repeat that waits', 'repeat that waits behind another',
  ...['ok', 'declined', 'timedOut'].map((code) => `waiting repeat answered ${code}`),
  'not remembered, a 429 of the venue', 'not remembered, a 503 of the venue',
  ...['the venue', 'a command under way', 'its own op', 'another op'].map((of) => `reused, as known of ${of}`),
  ...Object.values(LIMIT_OF_BUCKET).flatMap((name) => [`last call of a window by ${name}`, `refused by ${name}`]),
  'last call of a window by the total', 'refused by the total',
  ...EDGES.flatMap((edge) => ['−1 µs', '±0', '+1 µs'].map((offset) => `${edge} ${offset}`)),
  ...Object.entries(ANSWERS).flatMap(([op, answers]) => answers.map((answer) => `${op}: ${answer}`)),
  ...Object.entries(FAULTED).flatMap(([fault, calls]) => calls.map((call) => `${fault} of ${call}`)),
]
