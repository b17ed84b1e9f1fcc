import type { alarmEndpoints } from '../../contract/topics/alarms.js'
import { reachesEquipment } from '../accounts/restriction.js'
import type { Handlers } from '../handler.js'

export const alarmHandlers: Handlers<typeof alarmEndpoints> = {
  listAlarms: async ({ query }, { alarms, equipment }) =>
    alarms.list(query, equipment.labels.selection(query)()),
  acknowledgeAlarm: ({ params, body, caller }, { alarms }) => alarms.acknowledge(params.id, caller, body),
  acknowledgeAlarms: async ({ body: { ids, ...given }, caller }, { alarms, equipment }) => ({
    items: await alarms.acknowledgeAll(ids, caller, given, (id) => reachesEquipment(caller, id, equipment)),
  }),
}
