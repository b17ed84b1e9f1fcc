import type { EquipmentModel, LimitModel } from '../../gem/equipment/equipment-model.js'
import { formatOf, numberIn } from '../../gem/typed-value.js'
import { defined, optionalMilliseconds, type Reading } from './reading.js'

type Part<Key extends keyof EquipmentModel> = NonNullable<EquipmentModel[Key]>

/** The equipment of a model file, without its behaviour. */
export function readEquipment(reading: Reading): EquipmentModel {
  const { file } = reading
  return {
    mdln: file.mdln,
    softrev: file.softrev,
    controlState: file.control_state ?? 'ONLINE_REMOTE',
    controlEvents: reading.eventsBy(file.control_events, '/control_events'),
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
    alarms: (file.alarms ?? []).map(({ id, text, category, enabled = true, ...entry }, at) => ({
      id: String(id),
      text,
      category,
      enabled,
      ...defined({
        setEvent: reading.event(entry.set_event, `/alarms/${at}/set_event`),
        clearedEvent: reading.event(entry.cleared_event, `/alarms/${at}/cleared_event`),
      }),
    })),
    commands: readCommands(reading),
    ...defined({
      onlineSubstate: file.online_substate,
      attemptFails: file.attempt_fails,
      occasions: file.occasions && reading.eventsBy(file.occasions, '/occasions'),
      objects: file.objects,
      spool: readSpool(reading),
      traces: readTraces(reading),
      programs: readPrograms(reading),
      terminal: file.terminal,
      longestBody: file.longest_body,
      conversationTimeout: optionalMilliseconds(file.conversation_timeout),
      without: file.without,
    }),
  }
}

const readVariables = (reading: Reading): Part<'variables'> =>
  (reading.file.variables ?? []).map(({ id, name, unit = '', kind = 'status', source }, at) => ({
    id: String(id),
    name,
    unit,
    kind,
    value: reading.valueOf(String(id)),
    ...defined({ source, limits: readLimits(reading, at) }),
  }))

function readLimits(reading: Reading, at: number): LimitModel | undefined {
  const { id, limits } = reading.file.variables?.[at] ?? {}
  if (!limits) return undefined
  const { minimum, maximum, event, defined: entries } = limits
  const pointer = `/variables/${at}/limits`
  if (numberIn(reading.valueOf(String(id))) === undefined) {
    reading.note(pointer, 'only a variable of one number has limits')
  }
  if (minimum > maximum) reading.note(`${pointer}/minimum`, '`minimum` is above `maximum`')
  for (const [nth, { upper, lower }] of (entries ?? []).entries()) {
    if (lower > upper || lower < minimum || upper > maximum) {
      reading.note(`${pointer}/defined/${nth}`, 'not in this order: `minimum`, `lower`, `upper`, `maximum`')
    }
  }
  if (new Set(entries?.map((limit) => limit.id)).size < (entries?.length ?? 0)) {
    reading.note(`${pointer}/defined`, 'two have the same id')
  }
  return {
    minimum,
    maximum,
    ...defined({ event: reading.event(event, `${pointer}/event`), limits: entries }),
  }
}

const readConstants = (reading: Reading): Part<'constants'> =>
  (reading.file.constants ?? []).map(({ id, unit = '', ...entry }, at) => {
    const value = reading.value(entry.value, `/constants/${at}/value`)
    if ((entry.minimum ?? entry.maximum) !== undefined && numberIn(value) === undefined) {
      reading.note(`/constants/${at}`, 'only one number has a minimum and a maximum')
    }
    return { ...entry, id: String(id), unit, value }
  })

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
      return { ...parameter, required, ...defined({ values: values_from ?? values, sets: variable?.id }) }
    }),
  }))

function readSpool({ file: { spool } }: Reading): Part<'spool'> | undefined {
  if (!spool) return undefined
  const { max_transmit: maxTransmit, messages, ...rest } = spool
  const streams = new Map<number, number[]>()
  for (const message of messages ?? []) {
    const [stream = 0, fn] = message.slice(1).split('F').map(Number)
    const functions = streams.get(stream) ?? []
    streams.set(stream, fn === undefined ? functions : [...functions, fn])
  }
  const spooled = messages && [...streams].map(([stream, functions]) => ({ stream, functions }))
  return { ...rest, ...defined({ maxTransmit, messages: spooled }) }
}

function readTraces({ file: { traces } }: Reading): Part<'traces'> | undefined {
  if (!traces) return undefined
  const { shortest_period, ...rest } = traces
  return { ...rest, ...defined({ shortestPeriod: optionalMilliseconds(shortest_period) }) }
}

function readPrograms(reading: Reading): Part<'programs'> | undefined {
  const { programs } = reading.file
  if (!programs) return undefined
  const { stored = [], commands, ...rest } = programs
  if (new Set(stored.map(({ id }) => id)).size < stored.length) {
    reading.note('/programs/stored', 'two have the same id')
  }
  return {
    ...rest,
    stored: stored.map(({ id, body, steps }, at) => {
      const pointer = `/programs/stored/${at}`
      if (body === undefined && !steps) reading.note(pointer, 'it has neither `body` nor `steps`')
      const typed = typeof body === 'string' ? { A: body } : body
      const value = typed === undefined ? undefined : reading.value(typed, `${pointer}/body`)
      if (value && 'L' in value) reading.note(`${pointer}/body`, 'the body of a process program is no list')
      const read = steps?.map(({ command, parameters = [] }, nth) => ({
        command: String(command),
        parameters: parameters.map((parameter, place) =>
          reading.value(parameter, `${pointer}/steps/${nth}/parameters/${place}`),
        ),
      }))
      return { id, ...defined({ body: value, steps: read }) }
    }),
    ...defined({
      commands: commands?.map(({ code, name, parameters = [] }) => ({
        code: String(code),
        name,
        parameters,
      })),
    }),
  }
}
