const two = (value: number): string => String(value).padStart(2, '0')

/** A time of the gateway's as people here read it: local, to the second, the day left out when it is today. */
export function localTime(iso: string | null, now: Date): string {
  if (iso === null) return ''
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
  if (time.toDateString() === now.toDateString()) return clock
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`
}
