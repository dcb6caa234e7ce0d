import { hashImage, LaneHash } from '../../../unit/laneHash.ts'
import type { Image, Snapshot } from '../../../unit/snapshot.ts'
import { MS_US } from '../../../unit/time.ts'
import { Deadlines } from '../../deadlines.ts'
import { type EventRows, NONE } from '../../eventRows.ts'
import type { ParlayGateProfile } from '../protocol/gate.ts'
import { DeliveryColumns } from './deliveryColumns.ts'
import { EndpointColumns } from './endpointColumns.ts'
import { KeyColumns } from './keyColumns.ts'
import { LimitColumns } from './limitColumns.ts'
import { StreamColumns } from './streamColumns.ts'

/** Order of the gate's deadlines that are due at one instant (docs/conformance/parlay-gate.md). */
export const GateRank = { keyExpiry: 0, delivery: 1, eviction: 2 } as const

/** Accounts and sources are integers from 0 to this. */
export const NUMBER_MAX = 2_147_483_646

const CAPACITY = 64

/** The parts of one gate; its commands and deadlines are functions over it. */
export class GateState implements Snapshot {
  declare readonly profile: ParlayGateProfile
  declare readonly events: EventRows
  readonly deadlines = new Deadlines()
  readonly keys = new KeyColumns(CAPACITY)
  readonly limits = new LimitColumns(CAPACITY)
  readonly streams = new StreamColumns(CAPACITY)
  readonly endpoints = new EndpointColumns(CAPACITY)
  readonly deliveries = new DeliveryColumns(CAPACITY)
  /** Times of the profile, in microseconds. */
  declare readonly limitWindowUs: number
  declare readonly deliveryTimeoutUs: number
  declare readonly deliveryBackoffUs: number
  declare readonly deliveryBackoffMaxUs: number
  declare readonly deliveryRetentionUs: number
  /** The instant that is being played. */
  nowUs = 0
  /** Sequence number of the command that is being played; NONE while a deadline is. */
  cause = NONE

  constructor(profile: ParlayGateProfile, events: EventRows) {
    this.profile = profile
    this.events = events
    this.limitWindowUs = profile.limitWindowMs * MS_US
    this.deliveryTimeoutUs = profile.deliveryTimeoutMs * MS_US
    this.deliveryBackoffUs = profile.deliveryBackoffMs * MS_US
    this.deliveryBackoffMaxUs = profile.deliveryBackoffMaxMs * MS_US
    this.deliveryRetentionUs = profile.deliveryRetentionMs * MS_US
  }

  snapshot(): Image {
    const image: Record<string, Image> = { nowUs: this.nowUs }
    for (const [name, part] of this.parts()) image[name] = part.snapshot()
    return image
  }

  restore(image: Image): void {
    const from = image as { readonly [name: string]: Image }
    this.nowUs = from['nowUs'] as number
    this.cause = NONE
    for (const [name, part] of this.parts()) part.restore(from[name]!)
  }

  /** Fingerprint of the gate's state and of the venue's, which is given. */
  hash(venueHash: string): string {
    const hash = new LaneHash()
    hash.text(venueHash)
    hashImage(hash, this.snapshot())
    return hash.hex()
  }

  private parts(): [string, Snapshot][] {
    return Object.entries({
      deadlines: this.deadlines, keys: this.keys, limits: this.limits, streams: this.streams, endpoints: this.endpoints,
      deliveries: this.deliveries,
    })
  }
}
