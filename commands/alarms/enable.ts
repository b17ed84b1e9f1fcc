import { ALARM_SWITCH, AlarmSwitchCommand } from '../../src/cli/alarms/alarm-switch.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class AlarmsEnable extends AlarmSwitchCommand {
  static override summary = 'Enable alarms, named ones or all (S5F3); exit code 8 when the equipment refuses.'
  static override hiddenAliases = ['alarm:enable']
  static override strict = false
  static override usage = 'alarms enable EQUIPMENT [ALARM...]'
  static override examples = [
    '<%= config.bin %> alarms enable etcher 4003',
    '<%= config.bin %> alarms enable etcher --all',
  ]
  static override args = ALARM_SWITCH.args
  static override flags = ALARM_SWITCH.flags

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(AlarmsEnable)
    await this.switch(endpoints.enableAlarms, argv.map(String), flags)
  }
}
