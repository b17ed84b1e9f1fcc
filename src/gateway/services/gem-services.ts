import type { Clock } from '../../kit/clock.js'
import type { Signal } from '../../kit/signal.js'
import type { Collection } from '../../store/collection.js'
import type { Journal } from '../../store/journal.js'
import type { StartedEquipment } from '../equipment/registry.js'
import type { RemoteCommands } from '../gateway.js'
import type { Reading } from '../records/reading.js'
import { throwBug } from '../store-problem.js'
import { Asking, type Sessions } from './asking.js'
import { GemClocks } from './clock.js'
import { GemCollectionEvents } from './collection-events.js'
import { GemConstants } from './constants.js'
import { GemControl } from './control.js'
import { GemAlarms } from './equipment-alarms.js'
import { type Knowledge, Naming } from './naming.js'
import { GemRecipes } from './recipes/recipes.js'
import { KeptReports } from './reports/kept-reports.js'
import { ReportChanges } from './reports/report-changes.js'
import { GemReports } from './reports/reports.js'
import { ReportsMaintenance } from './reports/reports-maintenance.js'
import type { ReportsRecord } from './reports/reports-record.js'
import type { Services } from './services.js'
import { GemTerminals } from './terminal.js'
import type { RunningTraces } from './traces/running-traces.js'
import { GemTraces } from './traces/traces.js'
import { GemVariables } from './variables.js'

export interface ServiceParts {
  readonly registry: Sessions & {
    /** The reading of an equipment's messages, also of deleted equipment. */
    readingOf(equipmentId: string): Reading
    /** Equipment communicates, and is online if the host may ask for that. */
    readonly started: Signal<StartedEquipment>
    /** Emits the id of deleted equipment. */
    readonly removed: Signal<string>
  }
  readonly knowledge: Knowledge
  readonly traces: RunningTraces
  readonly clock: Clock
  readonly commands: RemoteCommands
  readonly journal: Journal
  readonly reports: Collection<ReportsRecord>
}

/** Makes the GEM services, which share one `Asking`. */
export function gemServices(parts: ServiceParts): Services {
  const { registry, knowledge, traces, clock, commands, journal } = parts
  const asking = new Asking(registry)
  const naming = new Naming(asking, knowledge)
  const kept = new KeptReports({ collection: parts.reports, knowledge, journal, clock })
  const changes = new ReportChanges(asking)
  const maintenance = new ReportsMaintenance(kept, changes, asking, naming)
  registry.started.on(({ equipmentId, waitFor }) =>
    waitFor(maintenance.returned(equipmentId).catch(throwBug)),
  )
  registry.removed.on((removed) => {
    traces.forget((id) => id === removed)
    void kept.forget(removed).catch(throwBug)
  })
  return {
    control: new GemControl(asking, registry, knowledge, clock),
    variables: new GemVariables(asking, naming),
    constants: new GemConstants(asking, naming),
    collectionEvents: new GemCollectionEvents(asking, naming),
    clocks: new GemClocks(asking, clock),
    terminals: new GemTerminals(asking),
    equipmentAlarms: new GemAlarms(asking),
    reports: new GemReports(kept, changes, asking, naming),
    recipes: new GemRecipes(asking, naming, commands),
    traces: new GemTraces(traces, asking, naming, clock),
  }
}
