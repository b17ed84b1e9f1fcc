import { ALARM_SWITCH, AlarmSwitchCommand } from '../../src/cli/alarms/alarm-switch.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class AlarmsDisable extends AlarmSwitchCommand {
  static override summary =
    'Disable alarms, named ones or all (S5F3); exit code 8 when the equipment refuses.'
  static override hiddenAliases = ['alarm:disable']
  static override strict = false
  static override usage = 'alarms disable EQUIPMENT [ALARM...]'
  static override examples = [
    '<%= config.bin %> alarms disable etcher 4003',
    '<%= config.bin %> alarms disable etcher --all',
  ]
  static override args = ALARM_SWITCH.args
  static override flags = ALARM_SWITCH.flags

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(AlarmsDisable)
    await this.switch(endpoints.disableAlarms, argv.map(String), flags)
  }
}
