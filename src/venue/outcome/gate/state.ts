import type { Image, Snapshot } from '../../../unit/snapshot.ts'
import { MS_US, NEVER_US } from '../../../unit/time.ts'
import { CallWindows } from '../../callWindows.ts'
import type { EventRows } from '../../eventRows.ts'
import { MachineState } from '../../machineState.ts'
import type { OutcomeGateProfile } from '../protocol/gate.ts'
import type { TermsDigest } from '../protocol/terms.ts'
import type { OutcomeView } from '../protocol/view.ts'
import { AnswerColumns } from './answerColumns.ts'
import { ChallengeColumns } from './challengeColumns.ts'
import { CredentialColumns } from './credentialColumns.ts'
import { EventLog } from './eventLog.ts'
import { StreamColumns } from './streamColumns.ts'

/** Order of the gate's deadlines that are due at one instant (docs/conformance/outcome-gate.md). */
export const GateRank = { credentialEnd: 0, heartbeat: 1, forgetting: 2, challengeForgetting: 3, credentialForgetting: 4 } as const

const CAPACITY = 64

/** The parts of one gate. Its commands and deadlines are functions over them. */
export class GateState extends MachineState {
  /** The venue's: roles, listed outcomes, items of snapshots. */
  declare readonly view: OutcomeView
  declare readonly profile: OutcomeGateProfile
  declare readonly digest: TermsDigest
  readonly credentials = new CredentialColumns(CAPACITY)
  readonly challenges = new ChallengeColumns(CAPACITY)
  /** Calls of each account by bucket, and of all accounts together. */
  readonly limits = new CallWindows(CAPACITY)
  readonly totals = new CallWindows(CAPACITY)
  readonly answers = new AnswerColumns(CAPACITY)
  readonly streams = new StreamColumns(CAPACITY)
  readonly log = new EventLog(CAPACITY)
  /** Times of the profile, in microseconds. */
  declare readonly limitWindowUs: number
  declare readonly idempotencyRetentionUs: number
  declare readonly acceptRetentionUs: number
  declare readonly sessionAgeUs: number
  declare readonly sessionIdleUs: number
  declare readonly credentialRetentionUs: number
  declare readonly challengeUs: number
  declare readonly replayWindowUs: number
  declare readonly heartbeatUs: number
  declare readonly freshHeartbeatUs: number
  declare readonly cursorLifeUs: number
  /** Mask of the gate's faults that are on. The first fault is bit 0. */
  faults = 0
  isDraining = 0
  /** Generation of the catalogue: how often an outcome was listed or delisted. */
  generation = 0
  /** Seq of the venue's newest row, 0 before the first. */
  newestSeq = 0

  constructor(view: OutcomeView, profile: OutcomeGateProfile, events: EventRows, digest: TermsDigest) {
    super(events)
    this.view = view
    this.profile = profile
    this.digest = digest
    this.limitWindowUs = profile.limitWindowMs * MS_US
    this.idempotencyRetentionUs = profile.idempotencyRetentionMs * MS_US
    this.acceptRetentionUs = profile.acceptRetentionMs * MS_US
    this.sessionAgeUs = profile.sessionAgeMs * MS_US
    this.sessionIdleUs = profile.sessionIdleMs * MS_US
    this.credentialRetentionUs = profile.credentialRetentionMs * MS_US
    this.challengeUs = profile.challengeMs * MS_US
    this.replayWindowUs = profile.replayWindowMs * MS_US
    this.heartbeatUs = profile.heartbeatMs * MS_US
    this.freshHeartbeatUs = profile.freshHeartbeatMs * MS_US
    this.cursorLifeUs = profile.cursorLifeMs * MS_US
  }

  /** Schedules a deadline, unless the session ends before it. */
  schedule(atUs: number, rank: number, number: number): void {
    if (atUs < NEVER_US) this.deadlines.push(atUs, rank, number)
  }

  override snapshot(): Image {
    const { faults, isDraining, generation, newestSeq } = this
    return { ...(super.snapshot() as Record<string, Image>), faults, isDraining, generation, newestSeq }
  }

  override restore(image: Image): void {
    super.restore(image)
    const { faults, isDraining, generation, newestSeq } = image as { readonly [name: string]: number }
    Object.assign(this, { faults, isDraining, generation, newestSeq })
  }

  protected override parts(): Readonly<Record<string, Snapshot>> {
    return {
      credentials: this.credentials, challenges: this.challenges, limits: this.limits, totals: this.totals,
      answers: this.answers, streams: this.streams, log: this.log,
    }
  }
}
