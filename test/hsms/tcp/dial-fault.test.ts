import { expect, test } from 'vitest'
import { dialFault, lossDetail } from '../../../src/hsms/tcp/dial-fault.js'

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

test('an error without a message, as of a name with several addresses, is reported by its code', () => {
  const error = Object.assign(new AggregateError([]), { code: 'ENETUNREACH' })
  expect(dialFault(error, 'tool', 5000).detail).toBe('there is no way to tool:5000 (ENETUNREACH)')
})

test.each([
  ['ECONNRESET', 'the peer broke the connection off (ECONNRESET)'],
  ['ETIMEDOUT', 'the peer does not respond any more (ETIMEDOUT)'],
  ['ENETDOWN', 'there is no way to the peer any more (ENETDOWN)'],
  ['EOTHER', 'read EOTHER'],
])('the end of a connection by %s is told in words', (code, told) => {
  expect(lossDetail(Object.assign(new Error(`read ${code}`), { code }))).toBe(told)
  expect(lossDetail(new Error('the peer closed the connection'))).toBe('the peer closed the connection')
})
