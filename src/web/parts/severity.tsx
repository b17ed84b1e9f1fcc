import { SEVERITIES, type Severity } from '../../contract/alarm-severity.js'
import { texts } from '../texts.js'

/** A shape for each severity, so that none is told by its colour alone. Drawn on 16 × 16. */
const SHAPES: Readonly<Record<Severity, string>> = {
  // Octagon, as a stop sign.
  personal_safety: 'M4.9.6h6.2l4.3 4.3v6.2l-4.3 4.3H4.9L.6 11.1V4.9zM7 3.4h2v5.4H7zm0 6.8h2v2.2H7z',
  // Shield.
  equipment_safety:
    'M8 .6 14.4 3v5c0 3.6-2.6 6.2-6.4 7.4C4.2 14.2 1.6 11.6 1.6 8V3zM7 4h2v4.6H7zm0 5.8h2v2H7z',
  // Triangle with an exclamation mark, and without.
  error: 'M8 .9 15.8 14.8H.2zM7.1 5.6h1.8v4.5H7.1zm0 5.6h1.8V13H7.1z',
  warning: 'M8 .9 15.8 14.8H.2zM8 5 3.6 12.9h8.8z',
  // Square with an exclamation mark.
  other: 'M1.2 1.2h13.6v13.6H1.2zM7 3.6h2v5.2H7zm0 6.6h2v2.2H7z',
  // Circle with an i.
  notice: 'M8 .8a7.2 7.2 0 1 0 0 14.4A7.2 7.2 0 0 0 8 .8zM7 6.8h2v5.4H7zm0-3.2h2v2.2H7z',
}

export function SeverityMark({ severity }: { readonly severity: Severity }) {
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d={SHAPES[severity]} />
    </svg>
  )
}

/** Its sign and its word. */
export function SeverityWord({ severity }: { readonly severity: Severity }) {
  return (
    <span class={`severity severity-${severity}`}>
      <SeverityMark severity={severity} /> {texts.severities[severity]}
    </span>
  )
}

/** Below an error: the tile of such an alarm is not red. */
export const isMinor = (severity: Severity | undefined): boolean =>
  severity !== undefined && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf('warning')
