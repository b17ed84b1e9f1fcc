import type { EquipmentModel } from '../../gem/equipment/model/equipment-model.js'
import { formatOf, type PlainValue, type TypedValue, typedValue, valueAs } from '../../gem/typed-value.js'
import { TypedJsonError } from '../../secs2/json.js'
import { type Id, Names } from './names.js'
import type { Problem } from './problem.js'
import type { ModelFile } from './schema.js'

/** Absent where the file left it out. */
export const optional = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [Name in Key]?: Value }

export const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

/** A variable of the file whose value can be set. */
export interface Settable {
  readonly id: string
  readonly name: string
  readonly value: TypedValue
}

/** A model file while it is read: its names, its variables' values, and what was found wrong in it. */
export class Reading {
  readonly problems: Problem[] = []
  readonly variables: Names
  readonly reports: Names
  readonly events: Names
  readonly alarms: Names
  /** By id. */
  readonly #settable = new Map<string, Settable>()
  readonly #kept = new Set<string>()
  readonly #states: ReadonlySet<string>

  constructor(readonly file: ModelFile) {
    const note = (pointer: string, detail: string): void => this.note(pointer, detail)
    const { variables = [], constants = [] } = file
    this.variables = new Names('variable', [...variables, ...constants], note)
    this.reports = new Names('report', file.reports ?? [], note)
    this.events = new Names('event', file.events ?? [], note)
    this.alarms = new Names('alarm', file.alarms ?? [], note)
    this.#states = new Set(file.process?.states.map(({ name }) => name))
    for (const [at, { id, name, value, source }] of variables.entries()) {
      if (source !== undefined) this.#kept.add(String(id))
      const typed = this.value(value, `/variables/${at}/value`)
      this.#settable.set(String(id), { id: String(id), name, value: typed })
    }
  }

  note(pointer: string, detail: string): void {
    this.problems.push({ pointer, detail })
  }

  /** An item by its format. */
  value(json: unknown, pointer: string): TypedValue {
    try {
      return typedValue(json)
    } catch (error) {
      if (!(error instanceof TypedJsonError)) throw error
      this.note(`${pointer}${error.pointer}`, error.detail)
      return { L: [] }
    }
  }

  /** The value of a variable of the file, by id. */
  valueOf(id: string): TypedValue {
    return this.#settable.get(id)?.value ?? { L: [] }
  }

  /** A variable that is no constant and that the equipment does not keep itself. */
  settable(reference: Id | undefined, pointer: string): Settable | undefined {
    const id = this.variables.find(reference, pointer)
    if (id === undefined) return undefined
    const variable = this.#settable.get(id)
    if (!variable) this.note(pointer, `${reference} is a constant, which a host alone sets`)
    else if (this.#kept.has(id)) this.note(pointer, `the equipment keeps ${variable.name} itself`)
    return variable
  }

  /** What variables show, by id, from what they are to show by id or name. */
  settings(
    given: Readonly<Record<string, PlainValue>>,
    pointer: string,
  ): Readonly<Record<string, PlainValue>> {
    const found = Object.entries(given).flatMap(([reference, value]) => {
      const variable = this.settable(reference, `${pointer}/${reference}`)
      if (!variable) return []
      this.fits(variable, value, `${pointer}/${reference}`)
      return [[variable.id, value] as const]
    })
    return Object.fromEntries(found)
  }

  fits({ value }: Settable, plain: PlainValue, pointer: string): void {
    if (valueAs(formatOf(value), plain) !== undefined) return
    this.note(pointer, `${String(plain)} does not fit the variable's format`)
  }

  event(reference: Id | undefined, pointer: string): string | undefined {
    return this.events.find(reference, pointer)
  }

  /** The name of a processing state, which there has to be. */
  state(name: string, pointer: string): string
  state(name: string | undefined, pointer: string): string | undefined
  state(name: string | undefined, pointer: string): string | undefined {
    if (name !== undefined && !this.#states.has(name)) {
      this.note(pointer, `there is no processing state ${name}`)
    }
    return name
  }

  /** Events by what they are for, as ids. */
  eventsBy<Key extends string>(
    given: { readonly [Name in Key]?: Id } | undefined,
    pointer: string,
  ): { readonly [Name in Key]?: string } {
    const found = Object.entries<Id | undefined>(given ?? {}).flatMap(([key, reference]) => {
      const id = this.event(reference, `${pointer}/${key}`)
      return id === undefined ? [] : [[key, id] as const]
    })
    return Object.fromEntries(found) as { readonly [Name in Key]?: string }
  }
}

export type Part<Key extends keyof EquipmentModel> = NonNullable<EquipmentModel[Key]>
