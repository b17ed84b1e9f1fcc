import { Problem } from '../../contract/errors.js'
import type { clockEndpoints } from '../../contract/topics/clock.js'
import { formatTime, parseTime, wallTime } from '../../gem/time.js'
import type { Handlers } from '../handler.js'
import { verdict } from './verdict.js'

/** The clock of an equipment: read (S2F17) and set (S2F31). */
export const clockHandlers: Handlers<typeof clockEndpoints> = {
  async getClock({ params: { id }, query }, { asking, clock }) {
    const { content, message_id, reply_id } = await asking.ask(id, 'S2F17', {}, query)
    const raw = String(content.TIME)
    const date = parseTime(raw)
    return {
      time: date ? clockTime(raw, date) : null,
      raw,
      difference_seconds: date ? (date.getTime() - clock.date().getTime()) / 1000 : null,
      message_id,
      reply_id,
    }
  },

  async setClock({ params: { id }, send, body: { time, raw: given } }, { asking, clock }) {
    if (time !== undefined && given !== undefined) {
      throw new Problem('invalid_request', 'Give time or raw, not both.', {
        errors: [{ pointer: '/raw', detail: 'may not stand beside time' }],
      })
    }
    const raw = given ?? formatTime(time === undefined ? clock.date() : new Date(time))
    return { raw, ...verdict('tiack', await asking.acknowledge(id, 'S2F31', { TIME: raw }, send)) }
  },
}

/** ISO 8601, with an offset where TIME itself has one. */
const clockTime = (raw: string, date: Date): string => (raw.includes('T') ? raw : wallTime(date))
