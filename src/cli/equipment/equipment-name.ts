import { Problem } from '../../contract/errors.js'
import { listed } from '../../kit/text/listed.js'
import { wrongUsage } from '../errors/failure.js'

const MAX_NAMES = 5

export interface Named {
  readonly id: string
  readonly name: string
}

/** As people look for it: tool2 before tool10. */
export const byName = <T extends Pick<Named, 'name'>>(equipment: readonly T[]): T[] =>
  equipment.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))

/** The equipment that a name, an id, or a beginning of either means, when only one has it. Names compare after NFC. */
export function equipmentNamed<T extends Named>(given: string, all: readonly T[]): T {
  const text = given.normalize()
  const exact = all.find(({ id }) => id === given) ?? all.find(({ name }) => name.normalize() === text)
  if (exact) return exact
  const begun =
    given === ''
      ? []
      : all.filter(({ id, name }) => id.startsWith(given) || name.normalize().startsWith(text))
  const [only, ...more] = begun
  if (!only) throw new Problem('equipment_not_found', `There is no equipment "${given}".`)
  if (more.length === 0) return only
  const names = byName(begun).map(({ name, id }) => `${name} (${id})`)
  throw wrongUsage(
    `"${given}" could be any of ${listed(names, MAX_NAMES)}`,
    'give more of the name, or the id',
  )
}
