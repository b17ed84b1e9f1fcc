import { Value } from 'typebox/value'
import type { EquipmentModel } from '../gem/equipment-model.js'
import { formatOf, numberIn, type TypedValue, typedValue, valueAs } from '../gem/typed-value.js'
import { TypedJsonError } from '../secs2/json.js'
import type { CommandEffect, Incident, Model, Process } from './model.js'
import { ModelFile } from './model-schema.js'
import { type Id, Names } from './names.js'

/** A model file that cannot be used, with all that is wrong in it. */
export class ModelError extends Error {
  override readonly name = 'ModelError'

  constructor(
    /** JSON pointers into the file. */
    readonly problems: readonly { readonly pointer: string; readonly detail: string }[],
  ) {
    super(problems.map(({ pointer, detail }) => `${pointer || '/'}: ${detail}`).join('\n'))
  }
}

/** Reads a model from the text of its file. Throws `ModelError`. */
export function parseModel(text: string): Model {
  try {
    return readModel(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ModelError([{ pointer: '', detail: `this is no JSON: ${error.message}` }])
  }
}

/** Checks a model file's content and resolves its names. Throws `ModelError`. */
export function readModel(json: unknown): Model {
  if (!Value.Check(ModelFile, json)) {
    const problems = Value.Errors(ModelFile, json).map(({ instancePath, message }) => ({
      pointer: instancePath,
      detail: message,
    }))
    throw new ModelError(problems)
  }
  const reader = new ModelReader(json)
  const model = reader.read()
  if (reader.problems.length > 0) throw new ModelError(reader.problems)
  return model
}

/** Absent where the file left it out. */
const optional = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [Name in Key]?: Value }

const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

class ModelReader {
  readonly problems: { pointer: string; detail: string }[] = []
  readonly #variables: Names
  readonly #reports: Names
  readonly #events: Names
  readonly #alarms: Names

  constructor(private readonly file: ModelFile) {
    const note = (pointer: string, detail: string): void => void this.problems.push({ pointer, detail })
    const valued = [...(file.variables ?? []), ...(file.constants ?? [])]
    this.#variables = new Names('variable', valued, note)
    this.#reports = new Names('report', file.reports ?? [], note)
    this.#events = new Names('event', file.events ?? [], note)
    this.#alarms = new Names('alarm', file.alarms ?? [], note)
  }

  read(): Model {
    const { name, description = '' } = this.file
    return {
      name,
      description,
      equipment: this.#equipment(),
      process: this.#process(),
      effects: this.#effects(),
      incidents: this.#incidents(),
    }
  }

