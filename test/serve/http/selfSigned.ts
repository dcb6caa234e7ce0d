import { generateKeyPairSync, sign } from 'node:crypto'

const ECDSA_WITH_SHA256 = '06082a8648ce3d040302'
const COMMON_NAME = '0603550403'
const SUBJECT_ALT_NAME = '0603551d11'

/** One value of DER (X.690), of a tag and its contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const { length } = Buffer.concat(contents)
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), ...contents])
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const ascii = (tag: number, text: string): Buffer => der(tag, Buffer.from(text, 'latin1'))
const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents)

/** A certificate of a name, signed by itself (RFC 5280), and its key; both in PEM. It is good from 2000 to 2049. */
export function selfSigned(name: string): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(hex(ECDSA_WITH_SHA256))
  const subject = sequence(der(0x31, sequence(hex(COMMON_NAME), ascii(0x0c, name))))
  const names = sequence(hex(SUBJECT_ALT_NAME), der(0x04, sequence(ascii(0x82, name))))
  const signed = sequence(
    der(0xa0, der(0x02, hex('02'))), der(0x02, hex('01')), algorithm, subject, sequence(ascii(0x17, '000101000000Z'), ascii(0x17, '491231235959Z')), subject,
    publicKey.export({ type: 'spki', format: 'der' }), der(0xa3, sequence(names)),
  )
  const certificate = sequence(signed, algorithm, der(0x03, hex('00'), sign('sha256', signed, privateKey)))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n')
  return { cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string }
}
