const two = (value: number): string => String(value).padStart(2, '0')

/** Formats a time of the gateway for people; the empty string for null. */
export type FormatTime = (iso: string | null) => string

/** A time as people here read it: local, to the second, the day left out when it is today. */
export function localTime(iso: string, now: Date): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
  if (time.toDateString() === now.toDateString()) return clock
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`
}
