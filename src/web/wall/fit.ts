import type { Tool } from '../gateway/site.js'
import type { Group } from './selection.js'
import { SIZES, type Size } from './sizes.js'

export const GAP = 0.45
/** Of a group: its heading, and the space below the group. */
const HEADING = 1.75
const SPACE = 0.55

export interface Area {
  /** In rem. */
  readonly width: number
  readonly height: number
}

export const columnsOf = (size: Size, { width }: Area): number =>
  Math.max(1, Math.floor((width + GAP) / (SIZES[size].width + GAP)))

/** A group, or as much of it as fits on a page, and the columns that it takes. */
export interface PlacedGroup extends Group {
  readonly columns: number
}

const rowHeight = (size: Size): number => SIZES[size].height + GAP

/**
 * Puts groups beside each other from left to right, as the style's grid does: a group that has no room left in a row
 * begins the next one. A new page begins where the next row of tiles is beyond `height`; a group is cut there. `widest`:
 * the most columns of one group, so that large groups share rows, too.
 */
export function pagesOf(
  groups: readonly Group[],
  size: Size,
  columns: number,
  height: number,
  widest = columns,
): readonly (readonly PlacedGroup[])[] {
  const headingHeight = groups.length > 1 || groups[0]?.value !== undefined ? HEADING : 0
  const pages: PlacedGroup[][] = [[]]
  let top = 0
  let column = 0
  /** Of the groups in this row. */
  let tallest = 0
  const newRow = (): void => {
    top += tallest
    column = 0
    tallest = 0
  }
  for (const group of groups) {
    let left: readonly Tool[] = group.tools
    do {
      const span = Math.min(left.length, widest)
      if (column + span > columns) newRow()
      const room = Math.floor((height - top - headingHeight) / rowHeight(size))
      if (room < 1 && top > 0) {
        newRow()
        top = 0
        pages.push([])
        continue
      }
      const rows = Math.max(1, Math.min(room, Math.ceil(left.length / span)))
      const tools = left.slice(0, rows * span)
      pages.at(-1)?.push({ ...group, tools, columns: span })
      left = left.slice(tools.length)
      tallest = Math.max(tallest, headingHeight + rows * rowHeight(size) + SPACE)
      column += span
      if (left.length > 0) {
        newRow()
        top = Math.max(top, height)
      }
    } while (left.length > 0)
  }
  return pages
}

const SIZE_NAMES = Object.keys(SIZES) as Size[]

/** The largest tiles with which all groups fit into the area, down to `smallest`, which is taken if none does. */
export function sizeFor(groups: readonly Group[], area: Area, smallest: Size): Size {
  const allowed = SIZE_NAMES.slice(0, SIZE_NAMES.indexOf(smallest))
  return allowed.find((size) => pagesBeside(groups, size, area, 1) === 1) ?? smallest
}

/** How many large groups may share a row. */
const BESIDE = [1, 2, 3, 4] as const

/** The columns of a screen on which so many large groups share a row, and the most columns of one of them. */
export function gridOf(
  size: Size,
  area: Area,
  beside: number,
): { readonly columns: number; readonly widest: number } {
  const all = columnsOf(size, area)
  const widest = Math.max(1, Math.floor(all / beside))
  // What is left over makes the tiles wider.
  return { columns: beside === 1 ? all : Math.min(all, widest * beside), widest }
}

function pagesBeside(groups: readonly Group[], size: Size, area: Area, beside: number): number {
  const { columns, widest } = gridOf(size, area, beside)
  return pagesOf(groups, size, columns, area.height, widest).length
}

/** How far tiles are enlarged, or made smaller where they would not fit otherwise. */
const MAX_ZOOM = 1.8
const MIN_ZOOM = 0.85
const ZOOM_STEP = 0.05

export interface Fit {
  readonly size: Size
  readonly zoom: number
  /** How many large groups share a row. */
  readonly beside: number
}

/** How tiles fill a screen: those that show most, as large as they fit; with `only`, those of one size. */
export function filling(groups: readonly Group[], area: Area, only?: Size): Fit {
  for (const size of only ? [only] : SIZE_NAMES) {
    for (let zoom = MAX_ZOOM; zoom >= MIN_ZOOM; zoom -= ZOOM_STEP) {
      const beside = BESIDE.find((many) => pagesBeside(groups, size, zoomed(area, zoom), many) === 1)
      if (beside !== undefined) return { size, zoom, beside }
    }
  }
  const size = only ?? 'xs'
  const pages = BESIDE.map((many) => pagesBeside(groups, size, area, many))
  return { size, zoom: 1, beside: BESIDE[pages.indexOf(Math.min(...pages))] ?? 1 }
}

/** An area as tiles see it that are enlarged. */
export const zoomed = ({ width, height }: Area, zoom: number): Area => ({
  width: width / zoom,
  height: height / zoom,
})
