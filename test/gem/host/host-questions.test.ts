import { beforeEach, describe, expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { Exchange } from '../../../src/gem/conversation.js'
import { Host } from '../../../src/gem/host/host.js'
import { NO_NAMES, type PeerNames } from '../../../src/gem/host/peer-names.js'
import { type Deferred, deferred } from '../../../src/kit/deferred.js'
import { A, B, type Item, L, U1, U4 } from '../../../src/secs2/item.js'
import { printItem } from '../../../src/secs2/sml/print.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { ScriptedConversation } from '../scripted-conversation.js'

const ABORTED: Exchange = { kind: 'aborted' }
const TIMED_OUT: Exchange = { kind: 'timed_out' }
const LOST: Exchange = { kind: 'lost' }
const MODEL = L(A('ETCHER'), A('1.0'))
const CONTROL_STATE = '42'
const replied = (item?: Item): Exchange => ({ kind: 'replied', item })

let clock: ManualClock
let peer: ScriptedConversation
let told: Set<string>
let names: PeerNames
let mayAsk: boolean
let isRecording: boolean
let host: Host
let startUps: number
/** What the questions of the start wait for. */
let first: Deferred<void> | undefined

beforeEach(() => {
  clock = new ManualClock()
  peer = new ScriptedConversation()
  told = new Set(['S1F11', 'S1F21', 'S1F23'])
  names = { ...NO_NAMES, hasWhole: (list) => told.has(list), idOf: () => CONTROL_STATE }
  mayAsk = true
  isRecording = false
  startUps = 0
  first = undefined
  const view = () => ({ catalogue: STANDARD_CATALOGUE })
  host = new Host(peer, {
    clock,
    establishDelay: 10_000,
    view,
    names: () => names,
    mayAsk: () => mayAsk,
    isRecording: () => isRecording,
  })
  host.started.on(({ waitFor }) => {
    if (first) waitFor(first.promise)
    startUps += 1
  })
  host.enable()
})

/** The host communicates; S1F13 is not told of any more. */
async function communicate(software = MODEL): Promise<void> {
  host.selected()
  await answer(replied(L(B(0), software)))
}

/** Ends the question that is open, and gives those that the host has asked since the last time. */
let seen = 0
async function answer(...exchanges: Exchange[]): Promise<void> {
  for (const exchange of exchanges) {
    await peer.end(exchange)
    await settle()
  }
}
function asked(): string[] {
  const news = peer.names.slice(seen)
  seen = peer.asked.length
  return news.filter((name) => name !== 'S1F13')
}
beforeEach(() => {
  seen = 0
})
const body = (at: number): string => {
  const item = peer.asked.at(at)?.item
  return item ? printItem(item).replace(/\s+/g, ' ') : ''
}
const report = (item: Item): void => {
  host.replyTo({ stream: 6, function: 11, wait: true, item })
}
const ONLINE = replied(MODEL)
const state = (code: number): Exchange => replied(L(U1(code)))

describe('after communication has been established', () => {
  test('the host asks for state, spool and alarms, one at a time', async () => {
    await communicate()
    expect(asked()).toEqual(['S1F1'])
    await answer(ONLINE)
    expect([asked(), body(-1)]).toEqual([['S1F3'], '<L [1] <U4 42> >'])
    await answer(state(5))
    expect([asked(), body(-1), host.controlState]).toEqual([['S6F23'], '<U1 0>', 'ONLINE_REMOTE'])
    await answer(replied(B(2)))
    expect([asked(), startUps]).toEqual([['S5F5'], 1])
    await answer(replied(L()))
    expect([asked(), startUps]).toEqual([[], 1])
  })

  test('names are asked for where they are not known, and then for the state that could not be asked before', async () => {
    told.clear()
    names = { ...names, idOf: () => (told.size > 0 ? CONTROL_STATE : undefined) }
    await communicate()
    await answer(ONLINE, replied(B(2)), replied(L()))
    for (const list of ['S1F11', 'S1F21', 'S1F23']) {
      expect(asked().at(-1)).toBe(list)
      told.add(list)
      await answer(replied(L()))
    }
    expect(asked()).toEqual(['S1F3'])
  })

  test('what the equipment refused is not asked again until it has other software', async () => {
    told.clear()
    names = NO_NAMES
    await communicate()
    await answer(ONLINE, replied(B(2)), { kind: 'error' }, { kind: 'error' }, ABORTED)
    expect(asked()).toEqual(['S1F1', 'S6F23', 'S5F5', 'S5F5', 'S5F7', 'S1F1']) // whether the abort says that it has gone offline
    await answer(ONLINE, { kind: 'error' })
    expect(asked()).toEqual(['S1F11'])
    host.linkLost()
    await communicate()
    await answer(ONLINE, replied(B(2)))
    expect([asked(), startUps]).toEqual([['S1F1', 'S6F23'], 2])
    host.linkLost()
    await communicate(L(A('ETCHER'), A('1.1')))
    await answer(ONLINE, replied(B(2)), replied(L()))
    expect(asked()).toEqual(['S1F1', 'S6F23', 'S5F5', 'S1F11'])
  })

  test('an equipment that is offline is asked nothing but S1F1, and the rest when it is online', async () => {
    await communicate()
    await answer(ABORTED)
    expect([asked(), host.controlState, startUps]).toEqual([['S1F1'], 'EQUIPMENT_OFFLINE', 0])
    clock.advance(60_000)
    expect(asked()).toEqual([])
    host.learn({ stream: 1, function: 17, item: undefined }, replied(B(0)))
    await settle()
    await answer(ONLINE, state(4), replied(B(2)), replied(L()))
    expect([asked(), host.controlState, startUps]).toEqual([
      ['S1F1', 'S1F3', 'S6F23', 'S5F5'],
      'ONLINE_LOCAL',
      1,
    ])
  })

  test('one that goes offline meanwhile is left alone', async () => {
    await communicate()
    await answer(ONLINE, state(5), ABORTED, ABORTED)
    expect([asked(), host.controlState, startUps]).toEqual([
      ['S1F1', 'S1F3', 'S6F23', 'S1F1'],
      'EQUIPMENT_OFFLINE',
      1,
    ])
  })

  test('all of it ends with the link, and begins anew with the next', async () => {
    await communicate()
    await answer(ONLINE)
    expect(asked()).toEqual(['S1F1', 'S1F3'])
    host.linkLost()
    await answer(LOST)
    expect([asked(), startUps]).toEqual([[], 0])
    await communicate()
    expect(asked()).toEqual(['S1F1'])
  })

  test('callers who have every transaction open go first', async () => {
    await communicate()
    await answer({ kind: 'busy' })
    expect(asked()).toEqual(['S1F1'])
    clock.advance(1000)
    await settle()
    expect(asked()).toEqual(['S1F1'])
    await answer(ONLINE)
    expect(asked()).toEqual(['S1F3'])
  })

  test('a question that waits for a transaction ends with the link, and leaves no timer running', async () => {
    await communicate()
    await answer({ kind: 'busy' })
    expect(clock.scheduled).toBe(1)
    host.linkLost()
    expect(clock.scheduled).toBe(0)
    await communicate()
    host.linkLost()
    await answer({ kind: 'busy' })
    expect(clock.scheduled).toBe(0)
    expect(asked()).toEqual(['S1F1', 'S1F1'])
  })

  test('an equipment that is spoken to without S1F13 is asked nothing', async () => {
    host.selected()
    await answer(ABORTED)
    host.assumeWithoutS1F13('it sent S9F5')
    await settle()
    expect([host.communicationState, asked()]).toEqual(['COMMUNICATING', []])
  })

  test('a question for which there is no transaction for half a minute is given up', async () => {
    await communicate()
    for (let second = 0; second < 30; second += 1) {
      await answer({ kind: 'busy' })
      clock.advance(1000)
      await settle()
    }
    expect(asked()).toEqual(Array(30).fill('S1F1'))
  })

  test('a question that is lost is the last one, though nobody has said yet that the link is gone', async () => {
    await communicate()
    await answer(ONLINE, LOST)
    clock.advance(60_000)
    await settle()
    expect(asked()).toEqual(['S1F1', 'S1F3'])
  })

  test('an equipment that cannot stand being asked is not', async () => {
    mayAsk = false
    await communicate()
    host.learn({ stream: 2, function: 41, item: undefined }, ABORTED)
    clock.advance(60_000)
    await settle()
    expect(asked()).toEqual([])
    await host.controlStateAsked()
  })
})

/** S1F13 from the equipment. */
const establish = (software: Item = MODEL): void => {
  expect(host.replyTo({ stream: 1, function: 13, wait: true, item: software }).kind).toBe('reply')
}

describe('S1F13 of an equipment that communicates', () => {
  const everything = async (): Promise<string[]> => {
    await settle()
    await answer(ONLINE, state(5), replied(B(2)), replied(L()))
    return asked()
  }
  const ALL = ['S1F1', 'S1F3', 'S6F23', 'S5F5']

  test('has everything asked again, and nothing is known of its control state until then', async () => {
    await communicate()
    expect([await everything(), startUps]).toEqual([ALL, 1])
    establish()
    expect(host.controlState).toBe('UNKNOWN')
    expect([await everything(), startUps, host.controlState]).toEqual([ALL, 2, 'ONLINE_REMOTE'])
  })

  test('does not wait for the answer to a question that went before it', async () => {
    host.selected()
    establish()
    await settle()
    await answer(replied(L(B(0), MODEL)), ONLINE)
    expect(asked()).toEqual(['S1F1', 'S1F3'])
    establish()
    await settle()
    expect(asked()).toEqual(['S1F1'])
    await answer(state(4), ONLINE, state(5), replied(B(2)), replied(L()))
    expect([asked(), host.controlState]).toEqual([['S1F3', 'S6F23', 'S5F5'], 'ONLINE_REMOTE'])
    clock.advance(60_000)
    await settle()
    expect(asked()).toEqual([])
  })

  test('is not taken for another when it crosses ours', async () => {
    await communicate()
    establish()
    expect(await everything()).toEqual(ALL)
    clock.advance(60_000)
    await settle()
    expect([asked(), startUps]).toEqual([[], 1])
  })

  test('has everything asked every ten seconds at most, however often it comes, and all of it', async () => {
    await communicate()
    await everything()
    establish()
    await settle()
    for (let each = 0; each < 100; each++) establish()
    expect(await everything()).toEqual(ALL)
    clock.advance(9_999)
    establish()
    await settle()
    expect(asked()).toEqual([])
    clock.advance(1)
    expect(await everything()).toEqual(ALL)
    clock.advance(60_000)
    await settle()
    expect([asked(), startUps]).toEqual([[], 3])
  })

  test('in the middle of the questions lets them end, and has all of them asked once more', async () => {
    await communicate()
    await everything()
    establish()
    await settle()
    establish()
    expect(await everything()).toEqual(ALL)
    clock.advance(10_000)
    expect([await everything(), startUps]).toEqual([ALL, 3])
  })

  test('is told of where nothing may be asked', async () => {
    mayAsk = false
    await communicate()
    await settle()
    establish()
    await settle()
    expect([asked(), startUps]).toEqual([[], 2])
  })
})

describe('what has to be done first', () => {
  test('is done when the equipment has proved to be online, and before spool, alarms and names', async () => {
    told.clear()
    first = deferred<void>()
    await communicate()
    expect(startUps).toBe(0)
    await answer(ONLINE, state(5))
    clock.advance(60_000)
    await settle()
    expect([asked(), startUps]).toEqual([['S1F1', 'S1F3'], 1])
    first.resolve()
    await settle()
    expect(asked()).toEqual(['S6F23'])
  })

  test('does not hold up the questions of the next link', async () => {
    first = deferred<void>()
    await communicate()
    await answer(ONLINE, state(5))
    host.linkLost()
    const before = first
    first = undefined
    await communicate()
    await answer(ONLINE, state(5))
    before.resolve()
    await settle()
    expect(asked()).toEqual(['S1F1', 'S1F3', 'S1F1', 'S1F3', 'S6F23'])
  })
})

describe('a question that need not be answered', () => {
  beforeEach(async () => {
    await communicate()
    await answer(ONLINE, state(5))
  })

  test('is given ten seconds, and not asked again where S1F1 is answered then', async () => {
    expect([peer.t3s, asked()]).toEqual([
      [undefined, undefined, 10_000, 10_000],
      ['S1F1', 'S1F3', 'S6F23'],
    ])
    await answer(TIMED_OUT, ONLINE, TIMED_OUT, ONLINE, TIMED_OUT, ONLINE, TIMED_OUT, ONLINE)
    expect(asked()).toEqual(['S1F1', 'S5F5', 'S1F1', 'S5F5', 'S1F1', 'S5F7', 'S1F1'])
    host.linkLost()
    await communicate()
    await answer(ONLINE, state(5))
    expect(asked()).toEqual(['S1F1', 'S1F3'])
    clock.advance(60_000)
    await settle()
    expect(asked()).toEqual([])
  })

  test('is asked again when S1F1 was not answered either, as soon as the equipment speaks', async () => {
    await answer(TIMED_OUT, TIMED_OUT)
    clock.advance(60_000)
    await settle()
    expect(asked()).toEqual(['S1F1', 'S1F3', 'S6F23', 'S1F1'])
    report(L(U4(1), U4(2), L()))
    await settle()
    await answer(ONLINE, state(5))
    expect(asked()).toEqual(['S1F1', 'S1F3', 'S6F23'])
  })

  test('is given up on this link when S1F1 is not answered three times more', async () => {
    await answer(TIMED_OUT, TIMED_OUT)
    asked()
    for (let attempt = 0; attempt < 5; attempt++) {
      clock.advance(60_000)
      report(L(U4(1), U4(2), L()))
      await settle()
      if (attempt < 3) await answer(TIMED_OUT)
    }
    expect(asked()).toEqual(['S1F1', 'S1F1', 'S1F1'])
  })

  test('is asked again on the next link when the answer came late', async () => {
    await answer(TIMED_OUT, ONLINE, replied(L()))
    host.learnLate({ stream: 6, function: 24 })
    host.linkLost()
    asked()
    await communicate()
    await answer(ONLINE, state(5))
    expect(asked()).toEqual(['S1F1', 'S1F3', 'S6F23'])
  })
})

test('alarms are asked for by an array, by a list, and then for those that are enabled', async () => {
  await communicate()
  await answer(ONLINE, state(5), replied(B(2)))
  asked()
  const alarms = (): string[] => [...asked(), body(-1)]
  expect(body(-1)).not.toBe('<L [0]>')
  await answer(TIMED_OUT, ONLINE)
  expect(alarms()).toEqual(['S1F1', 'S5F5', '<L [0]>'])
  await answer({ kind: 'error' })
  expect(asked()).toEqual(['S5F7'])
  await answer(replied(L()))
  host.linkLost()
  await communicate()
  await answer(ONLINE, state(5), replied(B(2)))
  expect(asked()).toEqual(['S1F1', 'S1F3', 'S6F23', 'S5F7'])
})

test('alarms are asked for again where a report of one was lost, until the question can be asked', async () => {
  await communicate()
  await answer(ONLINE, state(5), replied(B(2)), replied(L()))
  asked()
  host.missedAlarm()
  clock.advance(10_000)
  await settle()
  await answer(ONLINE, state(5), LOST)
  expect(asked()).toEqual(['S1F1', 'S1F3', 'S5F5'])
  clock.advance(10_000)
  await settle()
  await answer(ONLINE, state(5), replied(L()))
  expect(asked()).toEqual(['S1F1', 'S1F3', 'S5F5'])
  host.missedAlarm()
  for (let times = 0; times < 61; times++) {
    clock.advance(10_000)
    await settle()
    if (times < 60) await answer(LOST)
  }
  expect(asked()).toEqual(Array.from({ length: 60 }, () => 'S1F1'))
})

describe('spooled data', () => {
  beforeEach(async () => {
    await communicate()
    await answer(ONLINE, state(5))
    asked()
  })
  const quiet = async (): Promise<void> => {
    clock.advance(3000)
    await settle()
  }

  test('is asked for until nothing comes any more, and the alarms after it', async () => {
    await answer(replied(B(0)))
    for (let message = 0; message < 2; message++) {
      report(L(U4(1), U4(2), L()))
      await quiet()
      expect(asked()).toEqual([])
    }
    await quiet()
    expect(asked()).toEqual(['S6F23'])
    await answer(replied(B(0)))
    await quiet()
    expect(asked()).toEqual(['S5F5'])
  })

  test('has not ended while a message of it waits for its record, and its reply', async () => {
    await answer(replied(B(0)))
    isRecording = true
    for (let times = 0; times < 5; times++) await quiet()
    isRecording = false
    report(L(U4(1), U4(2), L()))
    await quiet()
    expect(asked()).toEqual([])
    await quiet()
    expect(asked()).toEqual(['S6F23'])
  })

  test('that never ends keeps the host from nothing else: the alarms and the state are asked for in between', async () => {
    const unload = async (times: number): Promise<void> => {
      for (let round = 0; round < times; round++) {
        await answer(replied(B(0)))
        report(L(U4(1), U4(2), L()))
        await quiet()
        await quiet()
      }
    }
    await unload(20)
    expect(asked().slice(-2)).toEqual(['S6F23', 'S5F5'])
    await answer(replied(L()))
    expect(startUps).toBe(1)
    clock.advance(10_000)
    await settle()
    await answer(ONLINE, state(4))
    expect([asked(), host.controlState]).toEqual([['S1F1', 'S1F3', 'S6F23'], 'ONLINE_LOCAL'])
    await answer(replied(B(2)))
    clock.advance(60_000)
    await settle()
    expect([asked(), startUps]).toEqual([[], 1])
  })

  test('that cannot be told from steady reports holds up the alarms for a minute at most', async () => {
    await answer(replied(B(0)))
    for (let second = 0; second < 63; second++) {
      report(L(U4(1), U4(2), L()))
      clock.advance(1000)
      await settle()
    }
    expect(asked()).toEqual(['S5F5'])
  })

  /** The equipment is too busy for its spool, and gives its alarms. */
  const isBusy = async (): Promise<void> => {
    for (let attempt = 1; attempt <= 6; attempt++) {
      await answer(replied(B(1)))
      expect(asked()).toEqual([])
      clock.advance(10_000)
      await settle()
      expect(asked()).toEqual([attempt < 6 ? 'S6F23' : 'S5F5'])
    }
    await answer(replied(L()))
  }
  const REST = ['S1F1', 'S1F3', 'S6F23']
  const pass = async (seconds: number): Promise<void> => {
    clock.advance(seconds * 1000)
    await settle()
  }

  test('of an equipment that is busy is asked for again, less and less often, until it comes', async () => {
    await isBusy()
    for (const minutes of [1, 2, 4, 8, 10, 10]) {
      await pass(minutes * 60 - 1)
      expect(asked()).toEqual([])
      await pass(1)
      await answer(ONLINE, state(5), replied(B(1)))
      expect(asked()).toEqual(REST)
      await pass(10)
    }
    await pass(600)
    await answer(ONLINE, state(5), replied(B(0)))
    report(L(U4(1), U4(2), L()))
    await quiet()
    await quiet()
    expect(asked()).toEqual([...REST, 'S6F23'])
    await answer(replied(B(2)))
    await pass(86_400)
    expect([asked(), clock.scheduled]).toEqual([[], 0])
  })

  test('of an equipment that is busy is asked for 499 times more at most, and anew once the equipment has sent S1F13', async () => {
    await isBusy()
    let times = 0
    for (; clock.scheduled > 0; times++) {
      await pass(600)
      await answer(ONLINE, state(5), replied(B(1)))
      await pass(10)
    }
    expect(times).toBe(499)
    asked()
    establish()
    establish()
    await settle()
    await answer(ONLINE, state(5))
    expect(asked()).toEqual(REST)
    await isBusy()
    await pass(60)
    await answer(ONLINE, state(5))
    expect(asked()).toEqual(REST)
  })

  test('of an equipment that is busy is not asked for with the control state that is doubted meanwhile', async () => {
    await isBusy()
    await pass(20)
    host.learn({ stream: 2, function: 41, item: undefined }, ABORTED)
    await settle()
    await answer(ONLINE, state(4))
    expect([asked(), host.controlState]).toEqual([['S1F1', 'S1F3'], 'ONLINE_LOCAL'])
    await pass(40)
    await answer(ONLINE, state(5))
    expect(asked()).toEqual(REST)
  })

  test('and alarms are asked for later where callers have all transactions open for long', async () => {
    const allOpen = async (): Promise<void> => {
      for (let second = 0; second < 30; second++) {
        await answer({ kind: 'busy' })
        await pass(1)
      }
    }
    await allOpen()
    expect(new Set(asked())).toEqual(new Set(['S6F23', 'S5F5']))
    await allOpen()
    // After the last attempt no second passes before it is given up.
    await answer(ONLINE, state(5), replied(L()))
    expect(asked().slice(-3)).toEqual(['S1F1', 'S1F3', 'S5F5'])
    await pass(60)
    await answer(ONLINE, state(5))
    expect(asked()).toEqual(REST)
  })

  test('of an equipment that went offline in the middle of it is asked for when it is back', async () => {
    await isBusy()
    await pass(60)
    await answer(ONLINE, state(5), ABORTED, ABORTED)
    expect(asked()).toEqual([...REST, 'S1F1'])
    host.learn({ stream: 1, function: 17, item: undefined }, replied(B(0)))
    await settle()
    await answer(ONLINE, state(5))
    expect(asked()).toEqual(REST)
  })

  test('is read to its end where S1F13 of the equipment came in the middle of it', async () => {
    await answer(replied(B(0)))
    establish()
    establish()
    await settle()
    await answer(ONLINE, state(5))
    expect(asked()).toEqual(REST)
    for (let round = 0; round < 20; round++) {
      await answer(replied(B(0)))
      report(L(U4(1), U4(2), L()))
      await quiet()
      await quiet()
    }
    await answer(replied(L()))
    asked()
    await pass(10)
    await answer(ONLINE, state(5))
    expect(asked()).toEqual(REST)
  })

  test('is read to its end on the next link, whatever becomes of a round of the last one', async () => {
    await answer(replied(B(0)))
    host.linkLost()
    await communicate()
    await answer(ONLINE, state(5))
    asked()
    for (let round = 0; round < 20; round++) {
      await answer(replied(B(0)))
      report(L(U4(1), U4(2), L()))
      await quiet()
      await quiet()
    }
    await answer(replied(L()))
    clock.advance(10_000)
    await settle()
    await answer(ONLINE, state(5))
    expect(asked().at(-1)).toBe('S6F23')
  })

  test('is not waited for once the link is gone', async () => {
    await answer(replied(B(0)))
    host.linkLost()
    await quiet()
    expect(asked()).toEqual([])
  })

  test('tells nothing of the present even where it comes in one breath with S6F24', async () => {
    names = { ...names, variablesOf: () => [CONTROL_STATE] }
    const answered = peer.end(replied(B(0)))
    report(L(U4(1), U4(2), L(L(U4(1), L(U1(1))))))
    await answered
    expect(host.controlState).toBe('ONLINE_REMOTE')
  })

  test('is not what comes from equipment that is busy', async () => {
    names = { ...names, variablesOf: () => [CONTROL_STATE] }
    await answer(replied(B(1)))
    report(L(U4(1), U4(2), L(L(U4(1), L(U1(4))))))
    expect(host.controlState).toBe('ONLINE_LOCAL')
  })

  test('tells nothing of the present: the state is asked for when it has come', async () => {
    names = { ...names, variablesOf: () => [CONTROL_STATE] }
    await answer(replied(B(0)))
    report(L(U4(1), U4(2), L(L(U4(1), L(U1(1))))))
    expect(host.controlState).toBe('ONLINE_REMOTE')
    await quiet()
    await quiet()
    await answer(replied(B(2)), replied(L()))
    clock.advance(10_000)
    await settle()
    expect(asked().slice(-1)).toEqual(['S1F1'])
  })
})

describe('a report that nobody here has defined', () => {
  const event = (rptid: number, ...values: Item[]): void =>
    report(L(U4(1), U4(2), L(L(U4(rptid), L(...values)))))
  beforeEach(async () => {
    await communicate()
    await answer(ONLINE, state(5), replied(B(2)), replied(L()))
    asked()
  })

  test('is asked for at once, once, and one after the other', async () => {
    event(7, A('x'))
    event(7, A('x'))
    event(8, A('y'))
    await settle()
    expect([asked(), body(-1)]).toEqual([['S6F21'], '<U4 7>'])
    await answer(replied(L(L(U4(1), A('x')))))
    expect([asked(), body(-1)]).toEqual([['S6F21'], '<U4 8>'])
    await answer(replied(L()))
    event(8, A('y'))
    await settle()
    expect(asked()).toEqual([])
    host.linkLost()
    await communicate()
    event(8, A('y'))
    await answer(ONLINE, state(5), replied(B(2)))
    expect(asked()).not.toContain('S6F21')
    await answer(replied(L()))
    expect(asked()).toEqual(['S6F21'])
  })

  test('is asked for again where the equipment has sent S1F13, as it may have been defined anew', async () => {
    event(7, A('x'))
    await settle()
    await answer(replied(L()))
    establish()
    await settle()
    await answer(ONLINE, state(5), replied(B(2)), replied(L()))
    asked()
    event(7, A('x'))
    await settle()
    expect(asked()).toEqual(['S6F21'])
  })

  test('is none that is empty, and none that is known, whatever it holds', async () => {
    names = { ...names, variablesOf: (id) => (id === '8' ? null : ['1']) }
    event(7, A('x'))
    event(8)
    event(9, A('x'), A('y'))
    await settle()
    expect(asked()).toEqual([])
  })

  test('is not asked for any more on a link where S6F21 gets no answer', async () => {
    event(7, A('x'))
    event(8, A('x'))
    await settle()
    await answer(TIMED_OUT, ONLINE)
    event(9, A('x'))
    await settle()
    expect(asked()).toEqual(['S6F21', 'S1F1'])
    host.linkLost()
    await communicate()
    await answer(ONLINE, state(5), replied(B(2)), replied(L()))
    asked()
    event(9, A('x'))
    await settle()
    expect(asked()).toEqual([])
  })

  test('is not asked for any more where S6F21 is refused, or may not be asked', async () => {
    event(9, A('x'))
    await settle()
    await answer({ kind: 'error' })
    event(10, A('x'))
    await settle()
    expect(asked()).toEqual(['S6F21'])
    mayAsk = false
    event(11, A('x'))
    await settle()
    expect(asked()).toEqual([])
  })

  test('makes way for the control state', async () => {
    clock.advance(10_000)
    event(7, A('x'))
    event(8, A('x'))
    await settle()
    host.learn({ stream: 2, function: 41, item: undefined }, ABORTED)
    await answer(replied(L()), ONLINE, state(4))
    expect([asked(), host.controlState]).toEqual([['S6F21', 'S1F1', 'S1F3', 'S6F21'], 'ONLINE_LOCAL'])
    expect(body(-1)).toBe('<U4 8>')
  })

  test('waits with the rest for an equipment that is offline', async () => {
    host.linkLost()
    await communicate()
    await answer(ABORTED)
    event(7, A('x'))
    await settle()
    expect(asked()).toEqual(['S1F1'])
  })

  test('is asked for a thousand times on one link at most', async () => {
    names = { ...names, isRefused: () => false }
    report(L(U4(1), U4(2), L(...Array.from({ length: 1005 }, (_, id) => L(U4(id), L(A('x')))))))
    await settle()
    for (let each = 0; each < 1000; each++) await answer(replied(L()))
    expect(asked()).toHaveLength(1000)
  })
})

test('what the equipment is known to refuse is not asked', async () => {
  told.clear()
  names = { ...names, isRefused: (message) => message === 'S1F11' || message === 'S5F5' }
  await communicate()
  await answer(ONLINE, state(5), replied(B(2)))
  expect(asked()).toEqual(['S1F1', 'S1F3', 'S6F23', 'S5F5'])
  expect(body(-1)).toBe('<L [0]>')
})

describe('the control state', () => {
  beforeEach(async () => {
    await communicate()
    await answer(ONLINE, state(5), replied(B(2)), replied(L()))
    asked()
    clock.advance(10_000)
  })

  test('follows the value of ControlState in an event report', () => {
    names = { ...names, variablesOf: () => ['7', CONTROL_STATE] }
    report(L(U4(1), U4(2), L(L(U4(1), L(A('x'), U1(4))))))
    expect(host.controlState).toBe('ONLINE_LOCAL')
    host.replyTo({
      stream: 6,
      function: 13,
      wait: true,
      item: L(U4(1), U4(2), L(L(U4(1), L(L(U4(42), U1(5)))))),
    })
    expect(host.controlState).toBe('ONLINE_REMOTE')
    report(L(U4(1), U4(2), L(L(U4(1), L(U1(1))))))
    expect(host.controlState).toBe('ONLINE_REMOTE')
  })

  test.each(['ControlStateLOCAL', 'Equipment Offline', 'REMOTE', 'OnlineLocal', 'GemControlStateChange'])(
    'is asked for when an event is named %s',
    async (name) => {
      names = { ...names, events: new Map([['2', { name }]]) }
      report(L(U4(1), U4(2), L()))
      await settle()
      expect([asked(), host.controlState]).toEqual([['S1F1'], 'ONLINE_REMOTE'])
      await answer(ONLINE)
      expect(asked()).toEqual(['S1F3'])
    },
  )

  test.each(['ProcessingStarted', 'LocalBufferFull', 'RemoteCommandDone'])(
    'is not asked for when an event is named %s',
    async (name) => {
      names = { ...names, events: new Map([['2', { name }]]) }
      report(L(U4(1), U4(2), L()))
      await settle()
      expect(asked()).toEqual([])
    },
  )

  test("is asked for when a caller's message is aborted, but no more often than every ten seconds", async () => {
    const abort = async (): Promise<void> => {
      host.learn({ stream: 2, function: 41, item: undefined }, ABORTED)
      await settle()
    }
    await abort()
    await abort()
    expect(asked()).toEqual(['S1F1'])
    await answer(ABORTED)
    expect([asked(), host.controlState]).toEqual([[], 'EQUIPMENT_OFFLINE'])
    await abort()
    clock.advance(20_000)
    await settle()
    expect(asked()).toEqual(['S1F1']) // the second abort of before
  })

  test('is asked for when S1F15 is aborted, since equipment that is offline aborts it', async () => {
    host.learn({ stream: 1, function: 15, item: undefined }, ABORTED)
    await settle()
    expect(asked()).toEqual(['S1F1'])
    await answer(ABORTED)
    expect(host.controlState).toBe('EQUIPMENT_OFFLINE')
  })

  test('is asked for when an equipment that was offline speaks, or wants to be online', async () => {
    host.learn({ stream: 1, function: 15, item: undefined }, replied(B(0)))
    expect(host.controlState).toBe('HOST_OFFLINE')
    host.replyTo({ stream: 1, function: 1, wait: true, item: undefined })
    await settle()
    await answer(ONLINE, state(4))
    expect([asked(), host.controlState]).toEqual([['S1F1', 'S1F3'], 'ONLINE_LOCAL'])
  })

  test('is known to who waits for it after S1F17', async () => {
    host.learn({ stream: 1, function: 17, item: undefined }, replied(B(2)))
    let known = false
    void host.controlStateAsked().then(() => {
      known = true
    })
    await settle()
    await answer(ONLINE)
    expect(known).toBe(false)
    await answer(state(4))
    expect([known, host.controlState]).toEqual([true, 'ONLINE_LOCAL'])
  })
})
