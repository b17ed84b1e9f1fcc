import { BaseCommand } from '../../src/cli/base-command.js'
import { notStopped } from '../../src/cli/daemon/daemon-output.js'
import { readAddress } from '../../src/daemon/address-file.js'
import { stopDaemon } from '../../src/daemon/spawn.js'

export default class DaemonStop extends BaseCommand {
  static override summary = 'Stop the gateway on this machine, in order.'
  static override description =
    'Returns once its data folder is free. Equipment is separated in order, and is connected again at the next start.'
  static override examples = ['secsctl daemon stop']

  async run(): Promise<void> {
    await this.parse(DaemonStop)
    const { state, data } = this.folders
    const result = await this.during('stopping the daemon', () => stopDaemon(state, data, this.clock))
    if (result === 'still_running') throw notStopped(await readAddress(state))
    const stopped = result === 'stopped'
    this.printDone(
      { running: false, stopped },
      stopped ? 'The daemon has stopped.' : 'No daemon was running.',
    )
  }
}
