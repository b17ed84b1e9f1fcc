import { expect, test } from 'vitest'
import { faultsBy } from '../../../src/api/request/faults.js'
import { endpoints } from '../../../src/contract/endpoints.js'

test.each([
  [{ name: 'mes', webhook: { url: 'ftp://mes' } }, '/webhook/url', 'must begin with http:// or https://'],
  [
    { name: 'mes', mqtt: { url: 'http://mes', topic: 'a' } },
    '/mqtt/url',
    'must begin with mqtt:// or mqtts://',
  ],
])('a sink with %j is told what its address needs, and no pattern', (body, pointer, detail) => {
  expect(faultsBy(endpoints.createSink.body, 'body')(body)).toContainEqual({ pointer, detail })
})

test('an email and a name are told what they need', () => {
  const body = { email: 'ann', name: ' Ann', password: 'correct horse battery', role: 'viewer' }
  expect(faultsBy(endpoints.createUser.body, 'body')(body)).toEqual([
    { pointer: '/email', detail: 'must be an email address: printable characters around one @' },
    {
      pointer: '/name',
      detail: 'must have printable characters only, and no space at the start or end',
    },
  ])
})
