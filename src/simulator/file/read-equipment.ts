import type { EquipmentModel } from '../../gem/equipment/model/equipment-model.js'
import { formatOf } from '../../gem/typed-value.js'
import { readPrograms } from './read-programs.js'
import { readConstants, readVariables } from './read-values.js'
import { milliseconds, optional, type Part, type Reading } from './reading.js'

/** What the equipment of a model file is and has. */
export function readEquipment(reading: Reading): EquipmentModel {
  const { file } = reading
  return {
    mdln: file.mdln,
    softrev: file.softrev,
    controlState: file.control_state ?? 'ONLINE_REMOTE',
    ...optional('onlineSubstate', file.online_substate),
    ...optional('attemptFails', file.attempt_fails),
    controlEvents: reading.eventsBy(file.control_events, '/control_events'),
    ...optional('occasions', file.occasions && reading.eventsBy(file.occasions, '/occasions')),
    variables: readVariables(reading),
    constants: readConstants(reading),
    reports: (file.reports ?? []).map(({ id, variables }, at) => ({
      id: String(id),
      variables: reading.variables.findAll(variables, `/reports/${at}/variables`),
    })),
    events: (file.events ?? []).map(({ id, name, enabled = true, reports = [] }, at) => ({
      id: String(id),
      name,
      enabled,
      reports: reading.reports.findAll(reports, `/events/${at}/reports`),
    })),
    alarms: readAlarms(reading),
    commands: readCommands(reading),
    ...optional('objects', file.objects),
    ...optional('spool', readSpool(reading)),
    ...optional('traces', readTraces(reading)),
    ...optional('programs', readPrograms(reading)),
    ...optional('terminal', file.terminal),
    ...optional('longestBody', file.longest_body),
    ...optional(
      'conversationTimeout',
      file.conversation_timeout === undefined ? undefined : milliseconds(file.conversation_timeout),
    ),
    ...optional('without', file.without),
  }
}

const readAlarms = (reading: Reading): Part<'alarms'> =>
  (reading.file.alarms ?? []).map(({ id, text, category, enabled = true, ...entry }, at) => ({
    id: String(id),
    text,
    category,
    enabled,
    ...optional('setEvent', reading.event(entry.set_event, `/alarms/${at}/set_event`)),
    ...optional('clearedEvent', reading.event(entry.cleared_event, `/alarms/${at}/cleared_event`)),
  }))

const readCommands = (reading: Reading): Part<'commands'> =>
  (reading.file.commands ?? []).map(({ name, parameters = [] }, at) => ({
    name,
    parameters: parameters.map(({ required = false, sets, values, values_from, ...parameter }, nth) => {
      const pointer = `/commands/${at}/parameters/${nth}`
      const variable = reading.settable(sets, `${pointer}/sets`)
      if (variable && formatOf(variable.value) !== parameter.format) {
        reading.note(`${pointer}/sets`, `${variable.name} is no ${parameter.format}, which the parameter is`)
      }
      if (values && values_from) reading.note(pointer, 'it has one of `values` and `values_from`')
      if (values_from === 'programs' && !reading.file.programs) {
        reading.note(`${pointer}/values_from`, 'the model has no `programs`')
      }
      const taken = optional('values', values_from ?? values)
      return { ...parameter, required, ...taken, ...optional('sets', variable?.id) }
    }),
  }))

function readSpool({ file: { spool } }: Reading): Part<'spool'> | undefined {
  if (!spool) return undefined
  const { max_transmit, messages, ...rest } = spool
  const streams = new Map<number, number[]>()
  for (const message of messages ?? []) {
    const [stream = 0, fn] = message.slice(1).split('F').map(Number)
    const functions = streams.get(stream) ?? []
    streams.set(stream, fn === undefined ? functions : [...functions, fn])
  }
  const spooled = [...streams].map(([stream, functions]) => ({ stream, functions }))
  return {
    ...rest,
    ...optional('maxTransmit', max_transmit),
    ...optional('messages', messages && spooled),
  }
}

function readTraces({ file: { traces } }: Reading): Part<'traces'> | undefined {
  if (!traces) return undefined
  const { shortest_period, ...rest } = traces
  const shortest = shortest_period === undefined ? undefined : milliseconds(shortest_period)
  return { ...rest, ...optional('shortestPeriod', shortest) }
}
