import type { X509Certificate } from 'node:crypto'
import { createRequire } from 'node:module'
import { shellWord } from '../../kit/shell-word.js'
import { wrongUsage } from '../errors/failure.js'
import { readBytes } from '../input/standard-input.js'
import type { FormatTime } from '../output/local-time.js'

/** A certificate of an authority, as a profile shows it. */
export interface Authority {
  readonly subject: string
  readonly expires_at: string
  /** SHA-256 of the certificate, in hexadecimal with colons. */
  readonly fingerprint: string
}

const MAX_FILE_BYTES = 64 * 1024
const MAX_CERTIFICATES = 16
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g

/** Loads `node:crypto` where there is a certificate: most profiles have none, and it delays the start of a command. */
function certificatesIn(pem: string): X509Certificate[] {
  const { X509Certificate } = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto')
  return [...pem.matchAll(BLOCK)].map(([block]) => new X509Certificate(block))
}

/** The certificates in PEM that a profile keeps. Throws for a text that has none. */
export const authoritiesOf = (pem: string): readonly Authority[] =>
  certificatesIn(pem).map(({ subject, validTo, fingerprint256 }) => ({
    subject: subject.split('\n').join(', '),
    expires_at: new Date(validTo).toISOString(),
    fingerprint: fingerprint256,
  }))

export const authorityText = ({ subject, expires_at }: Authority, formatTime: FormatTime): string =>
  `${subject}, until ${formatTime(expires_at)}`

/** The certificates of a file, in PEM and nothing else; `-` is standard input. Fails with `usage`. */
export async function readAuthorities(stdin: NodeJS.ReadStream, path: string): Promise<string> {
  const text = (await readBytes(stdin, path, path, MAX_FILE_BYTES)).toString('latin1')
  const kinds = [...text.matchAll(BLOCK)].map(([, kind = '']) => kind)
  if (kinds.some((kind) => kind.endsWith('PRIVATE KEY')))
    throw wrongUsage(`${path} has a private key: give the certificates of authorities alone`)
  if (kinds.length === 0 || kinds.some((kind) => kind !== 'CERTIFICATE')) {
    const fault = `${path} is no file of certificates in PEM, which begin with -----BEGIN CERTIFICATE-----`
    throw wrongUsage(fault, `openssl x509 -inform der -in ${shellWord(path)}`)
  }
  if (kinds.length > MAX_CERTIFICATES)
    throw wrongUsage(`${path} has ${kinds.length} certificates; a profile keeps ${MAX_CERTIFICATES} at most`)
  try {
    return certificatesIn(text).join('')
  } catch {
    throw wrongUsage(`a certificate in ${path} cannot be read: it is damaged`)
  }
}

/** Fails with `usage` where the gateway at `url` shows no certificate. */
export function requireTls(url: string | undefined): void {
  if (url?.startsWith('https:') !== true)
    throw wrongUsage('--ca-file is for a gateway with https: this profile has another URL')
}
