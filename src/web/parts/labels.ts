import { parseSelector, type Selector, SelectorError } from '../../contract/selector.js'
import type { Tool } from '../gateway/site.js'

const collator = new Intl.Collator(undefined, { numeric: true })

/** All labels of the equipment, each with its values. */
export function labelValues(tools: readonly Tool[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  for (const { tile } of tools)
    for (const [label, value] of Object.entries(tile.peek().labels))
      found.set(label, (found.get(label) ?? new Set()).add(value))
  return new Map(
    [...found]
      .sort(([a], [b]) => collator.compare(a, b))
      .map(([label, values]) => [label, [...values].sort(collator.compare)]),
  )
}

/** The requirements `label=value` of a selector that the filter of a page has made; none of any other selector. */
export function labelsChosen(selector: string): ReadonlyMap<string, string> {
  const parts = selector.split(',').map((part) => /^([\w.-]+)\s*=\s*([\w.-]*)$/.exec(part.trim()))
  return parts.every((part) => part !== null)
    ? new Map(parts.map(([, key = '', value = '']) => [key, value]))
    : new Map()
}

/** The selector that this text is; without a text, and where it cannot be read (`fault`), everything is selected. */
export function selectorOf(text: string): { readonly selector?: Selector; readonly fault?: string } {
  try {
    return text.trim() === '' ? {} : { selector: parseSelector(text) }
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error
    return { fault: error.message }
  }
}
