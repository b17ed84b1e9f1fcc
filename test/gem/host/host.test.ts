import { beforeEach, describe, expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { Denial } from '../../../src/gem/communication-states.js'
import type { GemChange, PeerView, PrimaryReply } from '../../../src/gem/conversation.js'
import { Host } from '../../../src/gem/host/host.js'
import { NO_NAMES, type PeerNames } from '../../../src/gem/host/peer-names.js'
import type { Cancel } from '../../../src/kit/clock.js'
import { encodeItem } from '../../../src/secs2/encode.js'
import { A, B, BOOLEAN, type Item, L, U1, U4 } from '../../../src/secs2/item.js'
import { printItem } from '../../../src/secs2/sml/print.js'
import { ManualClock } from '../../support/manual-clock.js'
import { ScriptedConversation } from '../scripted-conversation.js'

const DELAY = 10_000
const TIME = '2026010100000000'
const ACCEPTED = L(B(0), L(A('ETCHER'), A('1.0')))

/** Tells how many timers wait. */
class CountingClock extends ManualClock {
  readonly #waiting = new Set<object>()

  get pending(): number {
    return this.#waiting.size
  }

  override at(at: number, run: () => void): Cancel {
    const timer = {}
    this.#waiting.add(timer)
    const cancel = super.at(at, () => {
      this.#waiting.delete(timer)
      run()
    })
    return () => {
      this.#waiting.delete(timer)
      cancel()
    }
  }
}

let clock: CountingClock
let peer: ScriptedConversation
let view: PeerView
let names: PeerNames
let host: Host
let changes: string[]
let denials: Denial[]

beforeEach(() => {
  clock = new CountingClock()
  peer = new ScriptedConversation()
  view = { catalogue: STANDARD_CATALOGUE }
  names = NO_NAMES
  host = new Host(peer, { clock, establishDelay: DELAY, view: () => view, names: () => names })
  changes = []
  denials = []
  host.changed.on(({ from, to }: GemChange) => changes.push(`${from} > ${to}`))
  host.denied.on((denial) => denials.push(denial))
  host.enable()
})

async function communicate(): Promise<void> {
  host.selected()
  await peer.end({ kind: 'replied', item: ACCEPTED })
}

const primary = (stream: number, fn: number, item?: Item): PrimaryReply =>
  host.replyTo({ stream, function: fn, wait: true, item })

/** An answer on one line. */
function replied(answer: PrimaryReply): string {
  if (answer.kind !== 'reply') return answer.kind
  const { stream, function: fn, item } = answer.message
  return `S${stream}F${fn} ${item ? printItem(item).replace(/\s+/g, ' ') : ''}`
}

describe('establishing communication', () => {
  test('S1F13 of a host is an empty list, and S1F14 tells what the equipment is', async () => {
    await communicate()
    expect(peer.asked).toEqual([{ stream: 1, function: 13, item: L() }])
    expect(changes).toEqual([
      'DISABLED > NOT_COMMUNICATING',
      'NOT_COMMUNICATING > WAIT_CRA',
      'WAIT_CRA > COMMUNICATING',
    ])
    expect(host.model).toEqual({ mdln: 'ETCHER', softrev: '1.0' })
  })

  test('an S1F14 without MDLN and SOFTREV is accepted too', async () => {
    host.selected()
    await peer.end({ kind: 'replied', item: L(B(0), L()) })
    expect([host.communicationState, host.model]).toEqual(['COMMUNICATING', null])
  })

  test('COMMACK 1 is tried again after the delay, as often as it takes', async () => {
    host.selected()
    for (let attempt = 1; attempt <= 3; attempt++) {
      await peer.end({ kind: 'replied', item: L(B(1), L()) })
      expect(host.communicationState).toBe('WAIT_DELAY')
      clock.advance(DELAY - 1)
      expect(peer.asked).toHaveLength(attempt)
      clock.advance(1)
      expect(peer.asked).toHaveLength(attempt + 1)
    }
    expect(denials.map(({ code }) => code)).toEqual(Array(3).fill('communication_denied'))
    expect(denials[0]?.detail).toContain('COMMACK 1')
  })

  test("the equipment's S1F13 is answered with an empty inner list and is enough", () => {
    host.selected()
    expect(replied(primary(1, 13, L(A('TRACK'), A('7'))))).toBe('S1F14 <L [2] <B 0x00> <L [0]> >')
    expect([host.communicationState, host.model?.mdln]).toEqual(['COMMUNICATING', 'TRACK'])
  })

  test('an S1F13 that is none is aborted and establishes nothing', () => {
    host.selected()
    expect(primary(1, 13, A('hello'))).toEqual({ kind: 'abort' })
    expect(
      host.replyTo({ stream: 1, function: 13, wait: true, item: undefined, fault: 'truncated' }),
    ).toEqual({
      kind: 'abort',
    })
    expect(host.communicationState).toBe('WAIT_CRA')
  })

  test('an S1F13 that wants no answer establishes nothing', () => {
    host.selected()
    expect(host.replyTo({ stream: 1, function: 13, wait: false, item: L(A('X'), A('1')) })).toEqual({
      kind: 'none',
    })
    expect(host.communicationState).toBe('WAIT_CRA')
  })

  test('a lost link ends it, and the next one begins with S1F13 again', async () => {
    await communicate()
    host.linkLost()
    expect(host.communicationState).toBe('NOT_COMMUNICATING')
    host.selected()
    expect(peer.names).toEqual(['S1F13', 'S1F13'])
  })

  test('equipment that does not know S1F13 is spoken to without, until it shows that it does', async () => {
    host.selected()
    host.assumeWithoutS1F13('nothing has failed')
    expect([host.communicationState, host.withoutS1F13]).toEqual(['WAIT_CRA', undefined])
    await peer.end({ kind: 'aborted' })
    host.assumeWithoutS1F13('it sent S9F5')
    expect([host.communicationState, host.withoutS1F13]).toEqual(['COMMUNICATING', 'it sent S9F5'])
    expect(replied(primary(5, 1, L(B(0x84), U4(1), A('hot'))))).toBe('S5F2 <B 0x00>')
    primary(1, 13, L(A('TRACK'), A('7')))
    expect([host.communicationState, host.withoutS1F13]).toEqual(['COMMUNICATING', undefined])
  })

  test('a disabled host refuses and leaves no timer running', async () => {
    host.selected()
    await peer.end({ kind: 'timed_out' })
    expect(clock.pending).toBe(1)
    host.disable()
    expect(clock.pending).toBe(0)
    expect(replied(primary(1, 13, L(A('X'), A('1'))))).toContain('<B 0x01>')
    expect(host.communicationState).toBe('DISABLED')
  })
})

describe('what a host answers', () => {
  test('to a process program is answered without a look at its bytes, and a loopback is the item that came', async () => {
    await communicate()
    let reads = 0
    const program: Item = {
      format: 'B',
      get value() {
        reads += 1
        return new Uint8Array(8)
      },
    }
    expect(replied(primary(7, 3, L(A('P1'), program)))).toBe('S7F4 <B 0x01>')
    expect(reads).toBe(0)
    const bytes = B(1, 2)
    expect(primary(2, 25, bytes)).toMatchObject({ message: { item: bytes } })
    expect((primary(2, 25, bytes) as { message: { item: Item } }).message.item).toBe(bytes)
  })

  test('to an event report is answered without its items, which take longer to make than all else', async () => {
    await communicate()
    const report = {
      stream: 6,
      function: 11,
      wait: true,
      body: encodeItem(L(U4(1), U4(2), L(L(U4(3), L(A('LOT')))))),
      get item(): Item {
        throw new Error('the items were made')
      },
    }
    const reported: string[] = []
    host.reported.on(({ CEID, REPORTS }) =>
      reported.push(String(CEID), ...REPORTS.flatMap(({ V }) => V?.map(String) ?? [])),
    )
    expect(replied(host.replyTo(report))).toBe('S6F12 <B 0x00>')
    expect(reported).toEqual(['2', 'LOT'])
    const cut = { stream: 6, function: 11, wait: true, item: undefined, body: report.body.subarray(0, -1) }
    expect(host.replyTo(cut)).toEqual({ kind: 'abort' })
  })

  test.each<[string, number, number, Item | undefined, string]>([
    ['S1F1', 1, 1, undefined, 'S1F2 <L [0]>'],
    ['S2F25, the same bytes', 2, 25, B(1, 2), 'S2F26 <B 0x01 0x02>'],
    ['S5F1', 5, 1, L(B(0x84), U4(1), A('hot')), 'S5F2 <B 0x00>'],
    ['S5F1 with an ALID of another format', 5, 1, L(B(0x84), U1(1), A('hot')), 'S5F2 <B 0x00>'],
    ['S3F5, material found', 3, 5, L(B(1), U1(1)), 'S3F6 <B 0x00>'],
    ['S3F7, material lost', 3, 7, L(B(1), U1(1), A('M1')), 'S3F8 <B 0x00>'],
    ['S4F23', 4, 23, L(B(1), A('T1'), U1(1), L(BOOLEAN(true), L())), 'S4F24 '],
    ['S5F9', 5, 9, L(A(TIME), A('X1'), A('ERROR'), A('hot'), L()), 'S5F10 '],
    ['S5F11', 5, 11, L(A(TIME), A('X1'), A('ERROR'), A('hot')), 'S5F12 '],
    ['S5F15', 5, 15, L(A(TIME), A('X1'), L(BOOLEAN(true), L())), 'S5F16 '],
    ['S6F1, a trace', 6, 1, L(U4(1), U4(1), A(TIME), L()), 'S6F2 <B 0x00>'],
    ['S6F3', 6, 3, L(U4(1), U4(2), L()), 'S6F4 <B 0x00>'],
    ['S6F9', 6, 9, L(B(1), U4(1), U4(2), L()), 'S6F10 <B 0x00>'],
    ['S6F13 with annotated values', 6, 13, L(U4(1), U4(2), L()), 'S6F14 <B 0x00>'],
    ['S6F25', 6, 25, L(U4(1), U4(1), U4(0), A('x'), U1(1), L(), L(U1(0), L())), 'S6F26 <B 0x00>'],
    ['S6F27, the same TRID', 6, 27, L(U4(1), U4(7), L()), 'S6F28 <U4 7>'],
    ['S6F11 without reports', 6, 11, L(U4(1), U4(2), L()), 'S6F12 <B 0x00>'],
    ['S6F11 with a report nobody defined', 6, 11, L(U4(1), U4(2), L(L(U4(99), L(A('x'))))), 'S6F12 <B 0x00>'],
    ['S6F5', 6, 5, L(U4(1), U4(100_000)), 'S6F6 <B 0x00>'],
    ['S7F1: it keeps no process programs', 7, 1, L(A('P1'), U4(10)), 'S7F2 <B 0x05>'],
    ['S7F3', 7, 3, L(A('P1'), B(1)), 'S7F4 <B 0x01>'],
    ['S7F5', 7, 5, A('P1'), 'S7F6 <L [0]>'],
    ['S7F25', 7, 25, A('P1'), 'S7F26 <L [0]>'],
    ['S7F9', 7, 9, undefined, 'S7F10 <L [0]>'],
    ['S7F23', 7, 23, L(A('P1'), A('M'), A('1'), L()), 'S7F24 <B 0x01>'],
    ...[37, 39, 41, 43].map(
      (fn) => [`S7F${fn}`, 7, fn, A('P1'), `S7F${fn + 1} <B 0x01>`] as [string, number, number, Item, string],
    ),
    ['S7F29', 7, 29, U4(10), 'S7F30 <B 0x00>'],
    ['S15F53', 15, 53, L(A('x'), A('P1'), L(U1(0), L())), 'S15F54 '],
    ['S16F7', 16, 7, L(A(TIME), A('P1'), U1(1), L(BOOLEAN(true), L())), 'S16F8 '],
    ['S16F9', 16, 9, L(U1(1), A(TIME), A('P1'), L()), 'S16F10 '],
    ['S7F27, what was wrong with a program', 7, 27, L(A('P1'), L()), 'S7F28 '],
    ['S10F1', 10, 1, L(B(0), A('help')), 'S10F2 <B 0x00>'],
    ['an unknown function', 6, 99, L(), 'abort'],
    ['an unknown stream', 99, 1, L(), 'abort'],
    ['a body that does not fit', 5, 1, A('hot'), 'abort'],
    ['a message of a host', 2, 41, L(A('START'), L()), 'abort'],
  ])('to %s', async (_, stream, fn, item, expected) => {
    await communicate()
    expect(replied(primary(stream, fn, item))).toBe(expected)
  })

  test('S2F17 gets the time in 16 characters', async () => {
    await communicate()
    clock.advance(1230)
    expect(replied(primary(2, 17))).toMatch(/^S2F18 <A "\d{14}23">$/)
  })

  test('what wants no answer gets none, and stream 9 never does', async () => {
    await communicate()
    expect(host.replyTo({ stream: 5, function: 1, wait: false, item: L(B(0), U4(1), A('')) })).toEqual({
      kind: 'none',
    })
    expect(host.replyTo({ stream: 99, function: 1, wait: false, item: undefined })).toEqual({ kind: 'none' })
    expect(primary(9, 5, B(...Array<number>(10).fill(0)))).toEqual({ kind: 'none' })
  })

  test('before S1F13 is through nothing else is answered', () => {
    host.selected()
    expect(primary(5, 1, L(B(0x84), U4(1), A('hot')))).toEqual({ kind: 'abort' })
  })

  test('a body that is no SECS-II is aborted', async () => {
    await communicate()
    expect(
      host.replyTo({ stream: 6, function: 11, wait: true, item: undefined, fault: 'truncated' }),
    ).toEqual({
      kind: 'abort',
    })
  })

  test("the equipment's own formats hold from the next message on", async () => {
    await communicate()
    view = { catalogue: STANDARD_CATALOGUE, formats: { ACKC5: 'U1' } }
    expect(replied(primary(5, 1, L(B(0x84), U4(1), A('hot'))))).toBe('S5F2 <U1 0>')
  })

  test('a format that cannot hold the answer is not kept to', async () => {
    view = { catalogue: STANDARD_CATALOGUE, formats: { TIME: 'U1', COMMACK: 'L' } }
    await communicate()
    expect(replied(primary(2, 17))).toMatch(/^S2F18 <A "\d{16}">$/)
    expect(replied(primary(1, 13, L()))).toBe('S1F14 <L [2] <B 0x00> <L [0]> >')
  })
})

describe("what a host learns from its callers' transactions", () => {
  const ask = (fn: number, item?: Item) => ({ stream: 1, function: fn, item })

  beforeEach(communicate)

  test('the control state from S1F15, S1F17 and S1F1, never guessing local or remote', () => {
    const MODEL = L(A('ETCHER'), A('1.1'))
    const states = [
      [ask(15), { kind: 'replied', item: B(0) }, 'HOST_OFFLINE', ''],
      [ask(15), { kind: 'replied', item: undefined }, 'HOST_OFFLINE', ''],
      [ask(1), { kind: 'aborted' }, 'HOST_OFFLINE', ''],
      [ask(17), { kind: 'replied', item: B(0) }, 'UNKNOWN', ''],
      [ask(3), { kind: 'aborted' }, 'UNKNOWN', ''],
      [ask(1), { kind: 'aborted' }, 'EQUIPMENT_OFFLINE', ''],
      [ask(17), { kind: 'replied', item: B(1) }, 'EQUIPMENT_OFFLINE', 'refuses'],
      [ask(17), { kind: 'timed_out' }, 'EQUIPMENT_OFFLINE', 'refuses'],
      [ask(1), { kind: 'timed_out' }, 'EQUIPMENT_OFFLINE', 'refuses'],
      [ask(1), { kind: 'replied', item: MODEL }, 'UNKNOWN', 'present'],
      [ask(3), { kind: 'timed_out' }, 'UNKNOWN', 'present'],
      [ask(1), { kind: 'timed_out' }, 'UNKNOWN', ''],
    ] as const
    for (const [sent, exchange, state, more] of states) {
      host.learn(sent, exchange)
      const said = `${host.refusesOnline ? 'refuses' : ''}${host.hasConfirmedPresence ? 'present' : ''}`
      expect([host.controlState, said]).toEqual([state, more])
    }
    expect(host.model).toEqual({ mdln: 'ETCHER', softrev: '1.1' })
  })

  test('local and remote from the variable that the equipment calls ControlState', () => {
    host.learn(ask(3, L(U4(7))), { kind: 'replied', item: L(U1(4)) })
    expect(host.controlState).toBe('UNKNOWN')
    names = { ...NO_NAMES, idOf: () => '7' }
    host.learn(ask(3, L(U4(6), U4(7))), { kind: 'replied', item: L(A('now'), U1(5)) })
    expect(host.controlState).toBe('ONLINE_REMOTE')
    host.learn(ask(3, L(U4(7))), { kind: 'replied', item: L(U1(4)) })
    host.learn(ask(3, L(U4(7), U4(6))), { kind: 'replied', item: L(U1(5)) })
    host.learn(ask(17), { kind: 'replied', item: B(2) })
    expect(host.controlState).toBe('ONLINE_LOCAL')
    host.learn(ask(17), { kind: 'replied', item: B(0) })
    expect(host.controlState).toBe('UNKNOWN')
    host.learn(ask(3, L(U4(7))), { kind: 'replied', item: L(U1(4)) })
    host.linkLost()
    expect(changes.slice(-2)).toEqual(['COMMUNICATING > NOT_COMMUNICATING', 'ONLINE_LOCAL > UNKNOWN'])
  })

  test('that communication is lost when S1F13 is not answered, but not when anything else is', () => {
    host.learn(ask(3, L()), { kind: 'timed_out' })
    expect(host.communicationState).toBe('COMMUNICATING')
    host.learn(ask(13, L()), { kind: 'timed_out' })
    expect(host.communicationState).toBe('WAIT_DELAY')
    host.learn(ask(13, L()), { kind: 'replied', item: ACCEPTED })
    expect(host.communicationState).toBe('COMMUNICATING')
  })
})
