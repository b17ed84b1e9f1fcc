import { matchesSelector } from '../../contract/selector.js'
import { defined } from '../../kit/defined.js'
import { namePattern } from '../../kit/text/name-pattern.js'
import type { Entry } from '../../store/entry.js'
import type { EquipmentIdentities, Identity } from '../equipment/equipment-identities.js'
import { selectorGiven } from '../equipment/equipment-labels.js'
import type { EquipmentRegistry } from '../equipment/registry.js'
import { IDENTITY } from '../records/journal-kinds.js'
import type { SinkRecord } from './sink-record.js'

/** What knows the equipment of sinks. */
export interface EquipmentParts {
  readonly registry: Pick<EquipmentRegistry, 'ids' | 'identityOf'>
  readonly identities: Pick<EquipmentIdentities, 'all' | 'at'>
}

/** The entries of which a sink delivers those that are of its kinds. */
export interface SinkEntries {
  /** Ids of equipment that it may be about; undefined for all. */
  readonly key?: ReadonlySet<string>
  readonly where?: (entry: Entry) => boolean
}

/** The equipment that a sink is about: by its id, or by the name and labels that it had when something happened. */
export class SinkEquipment {
  readonly #isAll: boolean
  readonly #isMeant: (id: string, identity: Identity) => boolean
  readonly #given: ReadonlySet<string>

  constructor(
    { equipment, label_selector }: Pick<SinkRecord, 'equipment' | 'label_selector'>,
    private readonly parts: EquipmentParts,
  ) {
    const selector = selectorGiven(defined({ label_selector: label_selector ?? undefined }))
    const given = new Set(equipment)
    const patterns = equipment?.map(namePattern)
    this.#isAll = equipment === null && selector === undefined
    // Equipment of an earlier version's time may be deleted without a record of its name.
    this.#given = new Set(selector === undefined ? equipment?.filter((one) => one.startsWith('eq_')) : [])
    this.#isMeant = (id, { name, labels }) =>
      (selector === undefined || matchesSelector(selector, labels)) &&
      (patterns === undefined || given.has(id) || patterns.some((pattern) => pattern.test(name)))
  }

  /** Whether it is about this equipment as it is now. */
  hasNow(id: string): boolean {
    const now = this.parts.registry.identityOf(id)
    return now !== undefined && (this.#isAll || this.#isMeant(id, now))
  }

  /** What to search for, as far as names and labels are known now. Asked before each read. */
  get entries(): SinkEntries {
    if (this.#isAll) return {}
    const { registry, identities } = this.parts
    const key = new Set(this.#given)
    for (const id of registry.ids) if (this.hasNow(id)) key.add(id)
    for (const [id, changes] of identities.all)
      if (changes.some(({ before, now }) => this.#isMeant(id, before) || (now && this.#isMeant(id, now))))
        key.add(id)
    return { key, where: (entry) => this.#isOf(entry) }
  }

  /**
   * Every entry about a rename counts. Another entry counts if one of the names and labels that its equipment had then
   * matches the sink.
   */
  #isOf({ type, key, seq }: Entry): boolean {
    if (type === IDENTITY.type || this.#given.has(key)) return true
    const { registry, identities } = this.parts
    return identities.at(key, seq, registry.identityOf(key)).some((one) => this.#isMeant(key, one))
  }
}
