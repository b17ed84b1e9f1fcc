import { onePage } from '../../contract/schema.js'
import type { shelvingEndpoints } from '../../contract/topics/alarm-shelving.js'
import type { alarmEndpoints } from '../../contract/topics/alarms.js'
import { tracedBy } from '../../kit/text/traceparent.js'
import { reachesEquipment } from '../accounts/restriction.js'
import type { Handlers } from '../handler.js'

export const alarmHandlers: Handlers<typeof alarmEndpoints> = {
  listAlarms: async ({ query }, { alarms, equipment }) =>
    alarms.list(query, equipment.labels.selection(query)()),
  getAlarmSummary: async ({ query }, { alarms, equipment }) =>
    alarms.summary(equipment.labels.selection(query)()),
  acknowledgeAlarm: ({ params, body, caller, traceparent }, { alarms }) =>
    alarms.acknowledge(params.id, caller, { ...body, ...tracedBy(traceparent) }),
  acknowledgeAlarms: async ({ body: { ids, ...given }, caller, traceparent }, { alarms, equipment }) => ({
    items: await alarms.acknowledgeAll(ids, caller, { ...given, ...tracedBy(traceparent) }, (id) =>
      reachesEquipment(caller, id, equipment),
    ),
  }),
}

export const shelvingHandlers: Handlers<typeof shelvingEndpoints> = {
  shelveAlarm: async ({ params: { id, alid }, body, caller, traceparent }, { shelving, equipment }) => {
    await equipment.get(id)
    return shelving.shelve(id, alid, caller, { ...body, ...tracedBy(traceparent) })
  },
  unshelveAlarm: async ({ params: { id, alid }, caller }, { shelving, equipment }) => {
    await equipment.get(id)
    await shelving.unshelve(id, alid, caller)
  },
  listShelvedAlarms: async ({ query }, { shelving, equipment }) =>
    onePage([...shelving.list(equipment.labels.selection(query)())]),
}
