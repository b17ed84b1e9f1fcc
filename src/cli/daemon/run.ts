import { chmod, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { ErrorKind } from '../../contract/errors.js'
import { type DaemonAddress, removeAddress, writeAddress } from '../../daemon/address-file.js'
import type { CertificateRenewal } from '../../daemon/certificate-renewal.js'
import type { RunningDaemon, StoreDamaged } from '../../daemon/daemon.js'
import type { DaemonLog } from '../../daemon/daemon-log.js'
import { unitOfThisProcess } from '../../daemon/service-unit.js'
import { aborted, deferred } from '../../kit/deferred.js'
import { defined } from '../../kit/defined.js'
import { makeFolders } from '../../kit/private-file.js'
import type { Variables } from '../environment.js'
import { Failure } from '../errors/failure.js'
import { parseSize } from '../input/sizes.js'
import { builtVersion, HEAP_GROWTH, installedFiles, isExecutable, ownProgram } from '../installation.js'
import { catalogueOf } from '../messages/catalogue-flag.js'
import { verb } from '../verb.js'
import { administratorGiven, madeAdministrator } from './administrator.js'
import { DaemonCommand, givenOf } from './daemon-command.js'
import { notACertificate, notServed, readCertificate, readMetricsToken } from './daemon-files.js'
import { DAEMON_FLAGS, type DaemonSettings, daemonArguments, type GivenSettings } from './daemon-flags.js'
import { RUNTIME_FOLDER, URL_FILE } from './installed-service.js'
import { requireLastStore } from './last-store.js'
import { retentionOf } from './retention-flags.js'
import { readLogins } from './settings/auth-files.js'
import { type EffectiveSettings, placed } from './settings/settings.js'
import { storeGiven } from './store-flags.js'
import { databaseFailure, shownDatabase } from './store-url.js'

type Store = Awaited<ReturnType<typeof storeGiven>>
type Certificate = NonNullable<Awaited<ReturnType<typeof readCertificate>>>

export const daemonRun = verb(DaemonCommand, {
  summary: 'Run the gateway in the foreground.',
  description:
    'Prints where it listens when it is ready, logs JSON lines to standard error, and stops at SIGTERM and Ctrl-C, after it has disconnected equipment with Separate.req. At SIGHUP it reads --tls-cert and --tls-key again. A value comes from, in this order: the flag, the variable of the environment, the configuration file (`daemon check-config --help`), the default. With SECSCTL_METRICS_TOKEN or --metrics-token-file, /metrics needs that token. The gateway deletes the oldest history when it is older than --keep or larger than --keep-size. It keeps alarms that are active or not acknowledged, open messages, idempotency keys, and, up to --sinks-keep and --sinks-keep-size, events that a sink has not delivered.',
  examples: [
    'secsctl daemon run',
    'secsctl daemon run --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem',
    'secsctl daemon run --config /etc/secsctl/daemon.yaml',
    'secsctl daemon run --catalogue site.json',
  ],
  flags: DAEMON_FLAGS,
  async run(on, { flags }) {
    const given = givenOf(flags)
    const effective = await on.settingsBy(given)
    const { environment, session } = on
    environment.outputMayFail = true
    const { state, data } = session.folders
    await requireLastStore(session.folders, effective.settings.store, environment.variables)
    const signal = environment.interruption.hold()
    const renewal = renewalAtHangUp(on, effective)
    await makeFolders(data)
    const started = await start(on, effective).catch((error: unknown) => {
      throw placed(error, effective)
    })
    const { daemon, log } = started
    let failure: Error | undefined
    try {
      const announce = await announceDaemon(on, given, effective, started)
      renewal(await renewalOf(on, effective, started, announce))
      failure = await Promise.race([aborted(signal), daemon.failed])
    } finally {
      await daemon.stop()
      await removeAddress(state, process.pid)
    }
    if (failure) log.log.fatal({ err: failure }, 'the store has failed')
    await log.output.close()
    if (failure)
      throw new Failure('unexpected', `the store has failed, nothing can be recorded: ${failure.message}`)
    environment.interruption.settle()
  },
})

/** A daemon that runs, and what it was started with. */
interface Started {
  readonly daemon: RunningDaemon
  readonly log: DaemonLog
  readonly certificate: Certificate | undefined
  readonly store: Store
}

/**
 * On a terminal SIGHUP means that the terminal is closed; elsewhere it asks to read the certificate again. Of a daemon
 * that still starts, too: it does so once it is there. Returns what it is told by what renews.
 */
function renewalAtHangUp(
  { environment: { interruption, stdin } }: DaemonCommand,
  { settings }: EffectiveSettings,
): (renewal: CertificateRenewal) => void {
  const { promise, resolve } = deferred<CertificateRenewal>()
  if (settings['tls-cert'] !== undefined || !stdin.isTTY)
    interruption.onHangUp(() => void promise.then((renewal) => renewal.renew()))
  return resolve
}

async function renewalOf(
  { clock }: DaemonCommand,
  { settings }: EffectiveSettings,
  { daemon, log: { log } }: Started,
  announce: (certificate: Certificate) => Promise<void>,
): Promise<CertificateRenewal> {
  const { CertificateRenewal } = await import('../../daemon/certificate-renewal.js')
  const read = () => readCertificate(settings)
  return new CertificateRenewal({ read, use: daemon.renewCertificate, announce, log, clock })
}

/** Writes and prints where the daemon listens. Resolves with what writes it again, with another certificate. */
async function announceDaemon(
  on: DaemonCommand,
  given: GivenSettings,
  { list, config }: EffectiveSettings,
  { daemon, certificate: first, store }: Started,
): Promise<(certificate: Certificate) => Promise<void>> {
  const { session, environment } = on
  const { variables, systemRoot } = environment
  const { state, data } = session.folders
  // Without a keychain nothing was noted.
  if (daemon.madeAdministrator) await session.noteRefused(false).catch(() => {})
  const unit = await unitOfThisProcess(systemRoot, variables)
  const address: DaemonAddress = {
    url: daemon.url,
    pid: process.pid,
    data_folder: data,
    ...(daemon.standby && { standby: true }),
    ...(store && { store: shownDatabase(store.url) }),
    log: variables['SECSCTL_DAEMON_LOG'] ?? null,
    ...(unit && { unit }),
    flags: daemonArguments(given, true),
    config: config ?? null,
    settings: list,
    started_at: on.clock.date().toISOString(),
  }
  const announce = (certificate = first): Promise<void> =>
    writeAddress(state, { ...address, ...(certificate && { certificate: certificate.cert }) })
  await announce()
  await tellMachine(daemon.url, variables)
  // In a log the server's own record has the address.
  if (variables['SECSCTL_DAEMON_LOG'] === undefined) on.print(`listening on ${daemon.url}`)
  return announce
}

async function start(on: DaemonCommand, { settings: flags, auth }: EffectiveSettings): Promise<Started> {
  const [{ startDaemon }, { openDaemonLog }] = await Promise.all([
    import('../../daemon/daemon.js'),
    import('../../daemon/daemon-log.js'),
  ])
  const { session, environment, clock } = on
  const { variables, stdin, root } = environment
  // As an option of the executable, which its commands have as well, it would take them 10 ms: Node compiles its own modules
  // anew under it. Now the code of the daemon is loaded.
  if (isExecutable(root)) setFlagsFromString(HEAP_GROWTH)
  const catalogue = await catalogueOf(stdin, flags.catalogue)
  const tls = await readCertificate(flags)
  const logins = auth && (await readLogins(auth))
  const store = await storeGiven(flags, variables)
  const metricsToken = await readMetricsToken(flags['metrics-token-file'], variables)
  const admin = (await administratorGiven(flags, variables)) ?? (await madeAdministrator(session))
  const opened = await openDaemonLog(variables['SECSCTL_DAEMON_LOG'], clock)
  const { log, output } = opened
  try {
    const daemon = await startDaemon({
      dataFolder: session.folders.data,
      stateFolder: session.folders.state,
      store,
      host: flags.host,
      port: flags.port,
      hsmsHost: flags['hsms-host'],
      ...(flags['hsms-proxy'] && { hsmsProxies: flags['hsms-proxy'].split(',') }),
      ...(flags['equipment-networks'] && { equipmentNetworks: flags['equipment-networks'].split(',') }),
      ...(flags['long-messages'] && {
        longMessageBytes: parseSize(flags['long-messages'], '--long-messages'),
      }),
      ...defined({ tls, metricsToken }),
      ...logins,
      catalogue,
      allowLocalSinks: flags['allow-local-sinks'],
      sinksFolder: flags['sinks-folder'],
      insecureHttp: flags['insecure-http'],
      corsOrigins: flags['cors-origin'] ?? [],
      trustedProxies: flags['trust-proxy'] ?? [],
      standby: flags.standby ? 'begin' : flags['take-over'] ? 'end' : undefined,
      acceptLoss: flags['accept-loss'],
      acceptEdits: flags['accept-edits'],
      retention: retentionOf(flags),
      admin,
      version: on.config.version,
      builtVersion: await builtVersion(root, on.config.version),
      tapProgram: [...ownProgram(root), 'tap', 'run'],
      page: await installedFiles(root, 'dist/web'),
      log,
      droppedLogLines: () => output.dropped,
      clock,
    })
    return { daemon, log: opened, certificate: tls, store }
  } catch (error) {
    throw startFailure(error, flags, variables['SECSCTL_DAEMON_LOG'] !== undefined, store !== undefined)
  }
}

/** The address of the machine's service, for every user: the folder is there while systemd runs the unit. */
async function tellMachine(url: string, variables: Variables): Promise<void> {
  const folder = variables['RUNTIME_DIRECTORY']?.split(':').find((one) => basename(one) === RUNTIME_FOLDER)
  if (folder === undefined) return
  const file = join(folder, URL_FILE)
  // Without it commands of other users name the service alone.
  await writeFile(file, `${url}\n`)
    .then(() => chmod(file, 0o644))
    .catch(() => {})
}

const AFTER_DAMAGE: Partial<Record<StoreDamaged['kind'], string>> = {
  lost: 'restore the folder from a backup, or give --accept-loss to continue without what is lost',
  edited:
    'give --accept-edits to take the file as it is, if you changed it by hand; if not, restore it from a backup',
  unreadable:
    'if you changed the file by hand, correct it and give --accept-edits; if not, restore the folder from a backup, or give --accept-loss to continue without the file',
  invalid: 'correct the file, and give --accept-edits to take it as it is then',
  unread:
    'look at the disk, and start the daemon again once the file can be read; if it stays so, restore the folder from a backup',
  newer: 'use the secsctl that wrote the folder, or a newer one',
}

function startFailure(
  error: unknown,
  { host, port, 'tls-cert': cert = '' }: DaemonSettings,
  inBackground: boolean,
  onDatabase: boolean,
): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, code } = error as NodeJS.ErrnoException
  const failure = (kind: ErrorKind, detail: string, next?: string) => new Failure(kind, detail, next, error)
  if (name === 'FolderLocked') {
    const detail = `a daemon is running on this data folder already: ${message}`
    return failure('state', detail, 'secsctl daemon status')
  }
  if (code === 'EADDRINUSE') {
    const next = `secsctl daemon ${inBackground ? 'start' : 'run'} --port 0`
    return failure('state', `port ${port} of ${host} is taken by another program`, next)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return failure('usage', `--host ${host} is no address of this machine`)
  if (code?.startsWith('ERR_OSSL')) return notACertificate(error, cert, error)
  if (/^invalid (IP address|range)/.test(message))
    return failure('usage', `--trust-proxy takes an address or a network: ${message}`)
  if (name === 'LockNotEnforced')
    return failure(
      'state',
      message,
      'put SECSCTL_HOME on a disk of this machine, or mount the folder with locks',
    )
  if (name === 'UnsafeAddress') return notServed(error, error)
  if (name === 'StandbyRefused') return failure('state', message, 'secsctl daemon nodes')
  if (name === 'StoreDamaged' && !onDatabase)
    return failure('damaged', message, AFTER_DAMAGE[(error as StoreDamaged).kind])
  return databaseFailure(error) ?? error
}
