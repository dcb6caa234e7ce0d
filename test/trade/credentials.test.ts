import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seatOf } from '../../src/trade/credentials.ts'
import { newFolder, put } from '../scenario/small.ts'

const file = put(newFolder(), 'keys.json', JSON.stringify({
  shift_us: 0, jwks: {}, control: { url: 'http://127.0.0.1:9' },
  parlay: { url: 'http://127.0.0.1:1', live: 'x', seats: { ours: { role: 'maker', api_key: 'k', control_token: 't' }, bets: { role: 'bettor', api_key: 'b' }, more: { role: 'bettor', api_key: 'm' } } },
}))

describe('the seat of a client', () => {
  it('is the only one of the role, or the one that is named', () => {
    expect(seatOf(file, { role: 'maker' })).toEqual({ service: 'parlay', name: 'ours', role: 'maker', url: 'http://127.0.0.1:1', controlUrl: 'http://127.0.0.1:9', held: { api_key: 'k', control_token: 't' } })
    expect(seatOf(file, { role: 'bettor', name: 'more' }).held).toEqual({ api_key: 'm' })
    expect(() => seatOf(file, { role: 'bettor' })).toThrow('several bettors')
    expect(() => seatOf(file, { role: 'maker', name: 'bets' })).toThrow('no maker named bets')
  })

  it('is reached at another address of the only service', () => {
    expect(seatOf(file, { role: 'maker', url: 'http://127.0.0.1:1/' }).url).toBe('http://127.0.0.1:1')
    expect(seatOf(file, { role: 'maker', url: 'http://proxy.example:8/' }).url).toBe('http://proxy.example:8')
  })

  it('comes of a file that is one of credentials', () => {
    expect(() => seatOf(join(newFolder(), 'none.json'), { role: 'maker' })).toThrow('no credentials at')
    expect(() => seatOf(put(newFolder(), 'bad.json', '[]'), { role: 'maker' })).toThrow('is no file of credentials')
  })
})
