import { texts } from '../texts.js'

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const dayKey = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' })

/** A time of the gateway in local time, with the day where it is not `today`; UTC on hover. */
export function Time({ at, today }: { readonly at: string; readonly today?: Date }) {
  const date = new Date(at)
  const isToday = today === undefined || dayKey.format(date) === dayKey.format(today)
  return (
    <time dateTime={at} title={texts.utc(at.replace('T', ' ').replace('Z', ''))}>
      {isToday ? time.format(date) : `${day.format(date)}, ${time.format(date)}`}
    </time>
  )
}
