import { Signal } from '../../kit/signal.js'
import { formatOf, isWithin, NO_VALUE, numberIn, type TypedValue, valueAs } from '../typed-value.js'
import type { ConstantUse, EquipmentConstant } from './equipment-model.js'

/** EAC (SEMI E5). */
export type EquipmentAcknowledge = 0 | 1 | 3
const ACCEPTED = 0
const NO_SUCH_CONSTANT = 1
const OUT_OF_RANGE = 3

/** The values of an equipment's constants, which a host may read and set. */
export class Constants {
  readonly changed = new Signal<void>()
  readonly #constants = new Map<string, EquipmentConstant>()
  readonly #values = new Map<string, TypedValue>()
  readonly #used = new Map<ConstantUse, string>()

  constructor(constants: readonly EquipmentConstant[]) {
    for (const constant of constants) {
      this.#constants.set(constant.id, constant)
      this.#values.set(constant.id, constant.value)
      if (constant.use) this.#used.set(constant.use, constant.id)
    }
  }

  /** The constant of this id, or else of this name. */
  find(idOrName: string): EquipmentConstant | undefined {
    const byId = this.#constants.get(idOrName)
    return byId ?? [...this.#constants.values()].find(({ name }) => name === idOrName)
  }

  /** The number that the equipment is to follow; undefined when no constant has it. A truth is 0 or 1. */
  used(use: ConstantUse): number | undefined {
    const id = this.#used.get(use)
    return id === undefined ? undefined : numberIn(this.value(id))
  }

  has(id: string): boolean {
    return this.#constants.has(id)
  }

  /** The constants with these ids, or all for none. Undefined stands for an unknown id. */
  choose(ids: readonly string[]): { id: string; constant: EquipmentConstant | undefined }[] {
    const chosen = ids.length > 0 ? ids : [...this.#constants.keys()]
    return chosen.map((id) => ({ id, constant: this.#constants.get(id) }))
  }

  value(id: string): TypedValue {
    return this.#values.get(id) ?? NO_VALUE
  }

  /** Sets all of them, or none when one cannot be set (S2F15). */
  set(changes: readonly { readonly id: string; readonly text: string }[]): EquipmentAcknowledge {
    const accepted: [string, TypedValue][] = []
    for (const { id, text } of changes) {
      const constant = this.#constants.get(id)
      if (!constant) return NO_SUCH_CONSTANT
      const value = valueAs(formatOf(constant.value), text)
      if (value === undefined || !isWithin(constant, value)) return OUT_OF_RANGE
      accepted.push([id, value])
    }
    for (const [id, value] of accepted) this.#values.set(id, value)
    this.changed.emit()
    return ACCEPTED
  }

  /** Every value, by id. */
  values(): Readonly<Record<string, TypedValue>> {
    return Object.fromEntries(this.#values)
  }

  /** Sets one to a value that it had before; false when it cannot have it any more. */
  restore(id: string, value: TypedValue): boolean {
    const constant = this.#constants.get(id)
    const fits = constant && formatOf(constant.value) === formatOf(value) && isWithin(constant, value)
    if (fits) this.#values.set(id, value)
    return fits === true
  }
}
