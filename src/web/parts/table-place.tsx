import type { ComponentChildren } from 'preact'

/** The place of a table that may be wider: the keyboard scrolls it as well. */
export const TablePlace = ({
  name,
  children,
}: {
  readonly name: string
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a table without links cannot be scrolled by keys
  <section class="table-place" aria-label={name} tabIndex={0}>
    {children}
  </section>
)
