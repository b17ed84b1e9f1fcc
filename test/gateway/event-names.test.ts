import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/api/openapi/openapi.js'
import { EVENT_NAMES, EVENT_TYPES } from '../../src/contract/topics/events.js'
import { connectionEventName } from '../../src/gateway/events/connection-events.js'
import * as kinds from '../../src/gateway/records/journal-kinds.js'

const STATES = ['NOT_CONNECTED', 'CONNECTING', 'LISTENING', 'NOT_SELECTED', 'SELECTED'] as const

test('the contract names every event that the gateway writes', () => {
  const connection = STATES.flatMap((from) => STATES.map((to) => connectionEventName(from, to)))
  const isEvent = (type: string): boolean => (EVENT_TYPES as readonly string[]).includes(type)
  const others = Object.values(kinds).flatMap((kind) =>
    'name' in kind && isEvent(kind.type) ? [kind.name] : [],
  )
  expect(EVENT_NAMES).toEqual(expect.arrayContaining([...connection, ...others]))
})

test('the OpenAPI document has the data of each name, and none of a name that nobody writes', () => {
  const { components } = openApiDocument('1') as { components: { schemas: { Event: object } } }
  expect(components.schemas.Event).toMatchObject({ discriminator: { propertyName: 'name' } })
  const { discriminator } = components.schemas.Event as { discriminator: { mapping: object } }
  expect(Object.keys(discriminator.mapping).sort()).toEqual([...EVENT_NAMES].sort())
})
