import { defined } from '../../kit/defined.js'
import { namePattern } from '../../kit/text/name-pattern.js'
import type { EquipmentRegistry } from '../equipment/registry.js'
import type { Keys } from '../records/journal-page.js'
import type { SinkRecord } from './sink-record.js'

/** The equipment that a sink is about, as it is named and labelled at each call; undefined for all. */
export function equipmentOf(
  { equipment, label_selector }: Pick<SinkRecord, 'equipment' | 'label_selector'>,
  registry: Pick<EquipmentRegistry, 'labels' | 'allKnown'>,
): () => Keys | undefined {
  const selected =
    label_selector === null ? undefined : registry.labels.selection(defined({ label_selector }))
  if (equipment === null) return selected ?? (() => undefined)
  const given = new Set(equipment)
  const patterns = equipment.map(namePattern)
  return () => {
    const among = selected?.()
    const isSelected = (id: string): boolean => isAmong(id, among)
    const ids = registry.allKnown().flatMap(({ id, name }) => {
      const isMeant = given.has(id) || patterns.some((pattern) => pattern.test(name))
      return isMeant ? [id] : []
    })
    // Ids of equipment that was deleted: their events are delivered, too.
    return new Set([...ids, ...equipment.filter((one) => one.startsWith('eq_'))].filter(isSelected))
  }
}

/** `keys`: undefined for all equipment. */
export const isAmong = (id: string, keys: Keys | undefined): boolean =>
  keys === undefined || (typeof keys === 'string' ? keys === id : keys.has(id))
