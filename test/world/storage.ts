import type { KeptInMemory } from '../../src/store/files/segments/segment.js'
import type { RetentionPolicy } from '../../src/store/retention-policy.js'
import type { Store } from '../../src/store/store.js'
import type { CertificateFiles } from './certificate-files.js'
import { type Disk, filesOf } from './disk.js'
import type { DatabaseServer } from './postgres/server.js'
import { storeOf, type Versions } from './versions.js'
import type { Host } from './world.js'

export const FOLDER = '/data'

/** Where a gateway's records are. */
export interface Storage {
  readonly retention: RetentionPolicy
  /** History goes by whole days. */
  readonly isInDays: boolean
  /** How often a clock was set that is not the machine's own. */
  readonly clockChanges: () => number
  /** The certificate of the API; without TLS where it is left out. */
  readonly certificate?: CertificateFiles
  /** Bytes of the history. */
  readonly journalSize: () => number
  /** As this version of the product opens it. */
  open(host: Host, version: number, tell: Tell): Promise<Store>
  /** The process is gone, with the machine's power or without. */
  abandon(host: Host, withPower: boolean): void
}

/** What the store tells the operator. */
interface Tell {
  readonly warn: (text: string) => void
  readonly info: (text: string) => void
}

export interface FileSettings extends KeptInMemory {
  /** Of a segment: small enough that segments are sealed and deleted within hours. */
  readonly segmentBytes: number
  readonly retention: RetentionPolicy
}

/** A folder on a disk, and the files of a certificate where there are any. */
export const folderOn = (
  disk: Disk,
  versions: Versions,
  settings: FileSettings,
  certificate?: CertificateFiles,
): Storage => ({
  ...(certificate && { certificate }),
  retention: settings.retention,
  isInDays: false,
  clockChanges: () => 0,
  journalSize: () => disk.sizeOf(`${FOLDER}/journal`),
  async open(host, version, tell) {
    const fs = filesOf(disk, host)
    await fs.makeFolder(FOLDER)
    const content = versions.contentOf(version)
    const store = await versions
      .productOf(version)
      .openFiles(FOLDER, { fs, clock: host.clock, content, ...settings, ...tell })
    return storeOf(store, version, host.world)
  },
  abandon: (_, withPower) => withPower && disk.losePower(),
})

export interface ClusterSettings {
  readonly leaseMs: number
  readonly retention: RetentionPolicy
}

/** A database that several gateways share. */
export const databaseOn = (
  server: DatabaseServer,
  nodeName: string,
  versions: Versions,
  settings: ClusterSettings,
): Storage => ({
  retention: settings.retention,
  isInDays: true,
  clockChanges: () => server.clockChanges,
  // A day of what is kept by size is all of it.
  journalSize: () => (settings.retention.maxBytes < 1024 ** 3 ? Number.POSITIVE_INFINITY : 0),
  async open({ clock, world }, version, tell) {
    const { checks, migrations } = versions.contentOf(version)
    const site = { url: 'postgres://database/site', nodeName, version: `0.0.${version}` }
    const given = { ...site, clock, checks, migrations, ...settings, ...tell }
    return storeOf(await versions.productOf(version).openPostgresStore(given), version, world)
  },
  abandon: (host) => server.abandon(host),
})
