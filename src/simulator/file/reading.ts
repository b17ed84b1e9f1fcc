import { formatOf, type PlainValue, type TypedValue, typedValue, valueAs } from '../../gem/typed-value.js'
import type { SchemaFault } from '../../kit/schema-faults.js'
import { TypedJsonError } from '../../secs2/json.js'
import type { ModelFile } from './schema.js'

type Id = number | string
type Note = (pointer: string, detail: string) => void

/** The members that are not undefined. */
export const defined = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name]
  } & {
    [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: NonNullable<Members[Name]>
  }

export const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

export const optionalMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : milliseconds(seconds)

/** The entries of one kind in a model file, found by id or by name. */
class Names {
  readonly #ids = new Map<string, string>()

  constructor(
    private readonly kind: string,
    entries: readonly { readonly id: Id; readonly name?: string }[],
    private readonly note: Note,
  ) {
    for (const { id } of entries) {
      if (this.#ids.has(String(id))) note(`/${kind}s`, `two have the id ${id}`)
      this.#ids.set(String(id), String(id))
    }
    const names = new Set<string>()
    for (const { id, name } of entries) {
      if (name === undefined) continue
      if (names.has(name)) note(`/${kind}s`, `two have the name ${name}`)
      names.add(name)
      if (!this.#ids.has(name)) this.#ids.set(name, String(id))
    }
  }

  /** The id; undefined for no reference, and for one to nothing, which is noted as a problem. */
  find(reference: Id | undefined, pointer: string): string | undefined {
    if (reference === undefined) return undefined
    const id = this.#ids.get(String(reference))
    if (id === undefined) this.note(pointer, `there is no ${this.kind} ${reference}`)
    return id
  }

  findAll(references: readonly Id[], pointer: string): string[] {
    return references.flatMap((reference, at) => this.find(reference, `${pointer}/${at}`) ?? [])
  }
}

/** A variable of the file. */
export interface Settable {
  readonly id: string
  readonly name: string
  readonly value: TypedValue
  /** Whether the equipment itself keeps it. */
  readonly isOwn: boolean
}

/** A model file while it is read: its names, the values of its variables, and the problems that were found. */
export class Reading {
  readonly problems: SchemaFault[] = []
  readonly note: Note = (pointer, detail) => this.problems.push({ pointer, detail })
  readonly variables: Names
  readonly reports: Names
  readonly events: Names
  readonly alarms: Names
  /** By id. */
  readonly #settable = new Map<string, Settable>()
  readonly #states: ReadonlySet<string>

  constructor(readonly file: ModelFile) {
    const { variables = [], constants = [] } = file
    this.variables = new Names('variable', [...variables, ...constants], this.note)
    this.reports = new Names('report', file.reports ?? [], this.note)
    this.events = new Names('event', file.events ?? [], this.note)
    this.alarms = new Names('alarm', file.alarms ?? [], this.note)
    this.#states = new Set(file.process?.states.map(({ name }) => name))
    for (const [at, { id, name, value, source }] of variables.entries()) {
      const typed = this.value(value, `/variables/${at}/value`)
      this.#settable.set(String(id), { id: String(id), name, value: typed, isOwn: source !== undefined })
    }
  }

  /** An item by its format. */
  value(json: unknown, pointer: string): TypedValue {
    try {
      return typedValue(json)
    } catch (error) {
      if (!(error instanceof TypedJsonError)) throw error
      for (const fault of error.faults) this.note(`${pointer}${fault.pointer}`, fault.detail)
      return { L: [] }
    }
  }

  /** The value of a variable of the file, by id. */
  valueOf(id: string): TypedValue {
    return this.#settable.get(id)?.value ?? { L: [] }
  }

  /** A variable that is no constant, and that the equipment does not keep itself. */
  settable(reference: Id | undefined, pointer: string): Settable | undefined {
    const id = this.variables.find(reference, pointer)
    if (id === undefined) return undefined
    const variable = this.#settable.get(id)
    if (!variable) this.note(pointer, `${reference} is a constant, which only a host sets`)
    else if (variable.isOwn) this.note(pointer, `the equipment keeps ${variable.name} itself`)
    return variable
  }

  /** Values of variables, by id, from values by id or name. */
  settings(
    given: Readonly<Record<string, PlainValue>>,
    pointer: string,
  ): Readonly<Record<string, PlainValue>> {
    const found = Object.entries(given).flatMap(([reference, value]) => {
      const place = `${pointer}/${reference}`
      const variable = this.settable(reference, place)
      if (!variable) return []
      if (valueAs(formatOf(variable.value), value) === undefined) {
        this.note(place, `${String(value)} does not fit the variable's format`)
      }
      return [[variable.id, value] as const]
    })
    return Object.fromEntries(found)
  }

  event(reference: Id | undefined, pointer: string): string | undefined {
    return this.events.find(reference, pointer)
  }

  /** The name of a processing state; one that does not exist is noted as a problem. */
  state(name: string | undefined, pointer: string): string | undefined {
    if (name !== undefined && !this.#states.has(name)) {
      this.note(pointer, `there is no processing state ${name}`)
    }
    return name
  }

  /** The ids of events, each under the key that it has in the file. */
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
