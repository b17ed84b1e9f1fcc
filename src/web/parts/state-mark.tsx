import type { ToolState } from '../gateway/tool-state.js'

/** A shape for each state, so that none is told by its colour alone. Drawn on 16 × 16. */
const SHAPES: Readonly<Record<ToolState | 'nodata', string>> = {
  // Filled circle.
  remote: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z',
  // Circle with a dot.
  online:
    'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm0 2.2a4.3 4.3 0 1 1 0 8.6 4.3 4.3 0 0 1 0-8.6zm0 2.1a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z',
  // A person: the operator has it.
  local: 'M8 1.2a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4zM1.8 14.6c0-3.6 2.6-5.6 6.2-5.6s6.2 2 6.2 5.6z',
  // Square.
  offline: 'M2.2 2.2h11.6v11.6H2.2z',
  // Diamond.
  degraded: 'M8 .8 15.2 8 8 15.2.8 8z',
  // Diamond with an exclamation mark.
  failing: 'M8 .3 15.7 8 8 15.7.3 8zM7 4.2h2v4.6H7zm0 5.8h2v2H7z',
  // Triangle with an exclamation mark.
  alarm: 'M8 .9 15.8 14.8H.2zM7.1 5.6h1.8v4.5H7.1zm0 5.6h1.8V13H7.1z',
  // Three dots.
  connecting: 'M1 6.5h3.4v3.4H1zm5.3 0h3.4v3.4H6.3zm5.3 0H15v3.4h-3.4z',
  // Cross.
  disconnected: 'm2.2 3.6 1.4-1.4L8 6.6l4.4-4.4 1.4 1.4L9.4 8l4.4 4.4-1.4 1.4L8 9.4l-4.4 4.4-1.4-1.4L6.6 8z',
  // Dash.
  disabled: 'M2 6.8h12v2.4H2z',
  // Question mark.
  nodata:
    'M4 5.4C4 3 5.7 1.4 8.1 1.4s4.1 1.5 4.1 3.8c0 1.8-1 2.7-2 3.4-.8.6-1 .9-1 1.6v.4H7v-.6c0-1.5.8-2.3 1.8-3 .8-.6 1.1-1 1.1-1.7 0-1-.7-1.7-1.8-1.7S6.3 4.3 6.3 5.4zM6.9 12.1h2.4v2.5H6.9z',
}

export function StateMark({ state }: { readonly state: ToolState | 'nodata' }) {
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d={SHAPES[state]} />
    </svg>
  )
}
