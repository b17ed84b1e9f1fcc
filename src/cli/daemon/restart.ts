import { readAddress } from '../../daemon/address-file.js'
import { stopDaemon } from '../../daemon/spawn.js'
import { Failure } from '../errors/failure.js'
import { verb } from '../verb.js'
import { DaemonCommand, givenOf } from './daemon-command.js'
import { DAEMON_FLAGS } from './daemon-flags.js'
import { daemonFields, notStopped } from './daemon-output.js'
import { startLocal, toldBy, WAITING } from './daemon-start.js'
import { requireNoService, requireNoUnit } from './installed-service.js'
import { requireSameStore } from './last-store.js'
import { asBefore } from './settings/as-before.js'
import { faultsOfFiles } from './settings/named-files.js'
import { faultsFailure } from './settings/setting.js'
import { hasOwnPort, requireSettings } from './settings/settings.js'

export const daemonRestart = verb(DaemonCommand, {
  summary: 'Stop the gateway on this machine and start it again.',
  description:
    'It keeps the options that it was started with, and its port; each flag that is given changes one of them. To run without an option: `daemon stop`, then `daemon start`. It reads its configuration file again; if something in the file is wrong, the daemon is not stopped. If the gateway is a service of systemd, prints the command of systemctl instead.',
  examples: [
    'secsctl daemon restart',
    'secsctl daemon restart --port 8000',
    'secsctl daemon restart --take-over',
  ],
  flags: DAEMON_FLAGS,

  async run(on, { flags }) {
    const now = givenOf(flags)
    const { session } = on
    const { stdin, variables: own } = on.environment
    const { state, data } = session.folders
    await requireNoUnit(on.environment, 'restart')
    const before = await readAddress(state)
    const { given: kept, variables } = before?.flags
      ? await asBefore(before, own)
      : {
          given: { config: own['SECSCTL_CONFIG'] ? undefined : (before?.config ?? undefined) },
          variables: own,
        }
    const given = { ...kept, ...now }
    // Before what runs is stopped.
    const effective = await requireSettings(given, variables)
    await requireNoService(on.environment, 'restart', hasOwnPort(effective))
    requireSameStore(before, effective.settings.store, variables)
    const faults = await faultsOfFiles(effective, { stdin, variables, clock: on.clock })
    if (faults.length > 0) throw faultsFailure(faults)
    const { address } = await on.during(`restarting the daemon: ${WAITING}`, async (progress) => {
      const tell = toldBy(progress)
      if ((await stopDaemon(state, data, on.clock)) === 'still_running') throw notStopped(before)
      try {
        return await startLocal(session, given, variables, tell)
      } catch (error) {
        if (!before?.flags || !(error instanceof Failure)) throw error
        // The old options are known only here: without them the gateway would stay down, or come back without TLS.
        const asOld = await startLocal(session, kept, variables, tell).catch(() => undefined)
        if (!asOld) throw error
        const again = 'The gateway runs again with the options that it had.'
        throw new Failure(
          error.kind,
          `${error.message.replace(/\.$/, '')}. ${again}`,
          'secsctl daemon status',
          error,
        )
      }
    })
    on.note('The daemon is running.')
    on.printRecord({ running: true, started: true, ...address }, daemonFields(address, on.formatTime))
  },
})
