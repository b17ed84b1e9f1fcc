import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frame } from '../../../src/cli/top/frame.js'
import { type TopState, withNews } from '../../../src/cli/top/top-state.js'
import type { Message } from '../../../src/contract/topics/messages.js'
import { widthOf } from '../../../src/kit/text/columns.js'
import { sampleEquipment } from '../../support/sample-equipment.js'
import { alarmOf, coater, etcher, eventOf, NOW, SAMPLE, site, trafficOf } from './top-samples.js'

const AT = '2026-03-01T08:10:00.000Z'

const drawn = (state: TopState, size = { columns: 80, rows: 24 }): string =>
  frame(state, { ...size, ascii: false }).join('\n')

describe('the list', () => {
  test('tells of each equipment its states, its rate and its open alarms', () => {
    const text = drawn(SAMPLE)
    expect(text).toContain('2 equipment, 1 selected, 1 alarm not acknowledged, by name')
    expect(text).toMatch(/^> coater +failing +CONNECTING +NOT_COMMUNIC… UNKNOWN *$/m)
    expect(text).toMatch(/^ {2}etcher +ok +SELECTED +COMMUNICATING ONLINE_REMOTE +15\.0 +1!$/m)
    expect(drawn(SAMPLE, { columns: 90, rows: 24 })).toMatch(/^ {2}etcher +ok .* 15\.0 +█ +1!$/m)
  })

  test('tells how long no message has come from each, also at 80 columns', () => {
    const heard = (last_message_at: string | null): TopState =>
      withNews(
        SAMPLE,
        site([{ ...etcher, responsiveness: { ...etcher.responsiveness, last_message_at } }, coater]),
      )
    for (const [at, text] of [
      ['2026-03-01T08:09:45.000Z', '<1m'],
      ['2026-03-01T07:58:00.000Z', '12m'],
      ['2026-03-01T02:00:00.000Z', '6h'],
      ['2026-01-01T00:00:00.000Z', '59d'],
    ] as const) {
      const row = new RegExp(
        `^ {2}etcher +ok +SELECTED +COMMUNICATING ONLINE_REMOTE +${text} +15\\.0 +1!$`,
        'm',
      )
      expect(drawn(heard(at))).toMatch(row)
      expect(drawn(heard(at))).toMatch(/^ {2}EQUIPMENT\* .* CONTROL +LAST +RATE +ALM$/m)
      expect(drawn(heard(at), { columns: 140, rows: 24 })).toMatch(
        new RegExp(`CONTROL +LAST MESSAGE +RATE[^]*etcher .* ONLINE_REMOTE +${text} +15\\.0`),
      )
    }
    expect(drawn(heard(null))).toMatch(/^ {2}etcher .* ONLINE_REMOTE +15\.0 +1!$/m)
  })

  test('tells names apart that begin alike, also at 40 columns', () => {
    const names = ['litho-scanner-bay-3-001', 'litho-scanner-bay-3-002']
    const equipment = new Map([etcher, coater].map((one, at) => [one.id, { ...one, name: names[at] ?? '' }]))
    for (const columns of [40, 80, 120]) {
      const rows = drawn({ ...SAMPLE, equipment }, { columns, rows: 24 }).match(/^[> ] litho\S+/gm) ?? []
      expect(new Set(rows.map((row) => row.slice(2))).size).toBe(2)
    }
  })

  test.each([
    ['etcher-bay07-chamber-1', 'etcher-bay07-chamber-2'],
    ['蝕刻機-07-反應室-1', '蝕刻機-07-反應室-2'],
  ])('has room for whole names such as %s, and their states beside them', (...names) => {
    const named = [etcher, coater].map((one, at) => ({ ...one, name: names[at] ?? '' }))
    const state = [site(named, [alarmOf()]), { kind: 'past_events' as const, events: [eventOf()] }].reduce(
      withNews,
      SAMPLE,
    )
    for (const [columns, titles] of [
      [60, /EQUIPMENT\* +HEALTH +CONNECTION +.*ALM$/],
      [80, /EQUIPMENT\* +HEALTH +CONNECTION +.*CONTROL .*RATE +ALM$/],
      [120, /EQUIPMENT\* +HEALTH +CONNECTION +COMMUNICATION +CONTROL +LAST( MESSAGE)? +RATE .*ALM$/],
    ] as const) {
      const [, , title = '', ...lines] = frame(state, { columns, rows: 24, ascii: false })
      expect(title).toMatch(titles)
      const rows = lines.slice(0, 2)
      expect(rows.map((row) => row.slice(2).split(' ')[0])).toEqual(names)
      // What a terminal draws two columns wide moves nothing after it.
      expect(rows.map(widthOf)).toEqual([widthOf(title), widthOf(title)])
      if (columns === 60) continue
      expect(lines.find((row) => row.includes('Chamber pressure'))).toContain(` ${names[0]} `)
      expect(lines.find((row) => row.includes('selected'))).toContain(` ${names[0]} `)
    }
  })

  test('says on how many daemons the equipment is, where there are several', () => {
    const equipment = new Map(
      [etcher, coater].map((one, at) => [one.id, { ...one, node: `gateway-${at + 1}` }]),
    )
    expect(drawn({ ...SAMPLE, equipment })).toContain('2 equipment, 1 selected, on 2 daemons, 1 alarm')
  })

  test('has what is open and what happened below it', () => {
    const text = drawn(SAMPLE)
    expect(text).toMatch(/OPEN ALARMS\n {2}! \S+ etcher +42 Chamber pressure high \(active\)/)
    expect(text).toMatch(/LAST EVENTS\n.* etcher +selected +SELECTED/)
  })

  test('keeps the alarms on a narrow terminal, and drops the graph first', () => {
    for (let columns = 20; columns < 130; columns++) {
      const [, , titles, , row] = frame(SAMPLE, { columns, rows: 24, ascii: false })
      expect(`${columns} ${titles}`).toMatch(/ALM$/)
      expect(`${columns} ${row}`).toMatch(/etcher.* 1!$/)
    }
    expect(drawn(SAMPLE, { columns: 70, rows: 24 })).toMatch(
      /^ {2}etcher +ok +SELECTED +ONLINE_REMOTE +15\.0 +1!$/m,
    )
  })

  test('shows who has locked equipment, also at 80 columns, and finds it by that', () => {
    const lock = { by: 'ada@fab.example', reason: 'pump exchange', since: AT, expires_at: AT }
    const locked = withNews(SAMPLE, site([{ ...etcher, lock }, coater]))
    expect(drawn(locked)).toMatch(/^ {2}EQUIPMENT\* +LOCK +HEALTH/m)
    expect(drawn(locked)).toMatch(/^ {2}etcher +ada +ok +SELECTED +COMMUNICATING ONLINE_REMOTE +15\.0 +1!$/m)
    expect(drawn(SAMPLE)).not.toContain('LOCK')
    expect(drawn({ ...locked, filter: 'locked' })).not.toMatch(/^. coater +/m)
    expect(drawn({ ...locked, opened: etcher.id })).toMatch(
      /^locked +by ada@fab\.example until .*: pump exchange$/m,
    )
    for (let columns = 22; columns < 130; columns++)
      expect(`${columns} ${drawn(locked, { columns, rows: 24 })}`).toMatch(/etcher.* ada .* 1!$/m)
  })

  test('leaves the lines that it does not need to alarms and events', () => {
    const alarms = Array.from({ length: 12 }, (_, at) => alarmOf({ id: String(at), text: `alarm ${at}` }))
    const events = Array.from({ length: 50 }, (_, at) => eventOf({ id: String(100 - at) }))
    const full = withNews(withNews(SAMPLE, site([etcher, coater], alarms)), { kind: 'past_events', events })
    const lines = frame(full, { columns: 160, rows: 50, ascii: false })
    expect(lines).toHaveLength(50)
    expect(lines.join('\n')).toMatch(/OPEN ALARMS\n(.*alarm \d+.*\n){12}LAST EVENTS/)
    expect(lines.filter((line) => line.trim() === '').length).toBeLessThan(4)
  })

  test('says that alarms are the newest where there is no room for all, and shows no number that is no total', () => {
    const alarms = Array.from({ length: 200 }, (_, at) => alarmOf({ id: String(at), text: `alarm ${at}` }))
    const events = Array.from({ length: 50 }, (_, at) => eventOf({ id: String(100 - at) }))
    const full = withNews(withNews(SAMPLE, site([etcher, coater], alarms)), { kind: 'past_events', events })
    const text = drawn(full)
    expect(text).toMatch(/^NEWEST OPEN ALARMS\n(.*alarm \d+.*\n)+LAST EVENTS\n/m)
    expect(text).not.toMatch(/\d of \d/)
    expect(drawn(SAMPLE)).toMatch(/^OPEN ALARMS\n/m)
  })

  test('keeps the cursor on the screen, however long it is', () => {
    const many = Array.from({ length: 1000 }, (_, at) =>
      sampleEquipment({ id: `eq_${at}`, name: `tool ${at}` }),
    )
    const full = withNews(SAMPLE, site(many))
    expect(drawn({ ...full, selected: 'eq_500' })).toMatch(/^ {2}tool 499 .*\n> tool 500 .*\n {2}tool 501 /m)
    expect(drawn({ ...full, selected: 'eq_999' })).toMatch(/^> tool 999 /m)
  })

  test('says what there is to do when it is empty', () => {
    expect(drawn(withNews(SAMPLE, site([])))).toContain('secsctl equipment add')
    expect(drawn({ ...SAMPLE, filter: 'nowhere' })).toContain('Nothing matches the filter.')
  })
})

