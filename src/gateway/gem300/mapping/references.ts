import type { MappedReference } from '../../../gem300/mapping/compiled-mapping.js'
import type { MappingFault } from '../../../gem300/mapping/mapping.js'
import { listed } from '../../../kit/text/listed.js'
import type { EquipmentKnowledge, NamedKind } from '../../knowledge/equipment-knowledge.js'

const MOST_LISTED = 10

/** What is named, and the lists that have all of them. */
const KINDS = {
  event: ['events', 'collection event', ['S1F23']],
  variable: ['variables', 'variable', ['S1F11', 'S1F21']],
} as const satisfies Record<MappedReference['kind'], readonly [NamedKind, string, readonly string[]]>

/** The number of what a name or number refers to; undefined where that is not known. */
export function idOfReference(
  { kind, reference }: Pick<MappedReference, 'kind' | 'reference'>,
  known: EquipmentKnowledge,
): string | undefined {
  const [names] = KINDS[kind]
  const given = String(reference)
  return known[names].has(given) ? given : (known.idOf(names, given) ?? numberIn(given))
}

const numberIn = (given: string): string | undefined => (/^\d+$/.test(given) ? given : undefined)

/**
 * What the equipment does not have, with the sentence that says so, and what cannot be judged, since the equipment has not
 * given its names.
 */
export function judgedReferences(
  references: readonly MappedReference[],
  known: EquipmentKnowledge,
  equipment: string,
): { readonly faults: readonly MappingFault[]; readonly unknown: readonly string[] } {
  const faults: MappingFault[] = []
  const unknown = new Set<string>()
  for (const { kind, reference, pointer } of references) {
    const [names, word, lists] = KINDS[kind]
    const given = String(reference)
    if (known[names].has(given) || known.idOf(names, given) !== undefined) continue
    const several = known.idsOf(names, given)
    const whole = lists.every((list) => known.hasWhole(list) || known.isRefused(list))
    const isComplete = lists.every((list) => known.hasWhole(list))
    if (several.length > 1)
      faults.push({
        pointer,
        detail: `${equipment} has several of the name ${given}: ${listed(several, MOST_LISTED)}; give the number`,
      })
    else if (isComplete || (whole && known.hasWhole(lists[0]) && numberIn(given) === undefined))
      faults.push({
        pointer,
        detail: `${equipment} has no ${word} ${numberIn(given) === undefined ? 'named ' : ''}${given}`,
      })
    else unknown.add(given)
  }
  return { faults, unknown: [...unknown] }
}
