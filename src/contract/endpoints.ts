import { alarmEndpoints } from './alarms.js'
import { collectionEventEndpoints } from './collection-events.js'
import { commandEndpoints } from './commands.js'
import { constantEndpoints } from './constants.js'
import { controlEndpoints } from './control.js'
import { equipmentAlarmEndpoints } from './equipment-alarms.js'
import { clockEndpoints } from './equipment-clock.js'
import { equipmentEndpoints } from './equipment-endpoints.js'
import { eventEndpoints } from './events.js'
import { journalEndpoints } from './journal.js'
import { messageEndpoints } from './messages.js'
import { recipeEndpoints } from './recipes.js'
import { reportEndpoints } from './reports.js'
import { terminalEndpoints } from './terminal.js'
import { traceEndpoints } from './traces.js'
import { trafficEndpoints } from './traffic.js'
import { userEndpoints } from './users.js'
import { variableEndpoints } from './variables.js'
import { wireEndpoints } from './wire.js'

export const BASE_PATH = '/api/v1'

/** The whole REST interface: the server, the client and the OpenAPI document are made from it. */
export const endpoints = {
  ...userEndpoints,
  ...equipmentEndpoints,
  ...commandEndpoints,
  ...controlEndpoints,
  ...variableEndpoints,
  ...constantEndpoints,
  ...collectionEventEndpoints,
  ...clockEndpoints,
  ...terminalEndpoints,
  ...equipmentAlarmEndpoints,
  ...reportEndpoints,
  ...recipeEndpoints,
  ...traceEndpoints,
  ...wireEndpoints,
  ...trafficEndpoints,
  ...messageEndpoints,
  ...alarmEndpoints,
  ...eventEndpoints,
  ...journalEndpoints,
}
