const two = (number: number): string => String(number).padStart(2, '0')

/** A time as the fields of a form have it: local, in minutes. */
export function localTime(at: number): string {
  const date = new Date(at)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** A time in an address for a local time of a form: UTC, in minutes. Empty for none. */
export function addressTime(local: string): string {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime()) ? '' : `${at.toISOString().slice(0, 16)}Z`
}
