import type { z } from 'zod'
import { NONE } from '../../unit/none.ts'
import { MS_US } from '../../unit/time.ts'
import { CallWindows } from '../../venue/callWindows.ts'
import { Credential } from '../../venue/outcome/protocol/access.ts'
import { OUTCOME_CODES, OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { OutcomeCommand, OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import { Reply } from '../../venue/outcome/protocol/events.ts'
import { readCell } from '../../venue/eventRows.ts'
import { valuesOf } from '../headers.ts'
import type { Answer, Exchange } from '../exchange.ts'
import { answerWith } from '../jsonAnswer.ts'
import type { CallRead } from './calls.ts'
import { readOrigin } from './origins.ts'
import type { OutcomeRoute } from './routes.ts'
import type { SentCalls } from './sentCalls.ts'
import type { Served } from './served.ts'
import type { SignInChallengeRequest, SignInRequest } from './sessionRequests.ts'

/** Sign-ins of one address in a window of the gate (chosen, outcome-wire.md): finding the wallet that signed a message takes far longer than a refusal. */
const SIGN_INS_MAX = 100
/** Addresses of which windows are remembered at first. */
const CAPACITY = 64

/** Calls of wallets that sign in: whoever they are is proven here, and only then do they become commands. */
export class SignInCalls {
  private declare readonly served: Served
  private declare readonly calls: SentCalls
  private readonly command = new OutcomeCommand()
  /** Sign-ins by the number of their address. */
  private readonly windows = new CallWindows(CAPACITY)

  constructor(served: Served, calls: SentCalls) {
    this.served = served
    this.calls = calls
  }

  /**
   * @param address number of the caller's address.
   * @param nowUs of the session.
   */
  answer(route: OutcomeRoute, { call, fault }: CallRead, { headers, address }: Pick<Exchange, 'headers'> & { readonly address: number }, nowUs: number, answer: (answer: Answer) => void): void {
    const { served, calls } = this
    const read = readOrigin(valuesOf(headers, 'origin'))
    if (!('origin' in read)) return answer(calls.refusal(OutcomeCode.originRequired))
    const retryAfterS = route.name === 'signIn' ? this.waitOf(address, nowUs) : 0
    if (retryAfterS > 0) return answer(calls.refusal(OutcomeCode.rateLimited, { retryAfterS }))
    if (fault !== null) return answer(calls.refusal(fault.code, { violations: fault.violations }))
    const wireUs = nowUs + served.identity.shiftUs
    if (route.name === 'challengeSignIn') {
      const { address } = call!.body as z.output<typeof SignInChallengeRequest>
      return answer(answerWith(route.successes[0].status, served.signIns.challenge(address, read.origin, wireUs), calls.requestId()))
    }
    const { message, signature } = call!.body as z.output<typeof SignInRequest>
    const proof = served.signIns.redeem(read.origin, message, signature, wireUs)
    if (!('ok' in proof)) {
      const violations = proof.code === OutcomeCode.invalidRequest ? [{ field: '/message', code: 'INVALID' as const }] : []
      return answer(calls.refusal(proof.code, { violations }))
    }
    const account = served.wallets.signerOf(proof.ok.address) ?? NONE
    if (account === NONE) return answer(calls.refusal(OutcomeCode.identityNotFound))
    this.command.reset(OutcomeOp.signIn, account)
    this.command.credential = served.embedded.has(account) ? Credential.app : Credential.none
    this.command.origin = served.pages.enter(read.origin)
    calls.sendAnswered(this.command, { account, isKnown: true }, (reply) => {
      // The wallet may come again with a message that led to no session.
      if (OUTCOME_CODES[readCell(reply, Reply.code)]!.code !== '') served.signIns.giveBack(message)
      return calls.answerOfReply({ route, call, fault: null }, account, reply)
    }, answer)
  }

  /** Counts a sign-in of an address; 0, or for how many whole seconds the address has to wait, and then nothing is counted. */
  private waitOf(address: number, nowUs: number): number {
    const { windows, served: { gateProfile: { limitWindowMs } } } = this
    const windowUs = limitWindowMs * MS_US
    const row = windows.rowOf(address)
    if (!windows.isFull(row, SIGN_INS_MAX, nowUs, windowUs)) {
      windows.countCall(address, row, nowUs, windowUs)
      return 0
    }
    windows.showFull(windows.startUs[row]!, SIGN_INS_MAX, nowUs, windowUs)
    return windows.retryAfterS
  }
}
