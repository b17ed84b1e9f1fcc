import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** The height of a row that was not shown yet, in CSS pixels. */
const USUAL_HEIGHT = 36
/** Heights that are kept; more are forgotten together. */
const MAX_KNOWN = 5000

interface Props<Row> {
  readonly name: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** A `<li>` with the key of the row. */
  readonly children: (row: Row) => ComponentChildren
}

/** The first and last row that are rendered, and the heights of all before and after them. */
export interface Rendered {
  readonly first: number
  readonly end: number
  readonly before: number
  readonly after: number
}

/** Which rows are rendered of a list: those between `top` and `bottom`, both from the upper edge of the list. */
export function renderedOf(heights: readonly number[], top: number, bottom: number): Rendered {
  let [first, before] = [0, 0]
  while (first < heights.length && before + (heights[first] ?? 0) <= top) before += heights[first++] ?? 0
  let [end, shown] = [first, 0]
  while (end < heights.length && before + shown < bottom) shown += heights[end++] ?? 0
  let after = 0
  for (let at = end; at < heights.length; at++) after += heights[at] ?? 0
  return { first, end, before, after }
}

/** A long list in the document, of which only the rows near to what is seen are rendered; on paper, all of them. */
export function VirtualList<Row>({ name, rows, keyOf, children }: Props<Row>) {
  const list = useRef<HTMLOListElement>(null)
  const known = useRef(new Map<string, number>())
  const place = useSignal({ top: 0, height: innerHeight })
  const isPrinted = useSignal(false)
  const measured = useSignal(0)
  measured.value

  useEffect(() => {
    const look = (): void => {
      const top = -(list.current?.getBoundingClientRect().top ?? 0)
      // So far away, other rows are rendered.
      const step = innerHeight / 4
      const next = { top: Math.floor(top / step) * step, height: innerHeight }
      const { value } = place
      if (next.top !== value.top || next.height !== value.height) place.value = next
    }
    const resize = (): void => {
      known.current.clear()
      measured.value++
      look()
    }
    const print = ({ type }: Event): void => {
      isPrinted.value = type === 'beforeprint'
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', resize)
    for (const event of ['beforeprint', 'afterprint']) addEventListener(event, print)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', resize)
      for (const event of ['beforeprint', 'afterprint']) removeEventListener(event, print)
    }
  }, [])

  const heightOf = (row: Row): number => known.current.get(keyOf(row)) ?? USUAL_HEIGHT
  const { top, height } = place.value
  const reach = isPrinted.value ? Number.POSITIVE_INFINITY : height
  const { first, end, before, after } = renderedOf(rows.map(heightOf), top - reach, top + height + reach)
  const rendered = rows.slice(first, end)

  useLayoutEffect(() => {
    const items = list.current?.children ?? []
    if (known.current.size > MAX_KNOWN) known.current.clear()
    let isOther = false
    for (const [at, row] of rendered.entries()) {
      const now = items[at]?.getBoundingClientRect().height ?? USUAL_HEIGHT
      isOther ||= Math.abs(now - heightOf(row)) >= 1
      known.current.set(keyOf(row), now)
    }
    if (isOther) measured.value++
  })

  return (
    <ol
      class="event-list is-virtual"
      aria-label={name}
      ref={list}
      style={{ paddingTop: `${before}px`, paddingBottom: `${after}px` }}
    >
      {rendered.map(children)}
    </ol>
  )
}
