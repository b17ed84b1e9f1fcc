import { expect, test } from 'vitest'
import type { Broker } from '../../../src/gateway/sinks/kinds/mqtt/broker.js'
import { KeptBroker } from '../../../src/gateway/sinks/kinds/mqtt/kept-broker.js'
import { untilAborted } from '../../../src/gateway/sinks/kinds/until-aborted.js'
import { deferred } from '../../../src/kit/deferred.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'

const NEVER = new AbortController().signal

/** A broker that is there as long as `isThere`; `did` has what happened to it. */
function scene() {
  const clock = new ManualClock()
  const broker = { isThere: true, offersQos1: true, beginFails: false, endFails: false }
  const did: string[] = []
  const over: AbortController[] = []
  const connect = async (signal: AbortSignal): Promise<Broker> => {
    did.push('connect')
    if (!broker.isThere) throw new Error('away')
    signal.throwIfAborted()
    const ended = new AbortController()
    over.push(ended)
    const drop = (): void => {
      did.push('drop')
      ended.abort()
    }
    const close = async (): Promise<void> => void did.push('close')
    return { ended: ended.signal, offersQos1: broker.offersQos1, drop, close } as unknown as Broker
  }
  const begin = async (): Promise<void> => {
    did.push('begin')
    if (broker.beginFails) throw new Error('refused')
  }
  const end = async (): Promise<void> => {
    did.push('end')
    if (broker.endFails) throw new Error('late')
  }
  const kept = new KeptBroker({ clock, connect, begin, end })
  const taken = () => did.splice(0).join(' ')
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
    return taken()
  }
  const lose = (): void => over.at(-1)?.abort()
  return { kept, clock, broker, taken, pass, lose }
}

test('a connection is made at once, and kept for all who need it', async () => {
  const { kept, taken, pass } = scene()
  expect(taken()).toBe('')
  expect(await pass(0)).toBe('connect begin')
  const [one, other] = [await kept.connected(NEVER), await kept.connected(NEVER)]
  expect([one === other, await pass(1_000_000)]).toEqual([true, ''])
})

test('who needs it first connects, once', async () => {
  const { kept, taken, pass } = scene()
  await Promise.all([kept.connected(NEVER), kept.connected(NEVER)])
  expect([taken(), await pass(1_000_000)]).toEqual(['connect begin', ''])
})

test('a connection that has ended is made again after a second, or when it is needed', async () => {
  const { kept, pass, lose } = scene()
  await pass(0)
  lose()
  expect(await pass(999)).toBe('')
  expect(await pass(1)).toBe('connect begin')
  lose()
  await kept.connected(NEVER)
  expect(await pass(0)).toBe('connect begin')
  expect(await pass(10_000)).toBe('')
})

test('attempts that fail follow each other ever more slowly, 5 min at most, until one succeeds', async () => {
  const { broker, pass, clock, lose } = scene()
  broker.isThere = false
  expect(await pass(0)).toBe('connect')
  for (const longest of [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
    // Shorter by up to a half.
    expect(await pass(longest * 500 - 1)).toBe('')
    expect(await pass(longest * 500 + 1)).toBe('connect')
  }
  broker.isThere = true
  await pass(300_000)
  lose()
  expect(await pass(1000)).toBe('connect begin')
  expect(clock.scheduled).toBe(0)
})

test.each([
  ['does not offer QoS 1', { offersQos1: false }, 'connect drop'],
  ['refuses what it begins with', { beginFails: true }, 'connect begin drop'],
])('a broker that %s is dropped and tried again', async (_, fault, did) => {
  const { kept, broker, pass, taken } = scene()
  Object.assign(broker, fault)
  await expect(kept.connected(NEVER)).rejects.toThrow(/QoS 1|refused/)
  expect(taken()).toBe(did)
  Object.assign(broker, { offersQos1: true, beginFails: false })
  expect(await pass(2000)).toBe('connect begin')
})

test('who waits for a connection is freed when the call is aborted', async () => {
  const { kept } = scene()
  const over = new AbortController()
  const waiting = kept.connected(over.signal)
  over.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
})

test.each([true, false])('it is closed with a goodbye, also where that fails: %s', async (endFails) => {
  const { kept, broker, pass, taken, clock, lose } = scene()
  broker.endFails = endFails
  await pass(0)
  await kept.close()
  expect([taken(), clock.scheduled]).toEqual(['end close', 0])
  lose()
  expect(await pass(10_000)).toBe('')
})

test('what is not connected is closed at once, and connects no more', async () => {
  const early = scene()
  await early.kept.close()
  expect(await early.pass(10_000)).toBe('')
  const ended = scene()
  await ended.pass(0)
  ended.lose()
  await ended.kept.close()
  expect(await ended.pass(10_000)).toBe('')
})

test.each<[what: string, work: (aborts: AbortController[]) => Promise<string>, result: string]>([
  ['the work that ends first', async () => 'done', 'done'],
  ['the failure of the work', () => Promise.reject(new Error('failed')), 'failed'],
  [
    'the first abort',
    ([, second]) => {
      queueMicrotask(() => second?.abort(new Error('second')))
      return deferred<string>().promise
    },
    'second',
  ],
  [
    'an abort before it',
    ([first]) => {
      first?.abort(new Error('first'))
      return Promise.resolve('done')
    },
    'first',
  ],
])('until it is aborted, the result is %s', async (_, work, result) => {
  const aborts = [new AbortController(), new AbortController()]
  const until = untilAborted(work(aborts), ...aborts.map(({ signal }) => signal))
  expect(await until.catch(({ message }: Error) => message)).toBe(result)
})
