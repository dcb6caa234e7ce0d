import { describe, expect, it } from 'vitest'
import type { MakerEntry } from '../../src/engine/config.ts'
import type { ExternalCall } from '../../src/engine/externalCalls.ts'
import { Session } from '../../src/engine/session.ts'
import { externalMaker } from '../../src/scenario/externalSeats.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { ChannelBit } from '../../src/venue/outcome/protocol/access.ts'
import { CloseStream, OpenStream, OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_GATE_SETTINGS } from '../../src/venue/outcome/protocol/gate.ts'
import * as outcomeRows from '../../src/venue/outcome/protocol/events.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, StreamChanged } from '../../src/venue/parlay/protocol/events.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { gate, gateProfile } from './gateWorld.ts'
import { ofKind } from './loggedRow.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { onOutcome } from './outcomeWorld.ts'
import { RowLog } from './rowLog.ts'
import { makerEntry, makers, NO_FAULTS, sessionConfig, WORLD_START_US } from './world.ts'

const NOBODY = { answered: () => {}, told: () => {} }
const AT_ONCE = { feedUs: 0, broadcast: { baseUs: 0, jitterUs: 0 }, submit: { baseUs: 0, jitterUs: 0 }, confirm: { baseUs: 0, jitterUs: 0 } }

/** The maker of a client that opens its own streams, and another maker. */
const seats: readonly MakerEntry[] = [
  { ...makerEntry('ours', externalMaker(() => {})), latency: AT_ONCE, faults: NO_FAULTS, opensOwnStreams: true }, ...makers(1).map((entry) => ({ ...entry, faults: NO_FAULTS })),
]

/** Plays a session, with a call of the client's at each of those seconds, and tells how many requests had reached each maker before the call. */
function delivered(session: Session, service: 'parlay' | 'outcome', calls: readonly (readonly [atS: number, call: ExternalCall | null])[]): number[] {
  const { account } = session[service]!.desks()[0]!
  return calls.map(([atS, call]) => {
    session.standAt(WORLD_START_US + atS * SECOND_US)
    while (session.run(64));
    if (call !== null) session.bringCall(service, account, call, NOBODY)
    return session.deliveredRequests()[0]!.requests
  })
}

describe('a maker whose client opens its own streams is reached while one of them is open', () => {
  it('PQ-180 PQ-208 on the parlay service, and another key of its account opens none', () => {
    const log = new RowLog()
    const session: Session = new Session({
      ...sessionConfig(90, { makers: seats, gate: gate({ profile: gateProfile(), endpoints: [] }) }), sinks: [log],
    })
    const open = { op: ParlayOp.openStream, fields: {} }
    const close = { op: ParlayOp.closeStream, fields: {} }
    // Its key runs out after a minute, and it gets another three seconds later.
    const [early, opened, closed, late] = delivered(session, 'parlay', [[10, open], [20, close], [40, null], [80, null]])
    const requests = log.rows.filter(({ kind, atUs }) =>
      (kind === ParlayEvent.requestCreated || kind === ParlayEvent.requestUpdated) && atUs > WORLD_START_US + 10 * SECOND_US && atUs <= WORLD_START_US + 20 * SECOND_US)
    expect(requests.length).toBeGreaterThan(10)
    expect([early, opened, closed, late]).toEqual([0, requests.length, requests.length, requests.length])
    const { account } = session.parlay!.desks()[0]!
    expect(ofKind(log.rows, [ParlayEvent.streamOpened, ParlayEvent.streamClosed], StreamChanged).filter((row) => row.account === account).map(({ kind }) => kind))
      .toEqual([ParlayEvent.streamOpened, ParlayEvent.streamClosed])
  })

  it('OM-150 OM-151 on the outcome service, where the stream has the maker channel', () => {
    const log = new OutcomeLog()
    const config = sessionConfig(90, { makers: seats })
    const session: Session = new Session({
      ...onOutcome(config, { gate: { profile: profileOf(OUTCOME_GATE_SETTINGS), keys: { lifeDays: 0, renewAfterUs: 0 }, retries: { most: 0, backoffUs: 0 } } }), sinks: [log],
    })
    const open = (channels: number): ExternalCall => ({ op: OutcomeOp.openStream, fields: { [OpenStream.channels]: channels, [OpenStream.flags]: 0, version: 1 } })
    const close = (stream: number): ExternalCall => ({ op: OutcomeOp.closeStream, fields: { [CloseStream.stream]: stream } })
    // Stream 1 is that of the other maker.
    const counts = delivered(session, 'outcome', [
      [10, open(ChannelBit.account)], [20, open(ChannelBit.maker)], [30, open(ChannelBit.account | ChannelBit.maker)], [40, close(3)], [50, close(2)], [60, close(4)], [70, null],
    ])
    const created = (fromS: number, toS: number): number => ofKind(log.rows, outcomeRows.OutcomeEvent.rfqCreated, outcomeRows.RfqCreated)
      .filter(({ atUs }) => atUs > WORLD_START_US + fromS * SECOND_US && atUs <= WORLD_START_US + toS * SECOND_US).length
    expect(created(20, 30)).toBeGreaterThan(3)
    expect(counts).toEqual([0, 0, ...[30, 40, 50, 60, 60].map((toS) => created(20, toS))])
    expect(ofKind(log.rows, outcomeRows.OutcomeEvent.streamOpened, outcomeRows.StreamOpened).map(({ stream }) => stream)).toEqual([1, 2, 3, 4])
  })
})