test('an opened equipment shows who dials, why it is not connected, its rates and its messages', () => {
  const messages = [
    {
      ...{ id: '31', equipment_id: etcher.id, direction: 'received' as const, stream: 6, function: 11 },
      ...{ name: 'S6F11 Event Report Send', w_bit: true, session_id: 0, system_bytes: 1, data: null },
      ...{ body: null, sml: 'S6F11 W.', at: '2026-03-01T08:07:00.000Z', reply_to: null },
    },
  ]
  const news = { kind: 'messages' as const, id: etcher.id, messages: messages as unknown as Message[] }
  const opened = withNews({ ...SAMPLE, opened: etcher.id }, news)
  const text = drawn(opened)
  expect(text).toContain('The equipment listens at 10.0.0.5:5000, and the gateway dials it.')
  expect(text).toMatch(/^in msg\/s +5\.0 +█$/m)
  expect(text).toMatch(/^out msg\/s +10\.0 +█$/m)
  expect(text).toMatch(/^health +ok *$/m)
  expect(text).toContain('  timeouts t3 2')
  for (let rows = 12; rows < 24; rows++)
    expect(drawn(opened, { columns: 80, rows })).not.toMatch(/\(0 of 1\)\s+none/)
  expect(text).toMatch(/^> ! \S+ 42 Chamber pressure high \(active\)$/m)
  expect(text).toContain('<- S6F11 W Event Report Send')
  expect(drawn({ ...SAMPLE, opened: coater.id })).toContain('connection_refused: nothing listens there')
})

