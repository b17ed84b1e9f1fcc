import type { alarmEndpoints } from '../../contract/topics/alarms.js'
import type { Handlers } from '../handler.js'

export const alarmHandlers: Handlers<typeof alarmEndpoints> = {
  listAlarms: ({ query }, { alarms }) => alarms.list(query),
  acknowledgeAlarm: ({ params, body, caller }, { alarms }) => alarms.acknowledge(params.id, caller, body),
}
