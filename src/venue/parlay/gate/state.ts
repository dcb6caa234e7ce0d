import type { Snapshot } from '../../../unit/snapshot.ts'
import { MS_US } from '../../../unit/time.ts'
import { CallWindows } from '../../callWindows.ts'
import type { EventRows } from '../../eventRows.ts'
import { MachineState } from '../../machineState.ts'
import type { ParlayGateProfile } from '../protocol/gate.ts'
import { DeliveryColumns } from './deliveryColumns.ts'
import { DeliverySwitchColumns } from './deliverySwitchColumns.ts'
import { EndpointColumns } from './endpointColumns.ts'
import { KeyColumns } from './keyColumns.ts'
import { StreamColumns } from './streamColumns.ts'

/** Order of the gate's deadlines that are due at one instant (docs/conformance/parlay-gate.md). */
export const GateRank = { keyExpiry: 0, delivery: 1, eviction: 2 } as const

/** Accounts and sources are integers from 0 to this. */
export const NUMBER_MAX = 2_147_483_646

const CAPACITY = 64

/** The parts of one gate; its commands and deadlines are functions over it. */
export class GateState extends MachineState {
  declare readonly profile: ParlayGateProfile
  readonly keys = new KeyColumns(CAPACITY)
  readonly limits = new CallWindows(CAPACITY)
  readonly streams = new StreamColumns(CAPACITY)
  readonly endpoints = new EndpointColumns(CAPACITY)
  readonly deliveries = new DeliveryColumns(CAPACITY)
  readonly deliverySwitches = new DeliverySwitchColumns(CAPACITY)
  /** Times of the profile, in microseconds. */
  declare readonly limitWindowUs: number
  declare readonly deliveryTimeoutUs: number
  declare readonly deliveryBackoffUs: number
  declare readonly deliveryBackoffMaxUs: number
  declare readonly deliveryRetentionUs: number

  constructor(profile: ParlayGateProfile, events: EventRows) {
    super(events)
    this.profile = profile
    this.limitWindowUs = profile.limitWindowMs * MS_US
    this.deliveryTimeoutUs = profile.deliveryTimeoutMs * MS_US
    this.deliveryBackoffUs = profile.deliveryBackoffMs * MS_US
    this.deliveryBackoffMaxUs = profile.deliveryBackoffMaxMs * MS_US
    this.deliveryRetentionUs = profile.deliveryRetentionMs * MS_US
  }

  protected override parts(): Readonly<Record<string, Snapshot>> {
    return {
      keys: this.keys, limits: this.limits, streams: this.streams, endpoints: this.endpoints,
      deliveries: this.deliveries, deliverySwitches: this.deliverySwitches,
    }
  }
}
