import { readAddress, readLastAddress } from '../../daemon/address-file.js'
import { systemctl } from '../../daemon/service-unit.js'
import { findDaemon } from '../../daemon/spawn.js'
import { shellWord } from '../../kit/shell-word.js'
import { catalogueOf } from '../messages/catalogue-flag.js'
import { verb } from '../verb.js'
import { DaemonCommand, givenOf } from './daemon-command.js'
import { argumentsAgain, DAEMON_FLAGS, daemonArguments } from './daemon-flags.js'
import { daemonFields } from './daemon-output.js'
import { startLocal, toldBy, WAITING } from './daemon-start.js'
import { requireNoService } from './installed-service.js'
import { commandAgain } from './last-store.js'
import { hasOwnPort } from './settings/settings.js'

export const daemonStart = verb(DaemonCommand, {
  summary: 'Start the gateway on this machine, in the background.',
  description:
    'Returns once the daemon responds. One that has to read a long history says how far it is; in a pipe, one line says so after 2 s. The first start makes an administrator and logs the profile `local` in. A second start finds the first and succeeds.',
  examples: [
    'secsctl daemon start',
    'secsctl daemon start --port 0',
    'secsctl daemon start --config daemon.yaml',
  ],
  flags: DAEMON_FLAGS,

  async run(on, { flags }) {
    const given = givenOf(flags)
    const effective = await on.settingsBy(given)
    const { settings } = effective
    await catalogueOf(on.environment.stdin, settings.catalogue) // its faults are reported here, not in the daemon's log
    const session = on.session
    const before = await readAddress(session.folders.state)
    const last = before ?? (await readLastAddress(session.folders.state))
    if (!(await findDaemon(session.folders.state, on.clock)))
      await requireNoService(on.environment, 'start', hasOwnPort(effective))
    const { address, started, loggedIn } = await on.during(`starting the daemon: ${WAITING}`, (progress) =>
      startLocal(session, given, undefined, toldBy(progress)),
    )
    on.note(started ? 'The daemon is running.' : 'A daemon was running already.')
    const asked = daemonArguments(given, true)
    if (started && !before && last?.store !== undefined && settings.store === undefined && !address.store)
      on.note(
        `The records of the data folder are used. The daemon before kept its own in ${last.store}. To run so again: ${commandAgain('restart', last)}`,
      )
    if (started && before?.flags && before.flags.join() !== asked.join()) {
      const flags = argumentsAgain(before).map(shellWord).join(' ')
      on.note(
        `The daemon before was killed. It ran with ${flags === '' ? 'no flags' : `${flags}. To run so again: secsctl daemon restart ${flags}`}`,
      )
    }
    if (!started && asked.length > 0 && asked.join() !== address.flags.join()) {
      const flagged = on.argv.map(shellWord).join(' ')
      on.note(
        `It keeps the options it was started with. To change them: ${address.unit ? `its unit, then ${systemctl(address.unit, 'restart')}` : `secsctl daemon restart ${flagged}`}`,
      )
    }
    if (address.standby)
      on.note('It is in standby: it connects to no equipment, delivers to no sink, and only reads.')
    if (loggedIn && session.notice !== undefined) on.note(session.notice)
    if (!loggedIn) on.note('Its administrator is not known here. Try: secsctl login --email EMAIL')
    const record = { running: true, started, ...address }
    if (on.format === 'json') on.printJson(record)
    // For a person the rest is in `daemon status`.
    else if (!on.sink.isTerminal) on.printRecord(record, daemonFields(address, on.formatTime))
  },
})
