import type { Live } from '../gateway/live.js'

/** The names of equipment, in words; the id of one that is not known here. */
export const namesOf = (ids: readonly string[], { site }: Pick<Live, 'site'>): string =>
  ids.map((id) => site.tools.value.find((tool) => tool.id === id)?.record.name ?? id).join(', ')
