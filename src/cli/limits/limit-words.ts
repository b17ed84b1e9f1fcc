import { wrongUsage } from '../errors/failure.js'

/** LIMITID, one byte. */
export function limitId(text: string): number {
  if (/^[0-9]{1,3}$/.test(text) && Number(text) <= 255) return Number(text)
  throw wrongUsage(`"${text}" is no LIMITID: it is a number from 0 to 255`)
}

/** `1=75..80`. */
export function limitGiven(text: string): { limit_id: number; lower: string; upper: string } {
  const [, id, lower, upper] = /^([^=]*)=(.+?)\.\.(.+)$/.exec(text) ?? []
  if (id === undefined || lower === undefined || upper === undefined)
    throw wrongUsage(`"${text}" is no limit: write LIMITID=LOWER..UPPER, such as 1=75..80`)
  return { limit_id: limitId(id), lower, upper }
}
