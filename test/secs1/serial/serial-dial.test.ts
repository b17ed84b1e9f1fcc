import { expect, test } from 'vitest'
import { deferred } from '../../../src/kit/deferred.js'
import { serialDial } from '../../../src/secs1/serial/serial-dial.js'

/** Why an attempt to open this port failed. */
async function failure(refusal?: () => Promise<string | undefined>): Promise<string> {
  const failed = deferred<string>()
  const { promise } = failed
  const connection = serialDial(
    '/dev/no-such-port',
    9600,
    refusal,
  )({
    opened: () => failed.resolve('opened'),
    failed: ({ message }) => failed.resolve(message),
    bytes: () => {},
    lost: (detail) => failed.resolve(detail),
  })
  expect(connection.endpoints).toEqual({ local: '/dev/no-such-port', remote: '/dev/no-such-port' })
  return promise
}

test('each attempt opens the port anew, unless it is refused', async () => {
  let asked = 0
  const refusals = ['it is in use', undefined]
  const refusal = async () => refusals[asked++]
  expect(await failure(refusal)).toContain('it is in use')
  expect(await failure(refusal)).toContain('/dev/no-such-port')
  expect(asked).toBe(2)
  expect(await failure()).toContain('/dev/no-such-port')
})
