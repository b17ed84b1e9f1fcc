/** Milliseconds from `now` until the time of a header Retry-After: seconds, or a date. Undefined where it has none to come. */
export function retryAfterMs(header: string | string[] | undefined, now: Date): number | undefined {
  const text = String(header ?? '').trim()
  const ms = /^[0-9]{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return ms > 0 ? ms : undefined
}
