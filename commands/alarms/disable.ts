import { AlarmSwitchCommand } from '../../src/cli/alarms/alarm-switch.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class AlarmsDisable extends AlarmSwitchCommand {
  static override summary =
    'Disable alarms, named ones or all (S5F3); exit code 8 when the equipment refuses.'
  static override usage = 'alarms disable EQUIPMENT [ALARM...]'
  static override examples = ['secsctl alarms disable etcher 4003', 'secsctl alarms disable etcher --all']

  protected readonly endpoint = endpoints.disableAlarms
}
