import { expect, test } from 'vitest'
import { refuseUnlessReady } from '../../../src/gateway/link/session-refusal.js'

const ERROR = { code: 'connection_refused', detail: 'nothing listens there', at: '' } as never

/** What sending is refused with. */
function refusal(
  given: { connection?: string; communication?: string; lastError?: never },
  [stream, fn]: readonly [number, number] = [1, 3],
  wanted = true,
): unknown {
  const session = {
    connectionState: given.connection ?? 'SELECTED',
    lastError: given.lastError ?? null,
    host: { communicationState: given.communication ?? 'COMMUNICATING' },
    current: () => ({ id: 'eq_1', name: 'etcher' }),
  }
  try {
    refuseUnlessReady(session as never, { stream, function: fn }, wanted)
    return undefined
  } catch (error) {
    return error
  }
}

test('what equipment may be sent before communication is established is S1F13 alone', () => {
  const communication = 'WAIT_CRA'
  expect(refusal({})).toBeUndefined()
  expect(refusal({ communication }, [1, 13])).toBeUndefined()
  for (const [stream, fn] of [
    [1, 3],
    [2, 13],
  ] as const)
    expect(refusal({ communication }, [stream, fn])).toMatchObject({
      code: 'equipment_not_communicating',
      message: expect.stringMatching(/WAIT_CRA.*if it has no GEM/),
    })
  expect(refusal({ communication, lastError: ERROR })).toMatchObject({
    message: expect.stringMatching(/WAIT_CRA\): nothing listens there\./),
  })
})

test('without a connection nothing is sent, and the problem says whether the gateway keeps trying', () => {
  const connection = 'CONNECTING'
  expect(refusal({ connection }, [1, 13])).toMatchObject({
    code: 'equipment_not_connected',
    message: 'etcher is CONNECTING, not SELECTED. The gateway keeps trying.',
    extra: {},
  })
  expect(refusal({ connection }, [1, 13])).not.toHaveProperty('extra.next')
  expect(refusal({ connection, lastError: ERROR }, [1, 13], false)).toMatchObject({
    message: 'etcher is CONNECTING, not SELECTED. Last error: nothing listens there. Connect it first.',
    extra: { next: [{ operation: 'connectEquipment', parameters: { id: 'eq_1' } }] },
  })
})
