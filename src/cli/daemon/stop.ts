import { readAddress } from '../../daemon/address-file.js'
import { systemctl } from '../../daemon/service-unit.js'
import { stopDaemon } from '../../daemon/spawn.js'
import { BaseCommand } from '../base-command.js'
import { verb } from '../verb.js'
import { notStopped } from './daemon-output.js'
import { machineService, requireNoUnit } from './installed-service.js'

export const daemonStop = verb(BaseCommand, {
  summary: 'Stop the gateway on this machine, in order.',
  description:
    'Returns once its data folder is free. Equipment is separated in order, and is connected again at the next start. A daemon that is a service of systemd is stopped by systemctl, which is named.',
  examples: ['secsctl daemon stop'],
  async run(on) {
    const { state, data } = on.folders
    await requireNoUnit(on.environment, 'stop')
    const result = await on.during('stopping the daemon', () => stopDaemon(state, data, on.clock))
    if (result === 'still_running') throw notStopped(await readAddress(state))
    const stopped = result === 'stopped'
    const service = stopped ? undefined : await machineService(on.environment)
    if (service?.running)
      on.note(`The gateway of this machine is a service: ${systemctl(service.unit, 'stop')}`)
    on.printDone({ running: false, stopped }, stopped ? 'The daemon has stopped.' : 'No daemon was running.')
  },
})
