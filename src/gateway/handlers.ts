import type { endpoints } from '../contract/endpoints.js'
import { keyHandlers } from './accounts/key-handlers.js'
import { userHandlers } from './accounts/user-handlers.js'
import { alarmHandlers, shelvingHandlers } from './alarms/alarm-handlers.js'
import { auditHandlers } from './audit/audit-handlers.js'
import { equipmentHandlers } from './equipment/equipment-handlers.js'
import { eventHandlers } from './events/event-handlers.js'
import { carrierHandlers } from './gem300/carriers.js'
import { controlJobHandlers } from './gem300/control-jobs.js'
import { gem300Handlers } from './gem300/mapping/gem300-handlers.js'
import { objectHandlers } from './gem300/objects.js'
import { performanceHandlers } from './gem300/performance/performance-handlers.js'
import { portHandlers } from './gem300/ports.js'
import { processJobHandlers } from './gem300/process-jobs.js'
import { substrateHandlers } from './gem300/substrates.js'
import { knownListHandlers } from './gem300/view/known-list-handlers.js'
import type { Handlers } from './handler.js'
import { nodeHandlers } from './nodes/node-handlers.js'
import { messageHandlers } from './sending/message-handlers.js'
import { clockHandlers } from './services/clock.js'
import { collectionEventHandlers } from './services/collection-events.js'
import { constantHandlers } from './services/constants.js'
import { controlHandlers } from './services/control.js'
import { equipmentAlarmHandlers } from './services/equipment-alarms.js'
import { limitHandlers } from './services/limits.js'
import { recipeHandlers } from './services/recipes/recipes.js'
import { reportHandlers } from './services/reports/reports.js'
import { spoolHandlers } from './services/spool.js'
import { terminalHandlers } from './services/terminal.js'
import { traceHandlers } from './services/traces/traces.js'
import { variableHandlers } from './services/variables.js'
import { signOnHandlers } from './sign-on/sign-on-handlers.js'
import { sinkHandlers } from './sinks/sink-handlers.js'
import { tapHandlers } from './tap/tap-handlers.js'
import { wireHandlers } from './wire/wire-handlers.js'

/** The handler of each endpoint. The compiler reports an endpoint without one. */
export const handlers: Handlers<typeof endpoints> = {
  ...userHandlers,
  ...signOnHandlers,
  ...keyHandlers,
  ...equipmentHandlers,
  ...messageHandlers,
  ...controlHandlers,
  ...variableHandlers,
  ...constantHandlers,
  ...limitHandlers,
  ...collectionEventHandlers,
  ...clockHandlers,
  ...terminalHandlers,
  ...equipmentAlarmHandlers,
  ...reportHandlers,
  ...recipeHandlers,
  ...traceHandlers,
  ...spoolHandlers,
  ...processJobHandlers,
  ...controlJobHandlers,
  ...carrierHandlers,
  ...portHandlers,
  ...substrateHandlers,
  ...performanceHandlers,
  ...objectHandlers,
  ...gem300Handlers,
  ...knownListHandlers,
  ...wireHandlers,
  ...tapHandlers,
  ...alarmHandlers,
  ...shelvingHandlers,
  ...eventHandlers,
  ...sinkHandlers,
  ...auditHandlers,
  ...nodeHandlers,
}
