import { shellWord } from '../../kit/shell-word.js'
import { Failure } from '../errors/failure.js'
import { textFlag } from '../input/flags.js'
import { SessionCommand } from '../session-command.js'
import { verb } from '../verb.js'
import { daemonArguments } from './daemon-flags.js'
import { STORE_FLAGS, storeGiven } from './store-flags.js'
import { databaseFailure, databaseFlag } from './store-url.js'

/** Errors that say by themselves what is to be done. */
const EXPECTED = new Set([
  'FolderLocked',
  'StoreDamaged',
  'StoreUnavailable',
  'CannotMigrate',
  'NotTheSame',
  'NotPrivate',
])

export const daemonMigrate = verb(SessionCommand, {
  summary: 'Migrate the records of a data folder to PostgreSQL, or back.',
  description:
    'No daemon may run on either. The target has to be empty; the command fills all of it or nothing, and compares it with the source. The source does not change. Entries keep their numbers, so cursors and ids stay valid.',
  examples: [
    'secsctl daemon migrate --to postgres://secsctl@db.fab/secsctl',
    'secsctl daemon migrate --from postgres://secsctl@db.fab/secsctl',
  ],
  flags: {
    to: textFlag('URL', 'Database that the data folder is migrated to.', {
      parse: databaseFlag,
      exactlyOne: ['to', 'from'],
    }),
    from: textFlag('URL', 'Database that is migrated to the data folder.', { parse: databaseFlag }),
    'store-password-file': STORE_FLAGS['store-password-file'],
    'store-key-file': STORE_FLAGS['store-key-file'],
  },
  async run(on, { flags }) {
    const store = await storeGiven({ ...flags, store: flags.to ?? flags.from }, {})
    if (!store) throw new Error('there is no database')
    const { migrateToDatabase, migrateToFolder } = await import('../../daemon/migrate-store.js')
    const { data } = on.session.folders
    const migration = { dataFolder: data, store, clock: on.clock }
    const journals = await on
      .during('carrying the records over', () =>
        flags.to === undefined ? migrateToFolder(migration) : migrateToDatabase(migration),
      )
      .catch((error: unknown) => {
        const { name, message } = error as Error
        if (!EXPECTED.has(name) && !('path' in (error as Error)))
          throw databaseFailure(error as Error) ?? error
        throw new Failure('state', `nothing was migrated: ${message}`, undefined, error)
      })
    const { to, from: _, ...files } = flags
    const given = to === undefined ? [] : daemonArguments({ store: to, ...files })
    const next = ['secsctl', 'daemon', 'start', ...given].map(shellWord).join(' ')
    on.printDone(
      { journals, next },
      [...journals, 'All of it is the same in the target.', `Next: ${next}`].join('\n'),
    )
  },
})