test('a gateway that is lost is told, with when it is tried again', () => {
  const again = new Date(NOW.getTime() + 4000)
  const text = drawn(withNews(SAMPLE, { kind: 'lost', reason: 'No gateway responds.', again }))
  expect(text).toMatch(/LOST/)
  expect(text).toContain('No gateway responds. Trying again in 4 s.')
  const back = withNews(withNews(SAMPLE, { kind: 'lost', reason: '', again }), {
    kind: 'live',
    url: 'http://other',
  })
  expect(drawn(back)).toContain('http://other')
  expect(drawn(back)).not.toContain('LOST')
})

test('a question stands at the foot', () => {
  expect(drawn({ ...SAMPLE, asking: { kind: 'acknowledge', alarm: alarmOf() } })).toMatch(
    /Acknowledge 42 Chamber pressure high of etcher\? y\/n$/,
  )
})

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 })
const HOSTILE = '\x1b[2J\x1b]0;pwn\x07\x9b31m\u202e\n\r\t'

test('never more lines or columns than there are, and nothing that steers the terminal, on any terminal', () => {
  fc.assert(
    fc.property(
      fc.nat(130),
      fc.nat(50),
      fc.boolean(),
      fc.constantFrom('list', 'equipment', 'help'),
      anyText,
      (columns, rows, ascii, view, word) => {
        const text = `${HOSTILE}${word}`
        const state: TopState = [
          site([{ ...etcher, name: text }, coater], [alarmOf({ text, alid: text, acknowledged_by: text })]),
          { kind: 'past_events' as const, events: [eventOf({ name: text, data: { cause: text } })] },
          { kind: 'traffic' as const, id: etcher.id, traffic: trafficOf(5, 5), at: 9000 },
          { kind: 'notice' as const, text },
        ].reduce(withNews, { ...SAMPLE, help: view === 'help', filter: text.slice(0, 0) })
        const shown = view === 'equipment' ? { ...state, opened: etcher.id } : state
        const lines = frame(shown, { columns, rows, ascii })
        expect(lines.length).toBeLessThanOrEqual(rows)
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThanOrEqual(columns)
          expect(line).not.toMatch(ascii ? /[^\x20-\x7e]/ : /[\p{Cc}\u202e]/u)
        }
      },
    ),
    { numRuns: 300 },
  )
})
