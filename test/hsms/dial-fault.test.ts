import { expect, test } from 'vitest'
import { dialFault } from '../../src/hsms/dial-fault.js'

test.each([
  { code: 'ECONNREFUSED', is: 'connection_refused' },
  { code: 'ECONNRESET', is: 'connection_refused' },
  { code: 'EHOSTUNREACH', is: 'no_route' },
  { code: 'ENETUNREACH', is: 'no_route' },
  { code: 'ENOTFOUND', is: 'no_route' },
  { code: 'ETIMEDOUT', is: 'connect_timeout' },
  { code: 'EPERM', is: 'no_route' },
])('$code on a dial is $is, and the address is named', ({ code, is }) => {
  const fault = dialFault(Object.assign(new Error(`connect ${code}`), { code }), '192.0.2.7', 5000)
  expect(fault.code).toBe(is)
  expect(fault.detail).toContain('192.0.2.7:5000')
})

test('an error without a message, as of a name with several addresses, is told by its code', () => {
  const error = Object.assign(new AggregateError([]), { code: 'ENETUNREACH' })
  expect(dialFault(error, 'tool', 5000).detail).toBe('there is no way to tool:5000 (ENETUNREACH)')
})
