import { type Certificate, expiryOf } from '../certificate.js'
import { type Metric, metric, single } from './prometheus-text.js'

/** How the process of the taps is; what it does not say is undefined. */
export interface TapProcessFacts {
  readonly told:
    | {
        readonly version: string
        readonly since: number
        readonly memoryBytes: number
        readonly queueBytes: number
        readonly queueLimit: number
      }
    | undefined
}

/** What only the process around the server knows. */
export interface DaemonFacts {
  /** Bytes of the disk that holds the data folder; undefined where it cannot be asked. */
  disk(): Promise<{ readonly free: number; readonly size: number } | undefined>
  /** The certificate that is used for new connections; undefined without TLS. */
  certificate(): Certificate | undefined
  /** The process of the taps on this machine; undefined where none runs. */
  taps?(): Promise<TapProcessFacts | undefined>
  /** When the last good backup of the data folder was begun, in milliseconds since 1970; 0 for none, undefined where there is no data folder to back up. */
  backup?(): Promise<number | undefined>
}

/** The process of the taps. `isNeeded`: equipment here has a tap and should be connected. */
export function tapProcessMetrics(process: TapProcessFacts | undefined, isNeeded: boolean): Metric[] {
  const told = process?.told
  const gauge = (name: string, help: string, value: number | undefined): Metric =>
    metric('gauge', `tap_process_${name}`, help, value === undefined ? [] : [[{}, value]])
  return [
    gauge(
      'up',
      '1 while the process that has the links of tapped equipment responds. No sample where no equipment has a tap.',
      process ? 1 : isNeeded ? 0 : undefined,
    ),
    gauge('start_time_seconds', 'When it was started, in seconds since 1970.', told && told.since / 1000),
    gauge('memory_bytes', 'Its resident memory.', told?.memoryBytes),
    gauge('queue_bytes', 'Bytes that have passed and are not recorded yet.', told?.queueBytes),
    gauge('queue_limit_bytes', 'Bytes from which what passes is not recorded.', told?.queueLimit),
  ]
}

/** The version, the store, and what the host gives. `ready`: records reach the store. */
export async function daemonMetrics(
  {
    version,
    ready,
    standby,
    damagedFiles,
  }: {
    readonly version: string
    readonly ready: boolean
    readonly standby: boolean
    readonly damagedFiles: number
  },
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
    single(
      'gauge',
      'damaged_files',
      'Files of the recorded history in which damage was read since the start, or that cannot be read.',
      damagedFiles,
    ),
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
