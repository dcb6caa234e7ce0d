import type { z } from 'zod'
import { NONE } from '../../unit/none.ts'
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

/** Calls of wallets that sign in: whoever they are is proven here, and only then do they become commands. */
export class SignInCalls {
  private declare readonly served: Served
  private declare readonly calls: SentCalls
  private readonly command = new OutcomeCommand()

  constructor(served: Served, calls: SentCalls) {
    this.served = served
    this.calls = calls
  }

  /** @param nowUs of the session. */
  answer(route: OutcomeRoute, { call, fault }: CallRead, { headers }: Exchange, nowUs: number, answer: (answer: Answer) => void): void {
    const { served, calls } = this
    const read = readOrigin(valuesOf(headers, 'origin'))
    if (!('origin' in read)) return answer(calls.refusal(OutcomeCode.originRequired))
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
}
