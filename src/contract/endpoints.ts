import { keyEndpoints } from './topics/accounts/keys.js'
import { signOnEndpoints } from './topics/accounts/sign-on.js'
import { userEndpoints } from './topics/accounts/users.js'
import { shelvingEndpoints } from './topics/alarm-shelving.js'
import { alarmEndpoints, equipmentAlarmEndpoints } from './topics/alarms.js'
import { auditEndpoints } from './topics/audit.js'
import { clockEndpoints } from './topics/clock.js'
import { collectionEventEndpoints } from './topics/collection-events.js'
import { commandEndpoints } from './topics/commands.js'
import { controlEndpoints } from './topics/control.js'
import { equipmentEndpoints } from './topics/equipment/equipment-endpoints.js'
import { tapEndpoints } from './topics/equipment/tap-report.js'
import { eventEndpoints } from './topics/events.js'
import { carrierEndpoints } from './topics/gem300/carriers.js'
import { controlJobEndpoints } from './topics/gem300/control-jobs.js'
import { knownListEndpoints } from './topics/gem300/known-lists.js'
import { gem300Endpoints } from './topics/gem300/mapping.js'
import { objectEndpoints } from './topics/gem300/objects.js'
import { performanceEndpoints } from './topics/gem300/performance.js'
import { portEndpoints } from './topics/gem300/ports.js'
import { processJobEndpoints } from './topics/gem300/process-jobs.js'
import { substrateEndpoints } from './topics/gem300/substrates.js'
import { journalEndpoints } from './topics/journal.js'
import { leasedReplyEndpoints } from './topics/leased-replies.js'
import { limitEndpoints } from './topics/limits.js'
import { messageEndpoints } from './topics/messages.js'
import { nodeEndpoints } from './topics/nodes.js'
import { previewEndpoints } from './topics/preview.js'
import { recipeEndpoints } from './topics/recipes.js'
import { reportEndpoints } from './topics/reports.js'
import { sinkEndpoints } from './topics/sinks/sinks.js'
import { spoolEndpoints } from './topics/spool.js'
import { terminalEndpoints } from './topics/terminal.js'
import { traceEndpoints } from './topics/traces.js'
import { trafficEndpoints } from './topics/traffic.js'
import { constantEndpoints, variableEndpoints } from './topics/variables.js'
import { wireEndpoints } from './topics/wire.js'

export const BASE_PATH = '/api/v1'

/** The whole REST interface: the server, the client and the OpenAPI document are made from it. */
export const endpoints = {
  ...userEndpoints,
  ...signOnEndpoints,
  ...keyEndpoints,
  ...equipmentEndpoints,
  ...previewEndpoints,
  ...commandEndpoints,
  ...controlEndpoints,
  ...variableEndpoints,
  ...constantEndpoints,
  ...limitEndpoints,
  ...collectionEventEndpoints,
  ...clockEndpoints,
  ...terminalEndpoints,
  ...equipmentAlarmEndpoints,
  ...reportEndpoints,
  ...recipeEndpoints,
  ...traceEndpoints,
  ...spoolEndpoints,
  ...processJobEndpoints,
  ...controlJobEndpoints,
  ...carrierEndpoints,
  ...portEndpoints,
  ...substrateEndpoints,
  ...performanceEndpoints,
  ...objectEndpoints,
  ...gem300Endpoints,
  ...knownListEndpoints,
  ...wireEndpoints,
  ...trafficEndpoints,
  ...tapEndpoints,
  ...messageEndpoints,
  ...leasedReplyEndpoints,
  ...alarmEndpoints,
  ...shelvingEndpoints,
  ...eventEndpoints,
  ...journalEndpoints,
  ...sinkEndpoints,
  ...auditEndpoints,
  ...nodeEndpoints,
}
