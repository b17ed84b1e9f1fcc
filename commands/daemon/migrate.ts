import { Flags } from '@oclif/core'
import { daemonArguments } from '../../src/cli/daemon/daemon-flags.js'
import { STORE_FLAGS, storeGiven } from '../../src/cli/daemon/store-flags.js'
import { databaseFailure, databaseFlag } from '../../src/cli/daemon/store-url.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { SessionCommand } from '../../src/cli/session-command.js'
import { shellWord } from '../../src/kit/shell-word.js'

/** Errors that say by themselves what is to be done. */
const EXPECTED = new Set([
  'FolderLocked',
  'StoreDamaged',
  'StoreUnavailable',
  'CannotCarry',
  'NotTheSame',
  'NotPrivate',
])

export default class DaemonMigrate extends SessionCommand {
  static override summary = 'Carry the records of a data folder over to PostgreSQL, or back.'
  static override description =
    'No daemon may run on either. The target has to be empty, is filled whole or not at all, and is compared with the source; the source stays as it is. Entries keep their numbers, so that cursors and ids stay good.'
  static override examples = [
    'secsctl daemon migrate --to postgres://secsctl@db.fab/secsctl',
    'secsctl daemon migrate --from postgres://secsctl@db.fab/secsctl',
  ]
  static override flags = {
    to: Flags.string({
      helpValue: 'URL',
      parse: databaseFlag,
      exactlyOne: ['to', 'from'],
      summary: 'Database that the data folder is carried over to.',
    }),
    from: Flags.string({
      helpValue: 'URL',
      parse: databaseFlag,
      summary: 'Database that is carried over to the data folder.',
    }),
    'store-password-file': STORE_FLAGS['store-password-file'],
    'store-key-file': STORE_FLAGS['store-key-file'],
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(DaemonMigrate)
    const store = await storeGiven({ ...flags, store: flags.to ?? flags.from }, {})
    if (!store) throw new Error('there is no database')
    const { migrateToDatabase, migrateToFolder } = await import('../../src/daemon/migrate-store.js')
    const { data } = this.session.folders
    const migration = { dataFolder: data, store, clock: this.clock }
    const journals = await this.during('carrying the records over', () =>
      flags.to === undefined ? migrateToFolder(migration) : migrateToDatabase(migration),
    ).catch((error: unknown) => {
      const { name, message } = error as Error
      if (!EXPECTED.has(name)) throw databaseFailure(error as Error) ?? error
      throw new Failure('state', `nothing was carried over: ${message}`, undefined, error)
    })
    const { to, from: _, ...files } = flags
    const given = to === undefined ? [] : daemonArguments({ store: to, ...files })
    const next = ['secsctl', 'daemon', 'start', ...given].map(shellWord).join(' ')
    this.printDone(
      { journals, next },
      [...journals, 'All of it is the same in the target.', `Next: ${next}`].join('\n'),
    )
  }
}
