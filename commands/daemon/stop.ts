import { BaseCommand } from '../../src/cli/base-command.js'
import { notStopped } from '../../src/cli/daemon/daemon-output.js'
import { machineService, requireNoUnit } from '../../src/cli/daemon/installed-service.js'
import { readAddress } from '../../src/daemon/address-file.js'
import { systemctl } from '../../src/daemon/service-unit.js'
import { stopDaemon } from '../../src/daemon/spawn.js'

export default class DaemonStop extends BaseCommand {
  static override summary = 'Stop the gateway on this machine, in order.'
  static override description =
    'Returns once its data folder is free. Equipment is separated in order, and is connected again at the next start. A daemon that is a service of systemd is stopped by systemctl, which is named.'
  static override examples = ['secsctl daemon stop']

  async run(): Promise<void> {
    await this.parse(DaemonStop)
    const { state, data } = this.folders
    await requireNoUnit(this.environment, 'stop')
    const result = await this.during('stopping the daemon', () => stopDaemon(state, data, this.clock))
    if (result === 'still_running') throw notStopped(await readAddress(state))
    const stopped = result === 'stopped'
    const service = stopped ? undefined : await machineService(this.environment)
    if (service?.running)
      this.note(`The gateway of this machine is a service: ${systemctl(service.unit, 'stop')}`)
    this.printDone(
      { running: false, stopped },
      stopped ? 'The daemon has stopped.' : 'No daemon was running.',
    )
  }
}
