import { readFile } from 'node:fs/promises'
import type { DaemonOptions } from '../../daemon/daemon.js'
import { requirePrivateSecret } from '../../kit/private-file.js'
import { wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'
import type { DaemonSettings } from './daemon-flags.js'

async function read(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw wrongUsage(`${flag} cannot be read: ${readFault(error, path)}`)
  }
}

/** The certificate that the flags name; undefined where they name none. */
export async function readCertificate({
  'tls-cert': cert,
  'tls-key': key,
}: Pick<DaemonSettings, 'tls-cert' | 'tls-key'>): Promise<DaemonOptions['tls']> {
  if (cert === undefined || key === undefined) return undefined
  await requirePrivateSecret(key)
  return { cert: await read(cert, '--tls-cert'), key: await read(key, '--tls-key') }
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
  await requirePrivateSecret(file)
  const token = (await read(file, '--metrics-token-file')).trim()
  if (!/^[^\s,]+$/.test(token))
    throw wrongUsage('--metrics-token-file has to hold one word, which is the token')
  return token
}
