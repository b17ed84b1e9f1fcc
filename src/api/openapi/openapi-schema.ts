import type { TSchema } from 'typebox'
import { Alarm } from '../../contract/alarms.js'
import { Credentials, Login } from '../../contract/auth.js'
import {
  CollectionEvent,
  EventChoice,
  EventReport,
  EventsSwitched,
} from '../../contract/collection-events.js'
import { CommandResult, NewCommand } from '../../contract/commands.js'
import { Constant, ConstantsChange, ConstantsChanged } from '../../contract/constants.js'
import { Equipment, EquipmentChange, NewEquipment } from '../../contract/equipment.js'
import { AlarmChoice, AlarmsSwitched, EquipmentAlarm } from '../../contract/equipment-alarms.js'
import { EquipmentClock, NewTime, TimeSet } from '../../contract/equipment-clock.js'
import { Event } from '../../contract/events.js'
import { JournalEntry } from '../../contract/journal.js'
import { Message, NewMessage, Sent } from '../../contract/messages.js'
import { ProblemBody } from '../../contract/problem-body.js'
import { NewRecipe, Recipe, RecipeStored } from '../../contract/recipes.js'
import { AppliedReports, ReportsResult, WantedReports } from '../../contract/reports.js'
import { TerminalText, TerminalTextSent } from '../../contract/terminal.js'
import { Trace } from '../../contract/traces.js'
import { Traffic } from '../../contract/traffic.js'
import { NewUser, PasswordChange, User, UserChange } from '../../contract/users.js'
import { NamedValue } from '../../contract/values.js'
import { Variable } from '../../contract/variables.js'
import { WireHeader, WireRecord } from '../../contract/wire.js'
import type { Json, JsonObject } from '../../kit/text/json.js'

const NAMED: Readonly<Record<string, TSchema>> = {
  WantedReports,
  AppliedReports,
  ReportsResult,
  Recipe,
  NewRecipe,
  RecipeStored,
  Trace,
  Credentials,
  Login,
  Equipment,
  NewEquipment,
  EquipmentChange,
  NewCommand,
  CommandResult,
  NamedValue,
  Variable,
  Constant,
  ConstantsChange,
  ConstantsChanged,
  CollectionEvent,
  EventChoice,
  EventsSwitched,
  EventReport,
  EquipmentClock,
  NewTime,
  TimeSet,
  TerminalText,
  TerminalTextSent,
  EquipmentAlarm,
  AlarmChoice,
  AlarmsSwitched,
  Traffic,
  WireHeader,
  WireRecord,
  JournalEntry,
  NewMessage,
  Message,
  Sent,
  Alarm,
  Event,
  User,
  NewUser,
  UserChange,
  PasswordChange,
  Problem: ProblemBody,
}
const NAMES = new Map<unknown, string>(Object.entries(NAMED).map(([name, schema]) => [schema, name]))

function written(value: unknown): Json {
  if (Array.isArray(value)) return value.map(openApiSchema)
  if (typeof value !== 'object' || value === null) return value as Json
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    // OpenAPI 3.0 has no patternProperties; ours are maps from any name.
    if (name !== 'patternProperties') return [name, openApiSchema(member)]
    return ['additionalProperties', openApiSchema(Object.values(member as object)[0])]
  })
  return Object.fromEntries(members)
}

/** A schema of the contract as OpenAPI 3.0 writes it; one that has a name is referred to by it. */
export function openApiSchema(schema: unknown): Json {
  const name = NAMES.get(schema)
  return name === undefined ? written(schema) : { $ref: `#/components/schemas/${name}` }
}

/** The schemas that others refer to, by name. */
export const namedSchemas = (): JsonObject =>
  Object.fromEntries(Object.entries(NAMED).map(([name, schema]) => [name, written(schema)]))
