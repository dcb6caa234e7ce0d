// Continues a checkpoint in a process of its own and prints the digest.
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import type { Image } from '../../src/unit/snapshot.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig, sessionConfig } from './world.ts'

const CONFIGS: Readonly<Record<string, typeof sessionConfig | typeof outcomeAuctionConfig>> = {
  plain: sessionConfig, auctions: auctionConfig, outcome: outcomeAuctionConfig,
}

const image = deserialize(readFileSync(process.argv[2]!)) as { session: Image; digest: Image }
const digest = new Digest()
const session = new Session(CONFIGS[process.argv[4] ?? 'plain']!(Number(process.argv[3]), { sinks: [digest] }))
session.restore(image.session)
digest.restore(image.digest)
session.runToEnd()
console.log(digest.hex())
