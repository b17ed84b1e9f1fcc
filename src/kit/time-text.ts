const RFC_3339 =
  /^(\d{4}-\d\d-(\d\d))T((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d{1,9})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i
const SECOND_MS = 1000
const DAY_MS = 24 * 60 * 60 * SECOND_MS

/**
 * The moment that an RFC 3339 time names, in milliseconds since 1970; undefined for any other text, also for a
 * day that does not exist. A leap second, which can only be the last of a month in UTC, is the second after it.
 */
export function momentOf(text: string): number | undefined {
  const [, date = '', day, minute = '', second = '', fraction = '', offset = ''] = RFC_3339.exec(text) ?? []
  if (day === undefined || new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(day)) return undefined
  const isLeap = second === '60'
  const written = `${date}T${minute}:${isLeap ? '59' : second}${fraction}${offset.toUpperCase()}`
  const moment = Date.parse(written) + (isLeap ? SECOND_MS : 0)
  return isLeap && !beginsMonth(moment) ? undefined : moment
}

/** True within the first second of a month in UTC. */
function beginsMonth(moment: number): boolean {
  const intoDay = ((moment % DAY_MS) + DAY_MS) % DAY_MS
  return intoDay < SECOND_MS && new Date(moment).getUTCDate() === 1
}

/** The last time that was written or read: many entries in a row have the same. */
let lastTime = 0
let lastText = new Date(lastTime).toISOString()

/** ISO 8601, UTC, with milliseconds. `time`: in milliseconds since 1970. */
export function instantText(time: number): string {
  if (time !== lastTime) {
    lastText = new Date(time).toISOString()
    lastTime = time
  }
  return lastText
}

/** The same time in milliseconds; undefined for a text in another notation. */
export function readInstant(text: string): number | undefined {
  if (text === lastText) return lastTime
  const time = Date.parse(text)
  return Number.isFinite(time) && instantText(time) === text ? time : undefined
}
