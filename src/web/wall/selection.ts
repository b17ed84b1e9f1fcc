import { matchesSelector, parseSelector, type Selector } from '../../contract/selector.js'
import type { Tile, Tool } from '../gateway/site.js'
import { TOOL_STATES, type ToolState } from '../gateway/tool-state.js'
import { isSize, type Size } from './sizes.js'

/** What the wall shows, as its address says it. */
export interface Choice {
  /** Words that all have to be found in the name, the labels, the PPID or the lot. */
  readonly search: string
  readonly states: readonly ToolState[]
  /** A label selector of the address, or undefined. */
  readonly selector: Selector | undefined
  /** The label whose values are the groups; empty for one group. */
  readonly groupBy: string
  /** The size of the tiles; undefined: so that they fit. */
  readonly size: Size | undefined
}

export interface Group {
  /** The value of the label; undefined for equipment without it. */
  readonly value: string | undefined
  readonly tools: readonly Tool[]
  readonly urgent: number
}

const collator = new Intl.Collator(undefined, { numeric: true })

/** Reads the choice from the query of an address. Throws `SelectorError` for a selector that cannot be read. */
export function choiceOf(query: URLSearchParams, groupBy: string): Choice {
  const labels = query.get('labels') ?? ''
  const group = query.get('group') ?? groupBy
  const size = query.get('size')
  // A wall screen asks the gateway for its equipment alone; here its selector is only checked.
  const wall = query.get('wall') ?? ''
  if (wall !== '') parseSelector(wall)
  return {
    search: query.get('q') ?? '',
    states: query
      .getAll('state')
      .filter((state): state is ToolState => TOOL_STATES.some((known) => known === state)),
    selector: labels.trim() === '' ? undefined : parseSelector(labels),
    groupBy: group === 'none' ? '' : group,
    size: isSize(size) ? size : undefined,
  }
}

/** Labels that say where equipment stands, as sites name them. */
const PLACES = ['bay', 'area', 'line', 'module', 'zone', 'room', 'building', 'fab']

/** The label by which a wall is grouped unless its address says otherwise: a place, or the one with the fewest values. */
export function usualGroup(tools: readonly Tool[]): string {
  const values = new Map<string, Set<string>>()
  for (const tool of tools)
    for (const [label, value] of Object.entries(tool.tile.peek().labels))
      values.set(label, (values.get(label) ?? new Set()).add(value))
  const [best] = [...values]
    .filter(([, found]) => found.size > 1 && found.size <= Math.max(12, tools.length / 4))
    .sort(([a, x], [b, y]) => rank(a) - rank(b) || x.size - y.size || collator.compare(a, b))
  return best?.[0] ?? ''
}

const rank = (label: string): number => (PLACES.includes(label) ? PLACES.indexOf(label) : PLACES.length)

function hasWords({ name, labels, job }: Tile, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = [name, ...Object.entries(labels).map((label) => label.join('=')), job.ppid, job.lot]
    .join('\n')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The equipment that a choice leaves, whatever its state: the counts of the states are about these. */
export function matching(tools: readonly Tool[], { search, selector }: Choice): readonly Tool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return tools.filter(({ tile }) => {
    const shown = tile.peek()
    return hasWords(shown, words) && (!selector || matchesSelector(selector, shown.labels))
  })
}

export const inStates = (tools: readonly Tool[], states: readonly ToolState[]): readonly Tool[] =>
  states.length === 0 ? tools : tools.filter(({ tile }) => states.includes(tile.peek().state))

export function countStates(tools: readonly Tool[]): ReadonlyMap<ToolState, number> {
  const counts = new Map<ToolState, number>()
  for (const { tile } of tools) counts.set(tile.peek().state, (counts.get(tile.peek().state) ?? 0) + 1)
  return counts
}

/** In the order of the values; equipment without the label comes last. */
export function grouped(tools: readonly Tool[], label: string): readonly Group[] {
  const groups = new Map<string | undefined, Tool[]>()
  for (const tool of tools) {
    const { labels } = tool.tile.peek()
    // The label is typed: every object has a member of the name constructor.
    const value = Object.hasOwn(labels, label) ? labels[label] : undefined
    const group = groups.get(value)
    if (group) group.push(tool)
    else groups.set(value, [tool])
  }
  return [...groups]
    .sort(([a], [b]) => (a === undefined ? 1 : b === undefined ? -1 : collator.compare(a, b)))
    .map(([value, members]) => ({
      value,
      tools: members,
      urgent: members.filter(({ tile }) => ['alarm', 'failing'].includes(tile.peek().state)).length,
    }))
}
