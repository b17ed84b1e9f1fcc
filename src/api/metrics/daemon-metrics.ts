import { type Certificate, expiryOf } from '../certificate.js'
import { type Metric, metric, single } from './prometheus-text.js'

/** What only the process around the server knows. */
export interface DaemonFacts {
  /** Bytes of the disk that holds the data folder; undefined where it cannot be asked. */
  disk(): Promise<{ readonly free: number; readonly size: number } | undefined>
  /** The certificate that is used for new connections; undefined without TLS. */
  certificate(): Certificate | undefined
  /** When the last good backup of the data folder was begun, in milliseconds since 1970; 0 for none, undefined where there is no data folder to back up. */
  backup?(): Promise<number | undefined>
}

/** The version, the store, and what the host gives. `ready`: records reach the store. */
export async function daemonMetrics(
  {
    version,
    ready,
    standby,
  }: { readonly version: string; readonly ready: boolean; readonly standby: boolean },
  facts: DaemonFacts | undefined,
): Promise<Metric[]> {
  const space = await facts?.disk()
  const backup = await facts?.backup?.()
  const certificate = facts?.certificate()
  const expires = certificate && expiryOf(certificate)
  return [
    metric('gauge', 'build_info', 'Always 1. The version of the program.', [[{ version }, 1]]),
    single('gauge', 'store_available', '1 while records reach the disk or the database.', ready ? 1 : 0),
    single('gauge', 'standby', '1 in standby: no links to equipment, no sinks, no changes.', standby ? 1 : 0),
    metric(
      'gauge',
      'data_disk_free_bytes',
      'Free space on the disk of the data folder.',
      space ? [[{}, space.free]] : [],
    ),
    metric(
      'gauge',
      'data_disk_size_bytes',
      'Size of the disk of the data folder.',
      space ? [[{}, space.size]] : [],
    ),
    metric(
      'gauge',
      'last_backup_timestamp_seconds',
      'When the last backup that was whole was begun (secsctl journal backup), in seconds since 1970; 0 for none. No sample with a database.',
      backup === undefined ? [] : [[{}, backup / 1000]],
    ),
    metric(
      'gauge',
      'tls_certificate_expiry_timestamp_seconds',
      'When the certificate chain of the server expires, in seconds since 1970. No sample without TLS.',
      expires === undefined ? [] : [[{}, expires / 1000]],
    ),
  ]
}
