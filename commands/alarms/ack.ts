import { Flags } from '@oclif/core'
import { alarmColumns } from '../../src/cli/alarms/alarm-output.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Alarm } from '../../src/contract/topics/alarms.js'

export default class AlarmsAck extends GatewayCommand {
  static override summary = 'Acknowledge alarms.'
  static override strict = false
  static override examples = ['secsctl alarms ack 42', 'secsctl alarms ack 42 57 --comment "pump changed"']
  static override args = { id: required('Ids, as `alarms list` prints them.') }
  static override flags = {
    ...REASON_FLAG,
    comment: Flags.string({ char: 'm', helpValue: 'TEXT', summary: 'Why, or what was done.' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(AlarmsAck)
    const ids = argv.map(String)
    if (new Set(ids).size < ids.length) throw wrongUsage('an id is given twice')
    const client = await this.client()
    const body = flags.comment === undefined ? {} : { comment: flags.comment }
    const acknowledged: Alarm[] = []
    let failure: unknown
    for (const id of ids) {
      try {
        acknowledged.push(await client.call(endpoints.acknowledgeAlarm, { params: { id }, body }))
      } catch (error) {
        failure = error
        break
      }
    }
    if (acknowledged.length > 0) {
      await this.printList(acknowledged, alarmColumns(await this.equipmentNames(), this.formatTime), '')
    }
    if (failure !== undefined) throw failure
  }
}