  #equipment(): EquipmentModel {
    const { mdln, softrev, control_state = 'ONLINE_REMOTE', control_events: on = {} } = this.file
    const event = (key: 'offline' | 'local' | 'remote') =>
      optional(key, this.#events.find(on[key], `/control_events/${key}`))
    return {
      mdln,
      softrev,
      controlState: control_state,
      controlEvents: { ...event('offline'), ...event('local'), ...event('remote') },
      variables: (this.file.variables ?? []).map(({ id, unit = '', kind = 'status', ...entry }, at) => ({
        id: String(id),
        name: entry.name,
        unit,
        kind,
        value: this.#value(entry.value, `/variables/${at}/value`),
        ...optional('source', entry.source),
      })),
      constants: (this.file.constants ?? []).map(({ id, unit = '', ...entry }, at) => {
        const value = this.#value(entry.value, `/constants/${at}/value`)
        if ((entry.minimum ?? entry.maximum) !== undefined && numberIn(value) === undefined) {
          this.#note(`/constants/${at}`, 'only one number has a minimum and a maximum')
        }
        return { ...entry, id: String(id), unit, value }
      }),
      reports: (this.file.reports ?? []).map(({ id, variables }, at) => ({
        id: String(id),
        variables: this.#variables.findAll(variables, `/reports/${at}/variables`),
      })),
      events: (this.file.events ?? []).map(({ id, name, enabled = true, reports = [] }, at) => ({
        id: String(id),
        name,
        enabled,
        reports: this.#reports.findAll(reports, `/events/${at}/reports`),
      })),
      alarms: (this.file.alarms ?? []).map(({ id, text, category, enabled = true, ...entry }, at) => ({
        id: String(id),
        text,
        category,
        enabled,
        ...optional('setEvent', this.#events.find(entry.set_event, `/alarms/${at}/set_event`)),
        ...optional('clearedEvent', this.#events.find(entry.cleared_event, `/alarms/${at}/cleared_event`)),
      })),
      commands: (this.file.commands ?? []).map(({ name, parameters = [] }, at) => ({
        name,
        parameters: parameters.map(({ required = false, sets, ...parameter }, nth) => ({
          ...parameter,
          required,
          ...optional(
            'sets',
            this.#settable(sets, parameter.format, `/commands/${at}/parameters/${nth}/sets`),
          ),
        })),
      })),
    }
  }

  #process(): Process | undefined {
    const process = this.file.process
    if (!process) return undefined
    const { states } = process
    const state = (name: string | undefined, pointer: string): string | undefined => {
      if (name !== undefined && !states.some((known) => known.name === name)) {
        this.#note(pointer, `there is no processing state ${name}`)
      }
      return name
    }
    state(process.initial, '/process/initial')
    const shown = this.#variable(this.#variables.find(process.variable, '/process/variable'))
    const codes = states.map(({ code }) => shown && valueAs(this.#formatOf(shown.value), code))
    if (!shown || shown.source || codes.includes(undefined)) {
      this.#note('/process/variable', "this variable cannot show the states' codes")
    }
    return {
      variable: String(shown?.id),
      initial: process.initial,
      states: states.map(({ name, code, lasts, ...entry }, at) => {
        const pointer = `/process/states/${at}`
        if ((lasts === undefined) !== (entry.next === undefined)) {
          this.#note(pointer, '`lasts` and `next` go together')
        }
        return {
          name,
          code,
          lasts: lasts === undefined ? undefined : milliseconds(lasts),
          next: state(entry.next, `${pointer}/next`),
          event: this.#events.find(entry.event, `${pointer}/event`),
          holds: state(entry.holds, `${pointer}/holds`),
        }
      }),
    }
  }

  #effects(): CommandEffect[] {
    const states = this.file.process?.states ?? []
    return (this.file.commands ?? []).map(({ name, from, to, event }, at) => {
      for (const state of [...(from ?? []), ...(to === undefined ? [] : [to])]) {
        if (!states.some((known) => known.name === state)) {
          this.#note(`/commands/${at}`, `there is no processing state ${state}`)
        }
      }
      return { command: name, from, to, event: this.#events.find(event, `/commands/${at}/event`) }
    })
  }

  #incidents(): Incident[] {
    return (this.file.incidents ?? []).map(({ on, after, alarm, clear_after, times, sets = {} }, at) => {
      const pointer = `/incidents/${at}`
      const shown = Object.entries(sets).flatMap(([variable, value]) => {
        const id = this.#variables.find(variable, `${pointer}/sets`)
        const known = this.#variable(id)
        if (known && (known.source || valueAs(this.#formatOf(known.value), value) === undefined)) {
          this.#note(`${pointer}/sets/${variable}`, `${String(value)} does not fit the variable's format`)
        }
        return id === undefined ? [] : [[id, value] as const]
      })
      return {
        on: this.#events.find(on, `${pointer}/on`) ?? '',
        after: milliseconds(after),
        clearAfter: clear_after === undefined ? undefined : milliseconds(clear_after),
        alarm: this.#alarms.find(alarm, `${pointer}/alarm`) ?? '',
        times,
        sets: Object.fromEntries(shown),
      }
    })
  }

  /** A variable that takes a command's parameter has to have its format. */
  #settable(reference: Id | undefined, format: string, pointer: string): string | undefined {
    const id = this.#variables.find(reference, pointer)
    const variable = this.#variable(id)
    if (variable?.source) this.#note(pointer, `the equipment keeps ${variable.name} itself`)
    if (variable && this.#formatOf(variable.value) !== format) {
      this.#note(pointer, `${variable.name} is no ${format}, which the parameter is`)
    }
    return id
  }

  #variable(id: string | undefined) {
    return (this.file.variables ?? []).find((variable) => String(variable.id) === id)
  }

  #formatOf(value: unknown): ReturnType<typeof formatOf> {
    try {
      return formatOf(typedValue(value))
    } catch {
      return 'L'
    }
  }

  #value(json: unknown, pointer: string): TypedValue {
    try {
      return typedValue(json)
    } catch (error) {
      if (!(error instanceof TypedJsonError)) throw error
      this.#note(`${pointer}${error.pointer}`, error.detail)
      return { L: [] }
    }
  }

  #note(pointer: string, detail: string): void {
    this.problems.push({ pointer, detail })
  }
}
