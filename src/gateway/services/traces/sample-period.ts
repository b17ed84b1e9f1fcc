const HUNDREDTHS_AN_HOUR = 360_000
const HUNDREDTHS_A_MINUTE = 6000

/** DSPER of a period in seconds: hhmmss, or hhmmsscc where it has hundredths. Undefined for one finer than that. */
export function periodText(seconds: number): string | undefined {
  const hundredths = Math.round(seconds * 100)
  if (Math.abs(hundredths - seconds * 100) > 1e-6) return undefined
  const parts = [
    Math.floor(hundredths / HUNDREDTHS_AN_HOUR),
    Math.floor((hundredths % HUNDREDTHS_AN_HOUR) / HUNDREDTHS_A_MINUTE),
    Math.floor((hundredths % HUNDREDTHS_A_MINUTE) / 100),
  ]
  const rest = hundredths % 100
  return [...parts, ...(rest > 0 ? [rest] : [])].map((part) => String(part).padStart(2, '0')).join('')
}

/** A DSPER in seconds; undefined for a text of another form. */
export function periodOf(text: string): number | undefined {
  const parts = /^([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})?$/.exec(text)?.slice(1)
  if (!parts) return undefined
  const [hours = 0, minutes = 0, seconds = 0, rest = 0] = parts.map((part) => Number(part ?? 0))
  return (hours * HUNDREDTHS_AN_HOUR + minutes * HUNDREDTHS_A_MINUTE + seconds * 100 + rest) / 100
}
