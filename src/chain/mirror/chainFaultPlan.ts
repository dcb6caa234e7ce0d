import { assert } from '../../unit/assert.ts'

/** What a scenario does to a chain of its own. Shares are of bundles sent, 0…1; a batch is what one simulated second sends. */
export interface ChainFaults {
  /** Taken and never landed. */
  readonly droppedShare: number
  /** Landed, but the answer is lost: the relayer sends or signs it again. */
  readonly unconfirmedShare: number
  /** After every `everyBatches` batches the last `depthBatches` are undone. Null: never. */
  readonly reorganisations: { readonly everyBatches: number; readonly depthBatches: number } | null
  /** In every n-th batch, with n this number, the sponsor of network fees has no money left at first. 0: never. */
  readonly sponsorOutageEveryBatches: number
  /** Share of the batches with deposits whose wallets get their USDC too late. */
  readonly unfundedShare: number
}

/** Uniform in [0, 1), a function of its arguments and the session's seed alone. */
export type FaultDraw = (entity: number, index: number) => number

/** What becomes of a bundle that is sent. */
export type SendFault = 'none' | 'dropped' | 'unconfirmed' | 'unconfirmedSignedAnew'

/** Draws of a batch: two for each bundle sent, in the order of sending, and one before them. */
const DRAWS_PER_SEND = 2
const FUNDING_DRAW = 0

/** Which faults fall where: the same for the same seed, on any machine. Batches count from 0. */
export class ChainFaultPlan {
  private readonly faults: ChainFaults
  private readonly draw: FaultDraw

  constructor(faults: ChainFaults, draw: FaultDraw) {
    const { droppedShare, unconfirmedShare, unfundedShare, reorganisations, sponsorOutageEveryBatches } = faults
    for (const share of [droppedShare, unconfirmedShare, unfundedShare]) assert(share >= 0 && share <= 1, `no share: ${share}`)
    assert(reorganisations === null || (isCount(reorganisations.everyBatches) && isCount(reorganisations.depthBatches)
      && reorganisations.depthBatches <= reorganisations.everyBatches), 'a reorganisation undoes at most the batches since the one before')
    assert(sponsorOutageEveryBatches === 0 || isCount(sponsorOutageEveryBatches), 'sponsor outages come every so many batches')
    this.faults = faults
    this.draw = draw
  }

  /** What becomes of the bundle that is the batch's `send`-th from 0. */
  ofSend(batch: number, send: number): SendFault {
    const { droppedShare, unconfirmedShare } = this.faults
    if (droppedShare === 0 && unconfirmedShare === 0) return 'none'
    const at = FUNDING_DRAW + 1 + send * DRAWS_PER_SEND
    if (this.draw(batch, at) < droppedShare) return 'dropped'
    const lost = this.draw(batch, at + 1)
    if (lost >= unconfirmedShare) return 'none'
    return lost < unconfirmedShare / 2 ? 'unconfirmed' : 'unconfirmedSignedAnew'
  }

  sponsorFails(batch: number): boolean {
    const every = this.faults.sponsorOutageEveryBatches
    return every > 0 && batch % every === every - 1
  }

  fundingFails(batch: number): boolean {
    const { unfundedShare } = this.faults
    return unfundedShare > 0 && this.draw(batch, FUNDING_DRAW) < unfundedShare
  }

  get hasReorganisations(): boolean {
    return this.faults.reorganisations !== null
  }

  /** How many batches are undone after this one. */
  undoneAfter(batch: number): number {
    const { reorganisations } = this.faults
    if (reorganisations === null || (batch + 1) % reorganisations.everyBatches !== 0) return 0
    return reorganisations.depthBatches
  }

  /** Whether the next reorganisation goes back to right before this batch. */
  undoesFrom(batch: number): boolean {
    const { reorganisations } = this.faults
    if (reorganisations === null) return false
    const { everyBatches, depthBatches } = reorganisations
    return (batch + depthBatches) % everyBatches === 0
  }
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1
