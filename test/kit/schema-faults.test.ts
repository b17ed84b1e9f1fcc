import { expect, test } from 'vitest'
import { faultsBy, fileWording } from '../../src/kit/schema-faults.js'

test.each([
  ['a keyword that is unknown', { type: 'integer', least: 1 }],
  ['a keyword of the wrong type', { type: 'integer', minimum: '1' }],
  ['a type that is unknown', { type: 'int' }],
  ['a format that is unknown', { type: 'string', format: 'ip' }],
  ['a keyword of another type', { type: 'string', minimum: 1 }],
])('a schema with %s is refused when it is first used', (_, schema) => {
  const faultsIn = faultsBy(
    schema,
    fileWording(() => ''),
  )
  expect(() => faultsIn(1)).toThrow()
})
