import { Signal } from '../../kit/signal.js'
import { formatOf, NO_VALUE, type PlainValue, type TypedValue, valueAs } from '../typed-value.js'
import type { Variable, VariableSource } from './equipment-model.js'

/** The values that the equipment keeps itself. */
export type VariableSources = Readonly<Record<VariableSource, () => PlainValue | TypedValue>>

/** The values of an equipment's status and data variables. */
export class Variables {
  /** A variable was set. */
  readonly changed = new Signal<Variable>()
  readonly #variables = new Map<string, Variable>()
  readonly #values = new Map<string, TypedValue>()
  /** Variables that keep the value they were set to, until `release`. */
  readonly #held = new Set<string>()

  /**
   * `sources` gives the values that the equipment keeps itself, `computed` those of waveforms, by id, whenever they are
   * read; undefined where none applies.
   */
  constructor(
    variables: readonly Variable[],
    private readonly sources: VariableSources,
    private readonly computed: (id: string) => TypedValue | undefined = () => undefined,
  ) {
    for (const variable of variables) {
      this.#variables.set(variable.id, variable)
      this.#values.set(variable.id, variable.value)
    }
  }

  has(id: string): boolean {
    return this.#variables.has(id)
  }

  /** The variable of this id, or else of this name. */
  find(idOrName: string): Variable | undefined {
    const byId = this.#variables.get(idOrName)
    return byId ?? [...this.#variables.values()].find(({ name }) => name === idOrName)
  }

  /** The variables of a kind with these ids, or all of the kind for none. Undefined stands for an unknown id. */
  choose(kind: Variable['kind'], ids: readonly string[]): { id: string; variable: Variable | undefined }[] {
    const ofKind = (variable: Variable | undefined) => (variable?.kind === kind ? variable : undefined)
    if (ids.length > 0) return ids.map((id) => ({ id, variable: ofKind(this.#variables.get(id)) }))
    return [...this.#variables.values()].flatMap((variable) =>
      variable.kind === kind ? [{ id: variable.id, variable }] : [],
    )
  }

  value(id: string): TypedValue {
    const variable = this.#variables.get(id)
    if (!variable?.source) {
      return (this.#held.has(id) ? undefined : this.computed(id)) ?? this.#values.get(id) ?? NO_VALUE
    }
    const value = this.sources[variable.source]()
    return typeof value === 'object' ? value : (valueAs(formatOf(variable.value), value) ?? NO_VALUE)
  }

  /**
   * Sets a variable in the format that it has; a list takes a typed value. Throws RangeError when there is no
   * such variable, when the equipment keeps it itself, or when the value does not fit the format.
   */
  set(idOrName: string, value: PlainValue | TypedValue): void {
    const variable = this.find(idOrName)
    if (!variable) throw new RangeError(`no variable has the id or name ${idOrName}`)
    if (variable.source) throw new RangeError(`the equipment keeps ${variable.name} itself`)
    const format = formatOf(variable.value)
    const given = typeof value === 'object' ? value : valueAs(format, value)
    if (given === undefined || formatOf(given) !== format) {
      throw new RangeError(`${JSON.stringify(value)} is no ${format}, which ${variable.name} is`)
    }
    this.#values.set(variable.id, given)
    this.#held.add(variable.id)
    this.changed.emit(variable)
  }

  /** A variable that was set follows its waveform again. */
  release(id: string): void {
    this.#held.delete(id)
  }
}
