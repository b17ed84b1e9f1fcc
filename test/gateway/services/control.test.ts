import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/errors.js'
import type { Gateway } from '../../../src/gateway/open-gateway.js'
import type { SendOptions } from '../../../src/gateway/services/asking.js'
import { controlHandlers } from '../../../src/gateway/services/control.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'

interface Scene {
  readonly code: number
  /** The state when the command is acknowledged. */
  readonly state?: string
  /** The state that the host's own question finds; undefined where it gets no reply. */
  readonly found?: string
  /** The id of the variable ControlState, where it is known. */
  readonly vid?: string
  /** What each S1F3 finds, or how it fails. */
  readonly replies?: readonly (string | Error)[]
}

/** Goes online, or offline, in made-up time; `ms` is how long that took. */
async function went(way: 'goOnline' | 'goOffline', scene: Scene) {
  const { code, state = 'EQUIPMENT_OFFLINE', found, vid, replies = [] } = scene
  const clock = new ManualClock()
  const host = {
    controlState: state,
    controlStateAsked: () => {
      if (found !== undefined) host.controlState = found
      return found === undefined ? new Promise(() => {}) : Promise.resolve()
    },
  }
  const asked: unknown[] = []
  const asking = {
    acknowledge: async (_: string, message: string) => ({
      ...{ accepted: code === 0, code, text: message, message_id: '1', reply_id: '2' },
    }),
    ask: async (...[, message, data, options]: unknown[]) => {
      const reply = replies[asked.length] ?? host.controlState
      asked.push([message, data, options])
      if (reply instanceof Error) throw reply
      host.controlState = reply
    },
  }
  const equipment = { session: () => ({ host }) }
  const naming = {
    of: () => ({ idOf: (_: string, name: string) => (name === 'ControlState' ? vid : undefined) }),
  }
  const gateway = { asking, clock, equipment, naming } as unknown as Gateway
  const send: SendOptions = { request: undefined }
  const call = { params: { id: 'eq_1' }, send, query: {}, body: {} } as never
  let isDone = false
  const result = controlHandlers[way](call, gateway).finally(() => {
    isDone = true
  })
  result.catch(() => {})
  await settle()
  while (!isDone) {
    clock.advance(50)
    await settle()
  }
  return { result: await result, asked, ms: clock.now(), left: clock.scheduled }
}

test.each<[string, Scene, object, number]>([
  ['refuses', { code: 1 }, { accepted: false, onlack: 1, control_state: 'EQUIPMENT_OFFLINE' }, 0],
  [
    'is online already',
    { code: 2, found: 'ONLINE_LOCAL' },
    { accepted: true, control_state: 'ONLINE_LOCAL' },
    0,
  ],
  ['is online at once', { code: 0, found: 'ONLINE_REMOTE' }, { control_state: 'ONLINE_REMOTE' }, 0],
  ['has no ControlState', { code: 0, found: 'HOST_OFFLINE' }, { control_state: 'HOST_OFFLINE' }, 0],
  ['does not reply', { code: 0 }, { control_state: 'EQUIPMENT_OFFLINE' }, 5000],
  [
    'is online later',
    { code: 0, found: 'x', vid: '7', replies: ['x', 'x', 'ONLINE_LOCAL'] },
    { accepted: true },
    500,
  ],
  [
    'is online without its own reply',
    { code: 0, vid: '7', replies: ['ONLINE_LOCAL'] },
    { accepted: true },
    1000,
  ],
  ['stays offline', { code: 0, found: 'x', vid: '7' }, { accepted: true, control_state: 'x' }, 5000],
  [
    'aborts S1F3',
    { code: 0, found: 'x', vid: '7', replies: [new Problem('transaction_aborted', '')] },
    {},
    0,
  ],
])('equipment that is to go online and %s', async (_, scene, result, ms) => {
  const end = await went('goOnline', scene)
  expect(end.result).toMatchObject(result)
  expect([end.ms, end.left]).toEqual([ms, 0])
})

test('the questions for the state fit into the time that is left, of which each has 0.1 s at least', async () => {
  const { asked } = await went('goOnline', { code: 0, found: 'x', vid: '7' })
  expect(asked).toHaveLength(20)
  expect(asked.slice(0, 2)).toEqual([
    ['S1F3', { SVID: ['7'] }, { timeout: 5 }],
    ['S1F3', { SVID: ['7'] }, { timeout: 4.75 }],
  ])
})

test('a bug while the state is asked for is no reply', async () => {
  const scene = { code: 0, found: 'x', vid: '7', replies: [new TypeError('bug')] }
  await expect(went('goOnline', scene)).rejects.toThrow('bug')
})

test('equipment goes offline without a further question', async () => {
  const { result, asked } = await went('goOffline', { code: 0, state: 'HOST_OFFLINE' })
  expect(result).toMatchObject({
    accepted: true,
    oflack: 0,
    oflack_text: 'S1F15',
    control_state: 'HOST_OFFLINE',
  })
  expect(asked).toEqual([])
})
