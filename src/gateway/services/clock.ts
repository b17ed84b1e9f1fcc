import type { EquipmentClock, NewTime, TimeSet } from '../../contract/equipment-clock.js'
import { Problem } from '../../contract/errors.js'
import type { SendQuery } from '../../contract/messages.js'
import { formatTime, parseTime, wallTime } from '../../gem/time.js'
import type { Clock } from '../../kit/clock.js'
import { verdictOf } from './acknowledged.js'
import type { Asking } from './asking.js'
import type { EquipmentClocks } from './services.js'

/** The clock of an equipment: read (S2F17) and set (S2F31). */
export class GemClocks implements EquipmentClocks {
  constructor(
    private readonly asking: Asking,
    private readonly clock: Clock,
  ) {}

  async read(equipmentId: string, options: SendQuery): Promise<EquipmentClock> {
    const { content, message_id, reply_id } = await this.asking.ask(equipmentId, 'S2F17', {}, options)
    const raw = String(content.TIME)
    const date = parseTime(raw)
    const ahead = date && date.getTime() - this.clock.date().getTime()
    return {
      time: date ? clockTime(raw, date) : null,
      raw,
      difference_seconds: ahead === undefined ? null : ahead / 1000,
      message_id,
      reply_id,
    }
  }

  async set(equipmentId: string, { time, raw: given }: NewTime, options: SendQuery): Promise<TimeSet> {
    if (time !== undefined && given !== undefined) {
      throw new Problem('invalid_request', 'Give time or raw, not both.', {
        errors: [{ pointer: '/raw', detail: 'may not stand beside time' }],
      })
    }
    const raw = given ?? formatTime(time === undefined ? this.clock.date() : new Date(time))
    const said = await this.asking.acknowledge(equipmentId, 'S2F31', { TIME: raw }, options)
    return { tiack: said.code, tiack_text: said.text, raw, ...verdictOf(said) }
  }
}

/** ISO 8601, with an offset where TIME itself has one. */
const clockTime = (raw: string, date: Date): string => (raw.includes('T') ? raw : wallTime(date))
