import { readFile } from 'node:fs/promises'
import type { DaemonOptions } from '../../daemon/daemon.js'
import { requirePrivateSecret } from '../../kit/private-file.js'
import { shellWord } from '../../kit/shell-word.js'
import { type Failure, wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'

/** The text of the file that a flag names. */
export async function textIn(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw wrongUsage(`${flag} cannot be read: ${readFault(error, path)}`)
  }
}

/** The secret in the file that a flag names, without white space around it. Others may not be able to read the file. */
export async function secretIn(path: string, flag: string): Promise<string> {
  await requirePrivateSecret(path)
  return (await textIn(path, flag)).trim()
}

interface CertificateFiles {
  readonly 'tls-cert'?: string | undefined
  readonly 'tls-key'?: string | undefined
}

/** Throws `usage` where one of the two files is named without the other. */
export function requirePair({ 'tls-cert': cert, 'tls-key': key }: CertificateFiles): void {
  if ((cert === undefined) === (key === undefined)) return
  const [given, missing] = cert === undefined ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key']
  throw wrongUsage(`${given} needs ${missing} as well`)
}

export const readChain = async ({ 'tls-cert': cert }: CertificateFiles): Promise<string | undefined> =>
  cert === undefined ? undefined : textIn(cert, '--tls-cert')

/** The private key; other users may not be able to read its file. */
export async function readKey({ 'tls-key': key }: CertificateFiles): Promise<string | undefined> {
  if (key === undefined) return undefined
  await requirePrivateSecret(key)
  return textIn(key, '--tls-key')
}

/** The certificate that the flags name; undefined where they name none. */
export async function readCertificate(files: CertificateFiles): Promise<DaemonOptions['tls']> {
  requirePair(files)
  const key = await readKey(files)
  const cert = await readChain(files)
  return cert === undefined || key === undefined ? undefined : { cert, key }
}

/**
 * What `/metrics` wants as its token: of the file, or of the environment. Never of the command line, which
 * everybody on the machine can read.
 */
export async function readMetricsToken(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (file === undefined) return env['SECSCTL_METRICS_TOKEN'] || undefined
  const token = await secretIn(file, '--metrics-token-file')
  if (!/^[^\s,]+$/.test(token))
    throw wrongUsage('--metrics-token-file has to hold one word, which is the token')
  return token
}

/** For an address that clear text may not be served on. */
export const notServed = ({ message }: Error, cause?: Error): Failure =>
  wrongUsage(`--host ${message}`, undefined, cause)

export const notACertificate = ({ message }: Error, file: string, cause?: Error): Failure =>
  wrongUsage(
    `--tls-cert and --tls-key are no certificate chain and its private key in PEM: ${message}`,
    `openssl x509 -text -in ${shellWord(file)}`,
    cause,
  )
