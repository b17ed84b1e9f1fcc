import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { folderContent } from '../../src/daemon/stored-records.js'
import { openFiles } from '../../src/store/files/data-folder.js'
import { openPostgresStore } from '../../src/store/postgres/open-postgres.js'
import type { RetentionPolicy } from '../../src/store/retention-policy.js'
import type { Store } from '../../src/store/store.js'
import { type Disk, filesOf } from './disk.js'
import type { DatabaseServer } from './postgres/server.js'
import type { Host } from './world.js'

export const FOLDER = '/data'

/** Where a gateway's records are. */
export interface Storage {
  open(host: Host, warn: (text: string) => void): Promise<Store>
  /** The process is gone, with the machine's power or without. */
  abandon(host: Host, withPower: boolean): void
}

const content = folderContent({ catalogue: STANDARD_CATALOGUE })

export interface FileSettings {
  /** Of a segment: small enough that segments are sealed and deleted within hours. */
  readonly segmentBytes: number
  readonly retention: RetentionPolicy
}

/** A folder on a disk. */
export const folderOn = (disk: Disk, settings: FileSettings): Storage => ({
  async open(host, warn) {
    const fs = filesOf(disk, host)
    await fs.makeFolder(FOLDER)
    return openFiles(FOLDER, { fs, clock: host.clock, content, ...settings, warn })
  },
  abandon: (_, withPower) => withPower && disk.losePower(),
})

export interface ClusterSettings {
  readonly leaseMs: number
  readonly retention: RetentionPolicy
}

/** A database that several gateways share. */
export const databaseOn = (server: DatabaseServer, nodeName: string, settings: ClusterSettings): Storage => ({
  open: ({ clock }, warn) =>
    openPostgresStore({
      url: 'postgres://database/site',
      nodeName,
      version: '0.0.0',
      clock,
      checks: content.checks,
      migrations: content.migrations,
      ...settings,
      warn,
    }),
  abandon: (host) => server.abandon(host),
})
