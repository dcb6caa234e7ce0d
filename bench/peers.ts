import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FigureSpec, Program } from './figures.ts'
import { type Room, works } from './room.ts'
import { peerShares, type Shares } from './shares.ts'

const PEERS = join(import.meta.dirname, '../../shared/peers/reference-rfq')
/** The size for which their shape is stated. In longer runs their makers run out of money, and a fifth of the requests is missed. */
const CPP_REQUESTS = 100_000
const SIMPY_REQUESTS = 10_000
const SIMPY_REQUESTS_QUICK = 5_000

export interface Peers {
  readonly programs: readonly Program[]
  readonly shares: readonly (Shares & { readonly name: string })[]
  /** What is missing, and why. */
  readonly leftOut: readonly string[]
}

const figure = (key: string, name: string, unit: string): FigureSpec => ({ key, name, unit, better: 'more', comparedBy: 'nothing' })

/** The programs of ../shared/peers, the one in C++ built and SimPy installed. */
export function peersIn(room: Room, isQuick: boolean): Peers {
  if (!existsSync(PEERS)) return { programs: [], shares: [], leftOut: [`C++ and SimPy: nothing at ${PEERS}`] }
  const made = [cppIn(room), simpyIn(room, isQuick ? SIMPY_REQUESTS_QUICK : SIMPY_REQUESTS)]
  const there = made.filter((peer) => typeof peer !== 'string')
  return {
    programs: there.map(({ program }) => program),
    shares: there.map(({ program, line }) => ({ name: program.name, ...peerShares(line()) })),
    leftOut: made.filter((peer) => typeof peer === 'string'),
  }
}

interface Peer {
  readonly program: Program
  /** What the program prints. */
  readonly line: () => Record<string, number>
}

function peer(key: string, name: string, line: () => Record<string, number>): Peer {
  const figures = [figure(key, name, 'requests/s'), figure(`${key}.events`, name, 'events/s')]
  const run = (): Record<string, number> => {
    const { rfqps, evps } = line()
    return { [key]: rfqps!, [`${key}.events`]: evps! }
  }
  return { line, program: { name, figures, run } }
}

function cppIn(room: Room): Peer | string {
  const binary = join(room.dir, 'reference')
  if (!works('g++', ['-O3', '-march=native', '-o', binary, join(PEERS, 'reference.cpp')])) return 'C++: g++ builds nothing here'
  return peer('cpp', 'C++ timing wheel', () => room.run(binary, [CPP_REQUESTS, 'wheel', 1]))
}

function simpyIn(room: Room, requests: number): Peer | string {
  const venv = join(room.dir, 'venv')
  const python = join(venv, 'bin/python')
  const isInstalled = works('python3', ['-m', 'venv', venv]) && works(python, ['-m', 'pip', 'install', '-q', 'simpy'])
  if (!isInstalled) return 'SimPy: it cannot be installed here'
  return peer('simpy', 'SimPy', () => room.run(python, ['reference_simpy.py', requests], PEERS))
}
