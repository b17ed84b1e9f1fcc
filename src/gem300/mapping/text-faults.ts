import { pointerStep } from '../../kit/text/json-text.js'
import type { MappingFault } from './mapping.js'

/** Each text and each name in a mapping that has a NUL: no name of an event or variable has one. */
export function textFaults(value: unknown, pointer = ''): MappingFault[] {
  const detail = 'has a NUL character (U+0000)'
  if (typeof value === 'string') return value.includes('\0') ? [{ pointer, detail }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name.includes('\0') ? [{ pointer, detail }] : textFaults(inner, pointer + pointerStep(name)),
  )
}
