import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Certificate } from '../../src/api/certificate.js'

/** A certificate and the one of its authority, with the times at which they end, in milliseconds since 1970. */
export interface MadeCertificate extends Certificate {
  readonly number: number
  readonly ends: number
  readonly authorityEnds: number
}

/** DER of an item of ASN.1. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const long = length < 0x80 ? [] : length < 0x100 ? [0x81] : [0x82, length >> 8]
  return Buffer.concat([Buffer.of(tag, ...long, length & 0xff), content])
}

const SEQUENCE = 0x30
/** Three bytes, of which the first is no sign and no padding. */
const FIRST_SERIAL = 0x1_0000
const ED25519 = der(SEQUENCE, Buffer.from('06032b6570', 'hex'))
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

const nameOf = (text: string): Buffer =>
  der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(text)))))

/** UTCTime, which has the years up to 2049. */
const timeOf = (ms: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`))

/** The same key for the same seed. Its signatures are the same each time. */
const keyOf = (seed: number): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.alloc(32, seed)]), format: 'der', type: 'pkcs8' })

const pem = (label: string, bytes: Buffer): string =>
  [
    `-----BEGIN ${label}-----`,
    ...(bytes.toString('base64').match(/.{1,64}/g) ?? []),
    `-----END ${label}-----`,
    '',
  ].join('\n')

interface Issued {
  readonly number: number
  readonly name: string
  readonly issuer: string
  readonly key: KeyObject
  readonly issuerKey: KeyObject
  readonly ends: number
}

function issued({ number, name, issuer, key, issuerKey, ends }: Issued): string {
  const serial = Buffer.alloc(3)
  serial.writeUIntBE(FIRST_SERIAL + number, 0, 3)
  const content = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    ED25519,
    nameOf(issuer),
    der(SEQUENCE, timeOf(0), timeOf(ends)),
    nameOf(name),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.of(0), sign(null, content, issuerKey))
  return pem('CERTIFICATE', der(SEQUENCE, content, ED25519, signature))
}

/** The certificate of a gateway with this serial number, and that of its authority, in one chain. The same for the same values. */
export function madeCertificate(number: number, ends: number, authorityEnds: number): MadeCertificate {
  const [key, issuerKey] = [keyOf(number % 256), keyOf(255 - (number % 256))]
  const issuer = `authority ${number}`
  const own = issued({ number, name: 'gateway', issuer, key, issuerKey, ends })
  const authority = issued({ number, name: issuer, issuer, key: issuerKey, issuerKey, ends: authorityEnds })
  const cert = own + authority
  return {
    number,
    ends,
    authorityEnds,
    cert,
    key: pem('PRIVATE KEY', key.export({ type: 'pkcs8', format: 'der' })),
  }
}

/** The number of a certificate, of its serial number in hexadecimal digits. */
export const numberOf = (serial: string): number => Number.parseInt(serial, 16) - FIRST_SERIAL
