import { steeringEscaped } from '../../kit/steering.js'

/** A JSON text that means the same wherever it is read, and steers no terminal where it is shown. */
export const jsonText = (value: unknown, indent?: number): string =>
  steeringEscaped(JSON.stringify(value, undefined, indent))
