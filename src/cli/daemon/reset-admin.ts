import { hostname, userInfo } from 'node:os'
import { shellWord } from '../../kit/shell-word.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { readNewPassword } from '../input/new-password.js'
import { dataFolderGiven } from '../journal/journal-folder.js'
import { catalogueOf } from '../messages/catalogue-flag.js'
import type { Secret } from '../profile/keychain.js'
import { LOCAL } from '../profile/profiles.js'
import { verb } from '../verb.js'
import { madeAdministrator } from './administrator.js'
import { DaemonCommand, givenOf } from './daemon-command.js'
import { DAEMON_FLAGS } from './daemon-flags.js'
import { storeGiven } from './store-flags.js'
import { databaseFailure, lastDatabase } from './store-url.js'

export const daemonResetAdmin = verb(DaemonCommand, {
  summary: 'Give a gateway an administrator again, without a login.',
  description:
    'Use it after a backup was restored on another machine, or if nobody knows a password. It works on the data folder of this machine, while no daemon runs on it, or on the database of --store; you need no password if you can read these. Without --email it makes the administrator of this machine (admin@localhost) and keeps the password here without showing it, so the next command on this machine is logged in. An existing user gets the new password, the role admin and all equipment, and all logins of the user end. The audit shows this as resetAdmin.',
  examples: [
    'secsctl daemon reset-admin',
    'secsctl daemon reset-admin --email ann@fab.example',
    'secsctl daemon reset-admin --config /etc/secsctl/daemon.yaml',
  ],
  flags: {
    email: textFlag('EMAIL', 'Who is to be administrator, with a password of your own.'),
    'password-stdin': switchFlag(
      'Read the new password from standard input. (Or set SECSCTL_NEW_PASSWORD.)',
      { dependsOn: ['email'] },
    ),
    config: DAEMON_FLAGS.config,
    store: DAEMON_FLAGS.store,
    'store-password-file': DAEMON_FLAGS['store-password-file'],
    'store-key-file': DAEMON_FLAGS['store-key-file'],
  },

  async run(on, { flags }) {
    const given = givenOf(flags)
    const { settings } = await on.settingsBy(given)
    const { variables, stdin } = on.environment
    const { session } = on
    const store = await storeGiven(settings, variables)
    const last = store ? undefined : await lastDatabase(session.folders)
    if (last !== undefined)
      throw wrongUsage(
        `the last daemon here kept its records in ${last}, which nothing names now (--store, SECSCTL_STORE, store in its configuration file)`,
        `secsctl daemon reset-admin --store ${shellWord(last)}`,
      )
    if (!store) await dataFolderGiven(session.folders, undefined)
    const { email } = flags
    const own = email === undefined ? await madeAdministrator(session) : undefined
    const piped = flags['password-stdin'] ?? false
    const { prompts, environment } = on
    const admin: Secret = own ?? {
      email: email ?? '',
      password: await readNewPassword({ prompts, environment, note: (text) => on.note(text) }, piped),
    }
    const [{ resetAdmin }, { openDaemonLog }] = await Promise.all([
      import('../../daemon/reset-admin.js'),
      import('../../daemon/daemon-log.js'),
    ])
    const { log, output } = await openDaemonLog(undefined, on.clock)
    log.level = 'warn'
    const options = {
      dataFolder: session.folders.data,
      store: store && { ...store, nodeName: 'reset-admin' },
      acceptLoss: false,
      catalogue: await catalogueOf(stdin, settings.catalogue),
      version: on.config.version,
      log,
      clock: on.clock,
    }
    const done = await on
      .during('making the administrator', () =>
        resetAdmin(options, admin, `${userInfo().username} on ${hostname()}`),
      )
      .catch((error: unknown) => {
        throw resetFailure(error, store !== undefined)
      })
      .finally(() => output.close())
    if (own)
      await session.keep(
        { profile: LOCAL, url: '' },
        { secret: { email: own.email, password: own.password } },
      )
    const how = own ? 'The commands on this machine are logged in with it.' : 'Log in: secsctl login --email'
    on.printDone(
      done,
      `${done.email} is ${done.added ? 'an administrator now' : 'an administrator with the new password'}. ${how}${own ? '' : ` ${done.email}`}`,
    )
  },
})

function resetFailure(error: unknown, onDatabase: boolean): unknown {
  if (!(error instanceof Error)) return error
  const { name, message } = error
  if (name === 'FolderLocked')
    return new Failure(
      'state',
      `a daemon runs on this data folder: stop it first, or let another administrator set the password (${message})`,
      'secsctl daemon stop',
      error,
    )
  if (name === 'StoreDamaged' && !onDatabase)
    return new Failure('damaged', message, 'secsctl journal verify', error)
  return databaseFailure(error) ?? error
}
