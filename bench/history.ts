import { encodeBody } from '../src/secs2/encode.js'
import { A, B, type Item, L, U4 } from '../src/secs2/item.js'
import type { NewEntry } from '../src/store/entry.js'
import { messageEntry } from '../test/gateway/wire/wire-records.js'

export const EQUIPMENT = 20
export const START = Date.UTC(2026, 0, 1)
/** Milliseconds from one record to the next. */
export const STEP = 50

export const equipmentOf = (n: number): string => `eq_${String(n % EQUIPMENT).padStart(10, '0')}`
export const timeOf = (seq: number): string => new Date(START + seq * STEP).toISOString()

const REPORT = L(U4(1), U4(4711), L(L(U4(1), L(A('LOT-4711'), A('WAFER-07'), U4(12), U4(7)))))
const COMMAND = L(A('START'), L(L(A('LOTID'), A('LOT-4711'))))

/**
 * What a fab's day leaves in a journal, without end: event reports and their answers, now and then a command, an
 * alarm that is set, cleared and acknowledged, and a change of state. Each step is appended as one.
 */
export function* history(): Generator<(first: number) => readonly NewEntry[]> {
  const alarms: { id: number; key: string; alid: string }[] = []
  for (let turn = 0; ; turn++) {
    const key = equipmentOf(turn * 7)
    yield (seq) => exchange(key, seq, 'received', [6, 11, REPORT], [6, 12, B(0)])
    if (turn % 21 === 0) {
      yield (seq) => [
        ...exchange(key, seq, 'sent', [2, 41, COMMAND], [2, 42, L(B(0), L())]),
        about(key, seq + 2, 'message', 'message_ended', {
          message_id: String(seq),
          outcome: 'replied',
          reply_id: String(seq + 1),
          latency_ms: 3.2,
          s9: null,
        }),
      ]
    }
    if (turn % 23 === 0) {
      yield (seq) => {
        const alid = String(1000 + (turn % 400))
        alarms.push({ id: seq + 2, key, alid })
        const report = L(B(0x84), U4(Number(alid)), A('Chamber pressure out of range'))
        return [...exchange(key, seq, 'received', [5, 1, report], [5, 2, B(0)]), set(key, seq + 2, alid)]
      }
    }
    const over = turn % 23 === 12 && alarms.length > 100 ? alarms.shift() : undefined
    if (over) {
      const data = { alarm_id: String(over.id), alid: over.alid }
      yield (seq) => [
        about(over.key, seq, 'alarm', 'alarm_cleared', data),
        about(over.key, seq + 1, 'alarm', 'alarm_acknowledged', {
          ...data,
          acknowledged_by: 'ada@fab.example',
          comment: null,
        }),
      ]
    }
    if (turn % 51 === 0) {
      yield (seq) => [
        about(key, seq, 'state', 'control_state', { from: 'ONLINE_LOCAL', to: 'ONLINE_REMOTE' }),
      ]
    }
  }
}

type Said = readonly [stream: number, fn: number, item: Item]

function exchange(key: string, seq: number, first: 'sent' | 'received', primary: Said, secondary: Said) {
  const message = ([stream, fn, item]: Said) => ({
    sessionId: 0,
    stream,
    function: fn,
    wait: fn % 2 === 1,
    systemBytes: seq,
    body: encodeBody(item),
  })
  return [
    messageEntry(first, key, message(primary), null, timeOf(seq)),
    messageEntry(first === 'sent' ? 'received' : 'sent', key, message(secondary), seq, timeOf(seq + 1)),
  ]
}

const about = (key: string, seq: number, type: string, name: string, data: NewEntry['data']): NewEntry => ({
  key,
  type,
  name,
  at: timeOf(seq),
  data,
})

const set = (key: string, seq: number, alid: string): NewEntry =>
  about(key, seq, 'alarm', 'alarm_set', {
    alarm_id: String(seq),
    alid,
    text: 'Chamber pressure out of range',
    category: 4,
    category_text: 'parameter control error',
    message_id: String(seq - 2),
    count: 1,
  })
