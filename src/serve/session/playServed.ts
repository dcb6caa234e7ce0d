import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Digest } from '../../record/digest.ts'
import { ExternalJournal } from '../../record/externalTable.ts'
import { type Manifest, type ServedRun, writeManifest } from '../../record/manifest.ts'
import type { Recorder } from '../../record/recorder.ts'
import { canonicalDigest } from '../../scenario/canonical.ts'
import { countsOf, identityOf, type PreparedScenario, recorderOf, runRecordOf } from '../../scenario/run.ts'
import { DeliveredRows } from '../../unit/deliveredRows.ts'
import { ToldRows } from '../../unit/toldRows.ts'
import { type MakeHandlers, type ServedOptions, ServedSession } from './servedSession.ts'

export interface PlayServedOptions {
  readonly handlers: MakeHandlers
  readonly idKey: string
  /** With virtual time that waits for clients: hears what has reached a seat. Absent: time follows the wall's. */
  readonly told?: ServedOptions['told']
  readonly speed: number
  readonly shiftUs: number
  /** Plays the session, and says where it was stopped, or null when it came to its end. */
  readonly drive: (served: ServedSession) => Promise<number | null>
  /** Called when all of it has been played and recorded: what clients may still read. */
  readonly after?: (served: ServedSession) => Promise<void>
}

/** Plays a session with clients and leaves tables and manifest in a folder that is there; after an error it holds parts of them. */
export async function playServedInto(dir: string, prepared: PreparedScenario, { handlers, idKey, told, speed, shiftUs, drive, after }: PlayServedOptions): Promise<Manifest> {
  const { resolved, record } = prepared
  const identity = identityOf(prepared)
  const digest = new Digest()
  let recorder: Recorder | undefined
  const strategiesTold = record.tables ? new ToldRows() : undefined
  const deliveries = record.tables && record.deliveries ? new DeliveredRows() : undefined
  mkdirSync(join(dir, 'tables'), { recursive: true })
  const journal = new ExternalJournal(join(dir, 'tables', 'external.arrow'), { identity: canonicalDigest(identity), label: resolved.mode, seed: resolved.seed })
  const served = new ServedSession(prepared, {
    handlers, journal, shiftUs, ...(told === undefined ? {} : { told }), ...(strategiesTold && { strategiesTold }), ...(deliveries && { deliveries }), sinksOf: (built) => {
      recorder = record.tables ? recorderOf(dir, prepared, built, identity, { told: strategiesTold, deliveries }) : undefined
      return [digest, ...(recorder === undefined ? [] : [recorder])]
    },
  })
  const { session, sinks, built } = served
  let stoppedUs: number | null
  try {
    stoppedUs = await drive(served)
    served.playOut(stoppedUs)
    for (const sink of sinks) sink.finish(session.nowUs)
    await after?.(served)
  } catch (error) {
    for (const sink of sinks) sink.abort()
    journal.abort()
    throw error
  }
  const run: ServedRun = { clock: told === undefined ? 'wall' : 'lockstep', speed, shiftUs, stoppedUs, idKey }
  return writeManifest(dir, {
    label: resolved.mode, digest: digest.hex(), identity, record: { ...runRecordOf(record), parquet: false }, tables: [...(recorder?.tables() ?? []), journal.finish()], served: run,
    counts: countsOf(prepared, built, session), history: prepared.store.files,
  })
}
