import { describe, expect, it } from 'vitest'
import { faultOfWebhookUrl, isPrivateAddress, mayDeliverTo } from '../../../src/serve/parlay/webhookUrl.ts'

const OPEN = { allowsLocal: false }
const LOCAL = { allowsLocal: true }

describe('the URL of a webhook', () => {
  it.each(['https://example.com', 'https://hooks.example.com:8443/a/b?c=d', 'https://8.8.8.8/', 'https://[2606:4700::1111]/', 'HTTPS://EXAMPLE.COM/'])(
    'PQ-234 PQ-235 may be %s', (url) => {
      expect(faultOfWebhookUrl(url, OPEN)).toBe(null)
    },
  )

  it.each(['http://example.com', 'ftp://example.com', 'ws://example.com', 'javascript:alert(1)', 'file:///etc/passwd'])('PQ-234 may not be %s', (url) => {
    expect(faultOfWebhookUrl(url, OPEN)).toBe('a URL that begins with https:// is expected')
  })

  it.each(['', 'example.com', 'https://', 'https://exa mple.com'])('PQ-234 is a URL, which %j is not', (url) => {
    expect(faultOfWebhookUrl(url, OPEN)).toBe('a URL is expected')
  })

  it.each([
    'https://localhost/', 'https://localhost./', 'https://LOCALHOST/', 'https://a.localhost/', 'https://printer.local/', 'https://db.internal/',
    'https://intranet/', 'https://router.home.arpa/', 'https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0x7f000001/',
    'https://0177.0.0.1/', 'https://10.1.2.3/', 'https://172.31.255.255/', 'https://192.168.0.1/', 'https://169.254.169.254/', 'https://[::1]/',
    'https://[fe80::1]/', 'https://[fd00::1]/', 'https://[::ffff:10.0.0.1]/', 'https://[::ffff:8.8.8.8]/', 'https://[64:ff9b::a00:1]/',
  ])('PQ-235 may not lead to private infrastructure: %s', (url) => {
    expect(faultOfWebhookUrl(url, OPEN)).toBe('a URL outside of private networks is expected')
  })

  it('has no user and no password', () => {
    expect(faultOfWebhookUrl('https://me@example.com/', OPEN)).toBe('a URL without a user and a password is expected')
    expect(faultOfWebhookUrl('https://:secret@example.com/', LOCAL)).toBe('a URL without a user and a password is expected')
  })

  it.each(['http://127.0.0.1:9000/hook', 'http://localhost:9000/', 'https://10.0.0.1/'])('may be %s where local receivers are allowed', (url) => {
    expect(faultOfWebhookUrl(url, LOCAL)).toBe(null)
  })

  it('is http or https even where local receivers are allowed', () => {
    expect(faultOfWebhookUrl('ftp://localhost/', LOCAL)).toBe('a URL that begins with https:// is expected')
  })
})

describe('the address of a delivery', () => {
  it.each([
    ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'], ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'], ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'], ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ])('PQ-235 below %s and above are open, from %s to %s private, up to %s', (below, first, last, above) => {
    expect([below, first, last, above].map(isPrivateAddress)).toEqual([false, true, true, false])
  })

  it.each([
    ['0.0.0.0', true], ['224.0.0.1', true], ['255.255.255.255', true], ['1.1.1.1', false], ['::', true], ['::1', true], ['fc00::1', true],
    ['fe80::1', true], ['ff02::1', true], ['::ffff:1.1.1.1', true], ['64:ff9b::101:101', true], ['2001:db8::1', true], ['2002:a00:1::', true],
    ['2001:4860:4860::8888', false], ['2606:4700::1111', false], ['1fff:ffff::', true], ['2000::1', false], ['4000::1', true], ['not an address', true], ['', true],
  ])('PQ-235 %s is private: %s', (address, isPrivate) => {
    expect([isPrivateAddress(address), mayDeliverTo(address, OPEN), mayDeliverTo(address, LOCAL)]).toEqual([isPrivate, !isPrivate, true])
  })
})
