import { Problem } from '../../contract/errors.js'
import {
  type Labels,
  MAX_SELECTOR,
  matchesSelector,
  parseSelector,
  type Selector,
  SelectorError,
} from '../../contract/selector.js'
import { type Keys, keysOf } from '../records/journal-page.js'

/** That of a query, and with it that of a caller who is restricted. */
const MAX_NARROWED = 2 * MAX_SELECTOR + 1

/** The members of a query that narrow it to equipment. */
interface Narrowing {
  readonly equipment_id?: string | readonly string[]
  readonly label_selector?: string
}

/** Throws `invalid_request` for a selector that cannot be read. `pointer`: where it was given. */
export function selectorGiven(
  { label_selector }: { readonly label_selector?: string | null },
  pointer = 'label_selector',
): Selector | undefined {
  if (label_selector === undefined || label_selector === null) return undefined
  try {
    return parseSelector(label_selector, MAX_NARROWED)
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error
    const detail = `cannot be read: ${error.message}`
    throw new Problem('invalid_request', `label_selector ${detail}.`, {
      errors: [{ pointer, detail }],
    })
  }
}

export const equipmentNotFound = (id: string): Problem =>
  new Problem('equipment_not_found', `There is no equipment ${id}.`, {
    next: [{ operation: 'listEquipment' }],
  })

/** The labels of the equipment that is registered. */
export class EquipmentLabels {
  readonly #labels = new Map<string, Labels>()
  /** Increases with every change. */
  #version = 0

  set(id: string, labels: Labels): void {
    if (this.#labels.get(id) === labels) return
    this.#labels.set(id, labels)
    this.#version++
  }

  delete(id: string): void {
    this.#labels.delete(id)
    this.#version++
  }

  /** Of equipment that is registered. */
  of(id: string): Labels | undefined {
    return this.#labels.get(id)
  }

  /**
   * The equipment that a query is about; undefined if it is about all. Each call of the function follows the labels
   * that the equipment has then. Throws `invalid_request` for a selector that cannot be read.
   */
  selection(query: Narrowing): () => Keys | undefined {
    const named = query.equipment_id === undefined ? undefined : keysOf(query.equipment_id)
    const selector = selectorGiven(query)
    if (selector === undefined) return () => named
    const ids = typeof named === 'string' ? new Set([named]) : named
    let version = -1
    let selected: ReadonlySet<string> = new Set()
    return () => {
      if (version !== this.#version) {
        version = this.#version
        const matching = [...this.#labels].filter(([, labels]) => matchesSelector(selector, labels))
        selected = new Set(matching.map(([id]) => id).filter((id) => ids === undefined || ids.has(id)))
      }
      return selected
    }
  }
}
