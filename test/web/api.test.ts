import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/api/openapi/openapi.js'
import { endpoints } from '../../src/contract/endpoints.js'
import {
  type ApiDocument,
  curlOf,
  found,
  isDotted,
  operationsOf,
  requestOf,
  typeText,
} from '../../src/web/api-page/document.js'
import { urlOf } from '../../src/web/gateway/call.js'

const operations = operationsOf(openApiDocument('1') as unknown as ApiDocument)
const operation = (id: string) => {
  const one = operations.find(({ operationId }) => operationId === id)
  if (!one) throw new Error(id)
  return one
}

test('all operations are there, and a search finds them by any of their words', () => {
  expect(operations.length).toBeGreaterThanOrEqual(Object.keys(endpoints).length)
  expect(found(operations, 'POST acknowledge alarms').map(({ operationId }) => operationId)).toContain(
    'acknowledgeAlarms',
  )
  expect(found(operations, 'no such words')).toEqual([])
  expect(found(operations, '')).toEqual(operations)
})

test('a request has its parameters in their places, and a list is repeated', () => {
  const list = requestOf(operation('listEvents'), { type: 'alarm, state', limit: '5', to: '' }, '')
  expect(list).toEqual({
    method: 'GET',
    target: '/api/v1/events?limit=5&type=alarm&type=state',
    body: undefined,
  })
  const one = requestOf(operation('getEquipment'), { id: 'a/b' }, '')
  expect(one.target).toBe('/api/v1/equipment/a%2Fb')
})

test('curl gets what a shell leaves as it is', () => {
  const request = { method: 'PUT', target: '/api/v1/x?a=1&b=2', body: `{"text":"it's"}` }
  expect(curlOf(request, 'http://gw:7327')).toBe(
    [
      `curl -X PUT 'http://gw:7327/api/v1/x?a=1&b=2' \\`,
      `  -H "Authorization: Bearer $SECSCTL_TOKEN" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"text":"it'\\''s"}'`,
    ].join('\n'),
  )
})

test.each(['..', '.'])('a value %s in a path is neither sent by the page nor changed by curl', (ppid) => {
  const request = requestOf(operation('deleteRecipe'), { id: 'eq_1', ppid }, '')
  expect(isDotted(request.target)).toBe(true)
  expect(curlOf(request, 'http://gw:7327')).toContain('--path-as-is ')
  expect(() => urlOf(endpoints.deleteRecipe, { params: { id: 'eq_1', ppid } })).toThrow(RangeError)
  const other = requestOf(operation('deleteRecipe'), { id: 'eq_1', ppid: `${ppid}.a/..` }, '')
  expect(isDotted(other.target)).toBe(false)
})

test('types are said in a few words', () => {
  expect(typeText({ $ref: '#/components/schemas/Alarm' })).toBe('Alarm')
  expect(typeText({ type: 'array', items: { type: 'integer', minimum: 1 } })).toBe('array of integer, 1 to …')
  expect(typeText({ enum: ['a', 'b'] })).toBe('"a", "b"')
  expect(typeText({ type: 'string', format: 'date-time', nullable: true })).toBe('string (date-time) or null')
})
