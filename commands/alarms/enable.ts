import { AlarmSwitchCommand } from '../../src/cli/alarms/alarm-switch.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class AlarmsEnable extends AlarmSwitchCommand {
  static override summary = 'Enable alarms, named ones or all (S5F3); exit code 8 when the equipment refuses.'
  static override usage = 'alarms enable EQUIPMENT [ALARM...]'
  static override examples = ['secsctl alarms enable etcher 4003', 'secsctl alarms enable etcher --all']

  protected readonly endpoint = endpoints.enableAlarms
}
