import type {
  CollectionEvent,
  EventChoice,
  EventReport,
  EventsSwitched,
  RequestedReport,
} from '../../contract/collection-events.js'
import type { CommandResult } from '../../contract/commands.js'
import type { Constant, ConstantsChange, ConstantsChanged } from '../../contract/constants.js'
import type { WentOffline, WentOnline } from '../../contract/control.js'
import type { AlarmChoice, AlarmsSwitched, EquipmentAlarm } from '../../contract/equipment-alarms.js'
import type { EquipmentClock, NewTime, TimeSet } from '../../contract/equipment-clock.js'
import type { SendQuery } from '../../contract/messages.js'
import type {
  ListedRecipe,
  NewRecipe,
  Recipe,
  RecipeDeleted,
  RecipeQuery,
  RecipeSelection,
  RecipeStored,
  StoreQuery,
} from '../../contract/recipes.js'
import type { AppliedReports, ApplyQuery, ReportsResult, WantedReports } from '../../contract/reports.js'
import type { Page } from '../../contract/schema.js'
import type { TerminalText, TerminalTextSent } from '../../contract/terminal.js'
import type { NewTrace, Trace, TraceEnded, TraceStarted } from '../../contract/traces.js'
import type { Identity } from '../../contract/users.js'
import type { NamedValue } from '../../contract/values.js'
import type { NamelistQuery, ValueQuery, Variable, VariableQuery } from '../../contract/variables.js'

export interface EquipmentControl {
  online(equipmentId: string, options: SendQuery): Promise<WentOnline>
  offline(equipmentId: string, options: SendQuery): Promise<WentOffline>
}

export interface Variables {
  list(equipmentId: string, query: VariableQuery): Promise<Page<Variable>>
  read(equipmentId: string, query: ValueQuery): Promise<Page<NamedValue>>
}

export interface Constants {
  list(equipmentId: string, query: NamelistQuery): Promise<Page<Constant>>
  read(equipmentId: string, query: ValueQuery): Promise<Page<NamedValue>>
  write(equipmentId: string, change: ConstantsChange, options: SendQuery): Promise<ConstantsChanged>
}

export interface CollectionEvents {
  list(equipmentId: string, query: NamelistQuery): Promise<Page<CollectionEvent>>
  switch(
    equipmentId: string,
    enabled: boolean,
    which: EventChoice,
    options: SendQuery,
  ): Promise<EventsSwitched>
  report(equipmentId: string, event: string, options: SendQuery): Promise<EventReport>
  requestReport(equipmentId: string, rptid: string, options: SendQuery): Promise<RequestedReport>
}

export interface EquipmentClocks {
  read(equipmentId: string, options: SendQuery): Promise<EquipmentClock>
  set(equipmentId: string, time: NewTime, options: SendQuery): Promise<TimeSet>
}

export interface Terminals {
  send(equipmentId: string, text: TerminalText, options: SendQuery): Promise<TerminalTextSent>
}

export interface EquipmentAlarms {
  list(equipmentId: string, options: SendQuery): Promise<Page<EquipmentAlarm>>
  switch(
    equipmentId: string,
    enabled: boolean,
    which: AlarmChoice,
    options: SendQuery,
  ): Promise<AlarmsSwitched>
}

export interface Reports {
  get(equipmentId: string): Promise<AppliedReports>
  apply(
    equipmentId: string,
    definition: WantedReports,
    by: Identity,
    options: ApplyQuery,
  ): Promise<ReportsResult>
  clear(equipmentId: string, options: ApplyQuery): Promise<ReportsResult>
}

export interface Recipes {
  list(equipmentId: string, options: SendQuery): Promise<Page<ListedRecipe>>
  fetch(equipmentId: string, ppid: string, query: RecipeQuery): Promise<Recipe>
  store(equipmentId: string, ppid: string, recipe: NewRecipe, query: StoreQuery): Promise<RecipeStored>
  delete(equipmentId: string, ppid: string, options: SendQuery): Promise<RecipeDeleted>
  select(
    equipmentId: string,
    ppid: string,
    selection: RecipeSelection,
    options: SendQuery,
  ): Promise<CommandResult>
}

export interface Traces {
  /** Those that were started here and are not over. */
  list(equipmentId: string): Promise<Page<Trace>>
  start(equipmentId: string, trace: NewTrace, options: SendQuery): Promise<TraceStarted>
  end(equipmentId: string, trid: string, options: SendQuery): Promise<TraceEnded>
}

/** GEM's services of equipment (SEMI E30). Each call is a transaction or two, and fails as one does. */
export interface Services {
  readonly control: EquipmentControl
  readonly variables: Variables
  readonly constants: Constants
  readonly collectionEvents: CollectionEvents
  readonly clocks: EquipmentClocks
  readonly terminals: Terminals
  readonly equipmentAlarms: EquipmentAlarms
  readonly reports: Reports
  readonly recipes: Recipes
  readonly traces: Traces
}
