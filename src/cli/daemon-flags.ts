import { Flags } from '@oclif/core'

export const DEFAULT_PORT = 7327

/** How the daemon is to run. */
export const DAEMON_FLAGS = {
  host: Flags.string({
    default: '127.0.0.1',
    helpValue: 'ADDRESS',
    summary: 'Address the API is served on.',
  }),
  port: Flags.integer({
    default: DEFAULT_PORT,
    min: 0,
    max: 65535,
    helpValue: 'N',
    summary: 'Port the API is served on; 0 takes a free one.',
  }),
  'hsms-host': Flags.string({
    default: '0.0.0.0',
    helpValue: 'ADDRESS',
    summary: 'Address on which equipment that dials in is awaited.',
  }),
  'tls-cert': Flags.string({ helpValue: 'FILE', dependsOn: ['tls-key'], summary: 'Certificate chain, PEM.' }),
  'tls-key': Flags.string({ helpValue: 'FILE', dependsOn: ['tls-cert'], summary: 'Private key, PEM.' }),
  'insecure-http': Flags.boolean({ summary: 'Allow clear text beyond this machine.' }),
  'accept-loss': Flags.boolean({ summary: 'Cut off what is damaged in the journal, and go on.' }),
}

/** The values of the flags above. */
export interface DaemonSettings {
  readonly host: string
  readonly port: number
  readonly 'hsms-host': string
  readonly 'tls-cert'?: string | undefined
  readonly 'tls-key'?: string | undefined
  readonly 'insecure-http': boolean
  readonly 'accept-loss': boolean
}

/** The settings as arguments of `daemon run`. A word for one time, `--accept-loss`, is not among the lasting ones. */
export function daemonArguments(settings: DaemonSettings, lasting = false): string[] {
  const args = [
    '--host',
    settings.host,
    '--port',
    String(settings.port),
    '--hsms-host',
    settings['hsms-host'],
  ]
  if (settings['tls-cert'] !== undefined) args.push('--tls-cert', settings['tls-cert'])
  if (settings['tls-key'] !== undefined) args.push('--tls-key', settings['tls-key'])
  if (settings['insecure-http']) args.push('--insecure-http')
  if (settings['accept-loss'] && !lasting) args.push('--accept-loss')
  return args
}
