import { argumentsAgain, DAEMON_FLAGS, daemonArguments } from '../../src/cli/daemon/daemon-flags.js'
import { daemonFields, notStopped } from '../../src/cli/daemon/daemon-output.js'
import { startLocal } from '../../src/cli/daemon/daemon-start.js'
import { requireSameStore } from '../../src/cli/daemon/store-url.js'
import { catalogueIn, catalogueOf } from '../../src/cli/messages/catalogue-flag.js'
import { SessionCommand } from '../../src/cli/session-command.js'
import { readAddress } from '../../src/daemon/address-file.js'
import { stopDaemon } from '../../src/daemon/spawn.js'

export default class DaemonRestart extends SessionCommand {
  static override summary = 'Stop the gateway on this machine and start it again.'
  static override description = 'Without flags it runs as it did before, on the port that it had.'
  static override examples = ['secsctl daemon restart', 'secsctl daemon restart --port 8000']
  static override flags = DAEMON_FLAGS

  async run(): Promise<void> {
    const { flags, metadata } = await this.parse(DaemonRestart)
    const session = this.session
    const { state, data } = session.folders
    const before = await readAddress(state)
    const own = Object.keys(DAEMON_FLAGS).filter(
      (name) => !metadata.flags[name]?.setFromDefault && name in flags,
    )
    const said = own.some((name) => flags[name as keyof typeof flags] !== false)
    const args = said || !before?.flags ? daemonArguments(flags) : argumentsAgain(before)
    requireSameStore(before, args, this.environment.variables)
    await catalogueOf(this.environment.stdin, catalogueIn(args)) // before what runs is stopped
    const { address } = await this.during('restarting the daemon', async () => {
      if ((await stopDaemon(state, data, this.clock)) === 'still_running') throw notStopped(before)
      return startLocal(session, args)
    })
    this.note('The daemon is running.')
    this.printRecord({ running: true, started: true, ...address }, daemonFields(address, this.formatTime))
  }
}
