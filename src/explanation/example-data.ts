import { type Catalogue, CatalogueError } from '../catalogue/catalogue.js'
import type { Structure } from '../catalogue/structure/structure.js'
import { shellWord } from '../kit/shell-word.js'

type Data = Readonly<Record<string, unknown>>

/** A value for each part of a message that has to be given. */
function exampleOf(structure: Structure): Data {
  switch (structure.kind) {
    case 'nothing':
      return {}
    case 'item':
    case 'items':
      return { [structure.name]: '1' }
    case 'list':
      return structure.mayBeEmpty ? {} : Object.assign({}, ...structure.members.map(exampleOf))
    case 'group':
      return { [structure.name]: [] }
    case 'choice':
      return exampleOf(structure.alternatives[0])
  }
}

/**
 * The words after `send EQ` for a message of the host with made-up values, which can be built; undefined where no such
 * values are found.
 */
export function exampleWords(catalogue: Catalogue, stream: number, fn: number): string | undefined {
  const row = catalogue.find(stream, fn, 'host')
  if (!row) return undefined
  const data = exampleOf(catalogue.structures(row)[0])
  try {
    catalogue.buildAny(stream, fn, data, { sender: 'host' })
  } catch (error) {
    if (error instanceof CatalogueError) return undefined
    throw error
  }
  const items = Object.entries(data).map(([name, value]) =>
    shellWord(typeof value === 'string' ? `${name}=${value}` : `${name}:=${JSON.stringify(value)}`),
  )
  return [`S${stream}F${fn}`, ...items].join(' ')
}
