import { Credential, GateFault, ReadRoute } from '../../../src/venue/outcome/protocol/access.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { isSigned, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import type { Answer } from '../outcome/namedRows.ts'
import type { GateCommand } from './command.ts'
import { isPublic } from './credentials.ts'
import type { Turn } from './state.ts'

const { quotes, acceptance, acceptances, capital, rfq, rfqs, markets, market, marketHistory } = ReadRoute
const reads = ({ op, value }: GateCommand, ...routes: readonly number[]): boolean => op === OutcomeOp.read && routes.includes(value)
const isOf = ({ op }: GateCommand, ...ops: readonly number[]): boolean => ops.includes(op)
const isProjection = (command: GateCommand): boolean => reads(command, quotes, acceptance, acceptances, capital, rfq, rfqs)

/** The faults of a call behind its checks, in their order: code of the refusal, and whom it meets. */
const FAULTS: readonly (readonly [fault: number, code: number, concerns: (command: GateCommand) => boolean])[] = [
  [GateFault.dependencyStale, OutcomeCode.dependencyStale, (c) => isProjection(c) || isOf(c, OutcomeOp.openStream)],
  [GateFault.sourceUnavailable, OutcomeCode.sourceUnavailable, (c) =>
    (isOf(c, OutcomeOp.read) && !isProjection(c) && !isPublic(c)) || isOf(c, OutcomeOp.openStream)],
  [GateFault.contractUnavailable, OutcomeCode.contractUnavailable, (c) =>
    isOf(c, OutcomeOp.createRfq, OutcomeOp.openCashout, OutcomeOp.submitQuote)],
  [GateFault.marketDataUnavailable, OutcomeCode.marketDataUnavailable, (c) =>
    reads(c, markets, market, marketHistory) || isOf(c, OutcomeOp.openMarketStream)],
  [GateFault.sponsorshipUnavailable, OutcomeCode.sponsorshipUnavailable, (c) =>
    isOf(c, OutcomeOp.withdraw, OutcomeOp.reduceCollateral, OutcomeOp.acceptQuote)],
  [GateFault.contractSignatureOverloaded, OutcomeCode.contractSignatureOverloaded, (c) => isSigned(c.op)],
  [GateFault.comboAutomaticDisabled, OutcomeCode.comboAutomaticDisabled, (c) => isOf(c, OutcomeOp.createRfq) && c.legs.length > 1],
  [GateFault.embeddedWalletUnavailable, OutcomeCode.embeddedWalletUnavailable, (c) =>
    (isSigned(c.op) || isOf(c, OutcomeOp.signIn)) && c.credential === Credential.app],
]

/** Step 7: the first fault that is on and concerns the call. */
export function checkFaults({ state }: Turn, command: GateCommand): Answer | null {
  for (const [fault, code, concerns] of FAULTS) if (state.faults.has(fault) && concerns(command)) return { code }
  return null
}
