import type { Structure } from './structure.js'

/** Whether what is read by `structure` has every name that `wanted` has, for values of the same shape. */
export function coversShape(structure: Structure, wanted: Structure): boolean {
  const shape = shapeOf(structure)
  return [...shapeOf(wanted)].every(([name, kind]) => shape.get(name) === kind)
}

/** The shape of each name: a value, values, or the shape of its rows. */
function shapeOf(structure: Structure): ReadonlyMap<string, string> {
  switch (structure.kind) {
    case 'nothing':
      return new Map()
    case 'item':
      return new Map([[structure.name, structure.many ? 'values or value' : 'value']])
    case 'items':
      return new Map([[structure.name, 'values']])
    case 'group':
      return new Map([[structure.name, JSON.stringify([...shapeOf(structure.member)].sort())]])
    case 'list':
      return new Map(structure.members.flatMap((member) => [...shapeOf(member)]))
    case 'choice':
      return new Map([['|', JSON.stringify(structure.alternatives.map((one) => [...shapeOf(one)].sort()))]])
  }
}
