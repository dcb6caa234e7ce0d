import { describe, expect, it } from 'vitest'
import { scripted } from '../../src/agent/bettors/scripted.ts'
import type { OutcomeGateConfig } from '../../src/engine/config.ts'
import type { ExternalCall } from '../../src/engine/externalCalls.ts'
import { Session } from '../../src/engine/session.ts'
import { NEVER_US } from '../../src/unit/time.ts'
import type { Row } from '../../src/venue/eventCells.ts'
import { GateFault } from '../../src/venue/outcome/protocol/access.ts'
import { OutcomeCode } from '../../src/venue/outcome/protocol/codes.ts'
import { CloseStream, OpenStream, OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { type GateRow, OutcomeEvent, Reply, StreamClosed, StreamOpened } from '../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_GATE_SETTINGS } from '../../src/venue/outcome/protocol/gate.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { type LoggedRow, ofKind } from './loggedRow.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { play, quoting, REQUEST, resolved, sec, START } from './outcomeStory.ts'
import { onOutcome } from './outcomeWorld.ts'
import { makers, NO_FAULTS, sessionConfig } from './world.ts'
import { SetFault } from '../../src/venue/contract.ts'
import type { EventRows } from '../../src/venue/eventRows.ts'

const gate = (replaced: Partial<OutcomeGateConfig> = {}): OutcomeGateConfig => ({
  profile: profileOf(OUTCOME_GATE_SETTINGS), keys: { lifeDays: 0, renewAfterUs: 0 }, retries: { most: 3, backoffUs: sec(0.5) }, ...replaced,
})

const fault = (atS: number, value: number, on: number) =>
  ({ atUs: START + sec(atS), op: OutcomeOp.setFault, market: -1, service: 'outcome' as const, value, [SetFault.isOn]: on })

describe('the end of a session behind the outcome gate', () => {
  it('comes with the last of what was traded, however long keys live', () => {
    const ended = (lifeDays?: number) => {
      const { log, session } = play([quoting([], 'four', 0.25)], scripted([REQUEST]), lifeDays === undefined ? {} : { gate: gate({ keys: { lifeDays, renewAfterUs: 0 } }) })
      return { log, atS: (session.nowUs - START) / 1e6 }
    }
    // Resolved at 199 s, settled and claimed in the batch of 200 s, of which the maker hears 20 ms later.
    for (const lifeDays of [undefined, 0, 1, 30]) expect(ended(lifeDays).atS).toBe(200.02)
    const { log } = ended(30)
    const ends = (log.rows as LoggedRow<typeof GateRow>[]).filter(({ atUs, kind }) => atUs === START + sec(199) && kind >= OutcomeEvent.sessionStarted)
    // The bettor is account 0, the maker account 1, and closes its stream first.
    expect(ends.map(({ kind, account }) => [kind, account])).toEqual([
      [OutcomeEvent.streamClosed, 1],
      [OutcomeEvent.sessionStarted, 0], [OutcomeEvent.keyRevoked, 0], [OutcomeEvent.sessionEnded, 0],
      [OutcomeEvent.sessionStarted, 1], [OutcomeEvent.keyRevoked, 1], [OutcomeEvent.sessionEnded, 1],
    ])
    expect(log.rows.some(({ kind }) => kind === OutcomeEvent.keyExpired)).toBe(false)
  })

  it('leaves keys that never run out as they are', () => {
    const { log } = play([quoting([], 'four', 0.25)], scripted([REQUEST]), { gate: gate() })
    expect(log.rows.some(({ kind }) => kind === OutcomeEvent.keyRevoked)).toBe(false)
  })
})

describe('participants that meet an outage of the outcome gate', () => {
  const repliesTo = (log: ReturnType<typeof play>['log'], op: number) =>
    ofKind(log.rows, OutcomeEvent.reply, Reply).filter((reply) => reply.op === op).map(({ atUs, code }) => [(atUs - START) / 1e6, code])

  it('ask for a stream again every 100 ms at most', () => {
    const drain = (atS: number, value: number) => ({ atUs: START + sec(atS), op: OutcomeOp.drain, market: -1, service: 'outcome' as const, value })
    const { log } = play([quoting([], 'four', 0)], scripted([]), {
      gate: gate({ retries: { most: 0, backoffUs: 0 } }), faults: [drain(10, 1), drain(10.25, 0)], arrivals: [],
    })
    expect(repliesTo(log, OutcomeOp.openStream)).toEqual([
      [0, OutcomeCode.ok], [10.1, OutcomeCode.connectionDrain], [10.2, OutcomeCode.connectionDrain], [10.3, OutcomeCode.ok],
    ])
  })

  it('ask for a key again every 100 ms at most', () => {
    const day = 86_400
    const { log } = play([], scripted([]), {
      gate: gate({ keys: { lifeDays: 1, renewAfterUs: 0 } }), arrivals: [], results: resolved(day + 10, 1),
      faults: [fault(day - 1, GateFault.authorizationUnavailable, 1), fault(day + 0.15, GateFault.authorizationUnavailable, 0)],
    })
    const { authorizationUnavailable, ok } = OutcomeCode
    expect(repliesTo(log, OutcomeOp.signIn).slice(1, -1)).toEqual([[day + 0.000001, authorizationUnavailable], [day + 0.100001, authorizationUnavailable], [day + 0.200001, ok]])
  })

  it('repeat a call after 100 ms, 200 ms and so on, when they are told to wait for nothing', () => {
    const { log } = play([], scripted([REQUEST]), {
      gate: gate({ retries: { most: 3, backoffUs: 0 } }), faults: [fault(10, GateFault.contractUnavailable, 1), fault(20, GateFault.contractUnavailable, 0)],
    })
    // 20 ms and 50 ms on the way each time.
    expect(repliesTo(log, OutcomeOp.createRfq).map(([at]) => at)).toEqual([10.05, 10.22, 10.49, 10.96])
  })
})

describe('streams and keys that clients from outside open', () => {
  it('are none of the seats\': a seat keeps its own stream to the end', () => {
    const log = new OutcomeLog()
    const session = new Session({ ...onOutcome(sessionConfig(5, { makers: makers(1).map((maker) => ({ ...maker, faults: NO_FAULTS })), cohorts: [] }), { gate: gate() }), sinks: [log] })
    const maker = session.outcome!.desks()[0]!.account
    const told: number[] = []
    const call = (op: number, account: number, fields: ExternalCall['fields'], list: readonly number[] = []) => {
      session.bringCall('outcome', account, { op, fields, list, credential: 0 }, {
        answered: (rows: EventRows, row: Row<'outcome.reply'>) => { told.push(rows.read(row, Reply.code)) }, told: () => {},
      })
    }
    const standAt = (atUs: number) => {
      session.standAt(atUs)
      while (session.run(64));
    }
    standAt(session.reachedUs + 1_000_000)
    call(OutcomeOp.openStream, maker, { [OpenStream.channels]: 3, [OpenStream.flags]: 0, version: 1 })
    call(OutcomeOp.openMarketStream, -1, { account: 16_777_215, version: 1 }, [0])
    call(OutcomeOp.openStream, maker, { [OpenStream.channels]: 1, [OpenStream.flags]: 0, version: 1 })
    call(OutcomeOp.closeStream, maker, { [CloseStream.stream]: 4 })
    call(OutcomeOp.closeStream, -1, { account: 16_777_215, [CloseStream.stream]: 3 })
    call(OutcomeOp.closeStream, maker, { [CloseStream.stream]: 2 })
    standAt(NEVER_US)
    expect(told).toEqual([0, 0, 0, 0, 0, 0])
    expect(ofKind(log.rows, OutcomeEvent.streamOpened, StreamOpened).map(({ stream, account }) => [stream, account])).toEqual([[1, maker], [2, maker], [3, -1], [4, maker]])
    expect(ofKind(log.rows, OutcomeEvent.streamClosed, StreamClosed).map(({ stream }) => stream)).toEqual([4, 3, 2, 1])
    // The last one is the seat's own end.
    expect(ofKind(log.rows, OutcomeEvent.reply, Reply).filter(({ op }) => op === OutcomeOp.openStream)).toHaveLength(3)
  })
})
