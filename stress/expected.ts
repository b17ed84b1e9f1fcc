import type { Alarm } from '../src/contract/topics/alarms.js'
import type { Entry } from '../src/store/entry.js'

interface ExpectedAlarm {
  active: boolean
  count: number
  acknowledged: boolean
}

interface ExpectedKey {
  messageId?: string
  body?: unknown
}

/** What a gateway has to know by what is on disk, worked out in the plainest way. */
export class Expected {
  readonly alarms = new Map<number, ExpectedAlarm>()
  /** By their fingerprints, which are their names here. */
  readonly keys = new Map<string, ExpectedKey>()
  readonly #names = new Map<string, string>()
  /** Primaries that have an end. */
  readonly ended: number[] = []
  last = 0

  take({ seq, type, name, data }: Entry): void {
    if (seq <= this.last) return
    if (seq !== this.last + 1) throw new Error(`${seq} follows ${this.last}`)
    this.last = seq
    if (type === 'alarm' && data['alarm_id'] !== null) this.#alarm(seq, name, Number(data['alarm_id']))
    if (name === 'message_ended') this.ended.push(Number(data['message_id']))
    if (type !== 'idempotency') return
    const id = String(data['id'])
    if (name === 'began') {
      this.#names.set(id, String(data['fingerprint']))
      this.keys.set(String(data['fingerprint']), {})
    }
    const key = this.keys.get(this.#names.get(id) ?? '')
    if (key && name === 'noted') key.messageId = String(data['message_id'])
    if (key && name === 'ended') key.body = data['body']
  }

  /** `first`: the oldest entry that is kept. */
  alarmFaults(found: readonly Alarm[], first: number): string[] {
    const wrong: string[] = []
    const byId = new Map(found.map((alarm) => [Number(alarm.id), alarm]))
    if (byId.size !== found.length) wrong.push('an alarm is in two pages')
    for (const [id, { active, count, acknowledged }] of this.alarms) {
      const alarm = byId.get(id)
      byId.delete(id)
      const isOver = !active && acknowledged
      if (!alarm && isOver && id < first) this.alarms.delete(id)
      else if (alarm?.active !== active || alarm.count !== count || alarm.acknowledged !== acknowledged) {
        wrong.push(`alarm ${id}: ${JSON.stringify(alarm)}, not ${JSON.stringify(this.alarms.get(id))}`)
      }
    }
    for (const id of byId.keys()) wrong.push(`there never was an alarm ${id}`)
    return wrong
  }

  #alarm(seq: number, name: string, id: number): void {
    if (name === 'alarm_set' && seq === id) {
      this.alarms.set(id, { active: true, count: 1, acknowledged: false })
      return
    }
    const alarm = this.alarms.get(id)
    if (!alarm) throw new Error(`${seq} is about alarm ${id}, which there never was`)
    if (name === 'alarm_set') alarm.count++
    if (name === 'alarm_cleared') alarm.active = false
    if (name === 'alarm_acknowledged') alarm.acknowledged = true
  }
}
