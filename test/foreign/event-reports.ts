import { type AbstractSecs2Item, BOOLEAN, L, U1, U4 } from 'secs4js'
import { bytes, itemsOf } from './foreign-tool.js'

/** A value as a key: identifiers are compared whatever format they have. */
export const keyOf = (item: AbstractSecs2Item | undefined): string => String(item?.value ?? '')

/** Event reports as equipment keeps them: what is defined or linked has to go before it is again. */
export class EventReports {
  readonly #reports = new Map<string, { readonly id: AbstractSecs2Item; readonly variables: string[] }>()
  readonly #links = new Map<string, string[]>()
  readonly #enabled = new Set<string>()

  constructor(
    private readonly events: ReadonlySet<string>,
    private readonly variables: ReadonlySet<string>,
  ) {}

  /** S2F33: DRACK. */
  define(body: AbstractSecs2Item | undefined): AbstractSecs2Item {
    const asked = itemsOf(itemsOf(body)[1]).map(itemsOf)
    if (asked.length === 0) {
      this.#reports.clear()
      this.#links.clear()
    }
    for (const [id, inner] of asked) {
      const variables = itemsOf(inner).map(keyOf)
      if (variables.some((one) => !this.variables.has(one))) return bytes(4)
      if (variables.length > 0 && this.#reports.has(keyOf(id))) return bytes(3)
      if (variables.length === 0) this.#reports.delete(keyOf(id))
      else if (id) this.#reports.set(keyOf(id), { id, variables })
    }
    return bytes(0)
  }

  /** S2F35: LRACK. */
  link(body: AbstractSecs2Item | undefined): AbstractSecs2Item {
    for (const [event, inner] of itemsOf(itemsOf(body)[1]).map(itemsOf)) {
      const reports = itemsOf(inner).map(keyOf)
      if (!this.events.has(keyOf(event))) return bytes(4)
      if (reports.some((one) => !this.#reports.has(one))) return bytes(5)
      if (reports.length > 0 && this.#links.has(keyOf(event))) return bytes(3)
      if (reports.length === 0) this.#links.delete(keyOf(event))
      else this.#links.set(keyOf(event), reports)
    }
    return bytes(0)
  }

  /** S2F37: ERACK. */
  enable(body: AbstractSecs2Item | undefined): AbstractSecs2Item {
    const [flag, inner] = itemsOf(body)
    const asked = itemsOf(inner).map(keyOf)
    if (asked.some((one) => !this.events.has(one))) return bytes(1)
    for (const one of asked.length > 0 ? asked : this.events)
      if (String(flag?.value) === 'true') this.#enabled.add(one)
      else this.#enabled.delete(one)
    return bytes(0)
  }

  /** S6F11 of an event that is enabled. */
  bodyOf(
    event: AbstractSecs2Item,
    valueFor: (variable: string) => AbstractSecs2Item,
  ): AbstractSecs2Item | undefined {
    if (!this.#enabled.has(keyOf(event))) return undefined
    const reports = (this.#links.get(keyOf(event)) ?? []).flatMap((id) => this.#reports.get(id) ?? [])
    return L(U4(0), event, L(...reports.map(({ id, variables }) => L(id, L(...variables.map(valueFor))))))
  }
}

/** ACKA with reasons, as the stranger's two makes write it. */
export const acknowledged = (
  asBoolean: boolean,
  errors: readonly AbstractSecs2Item[] = [],
): AbstractSecs2Item => {
  const done = errors.length === 0
  return L(asBoolean ? BOOLEAN(done) : U1(done ? 1 : 0), L(...errors))
}
