import { Event } from '../../contract/topics/events.js'
import {
  FlatEvent,
  Gap,
  type SinkFormat,
  SinkMessage,
  Trial,
} from '../../contract/topics/sinks/sink-message.js'
import type { Json, JsonObject } from '../../kit/text/json.js'

/** JSON Schema 2020-12 of the messages of a sink with this format. It refers to nothing outside. */
export function sinkSchema(format: SinkFormat): JsonObject {
  const data = { anyOf: [named(format === 'flat' ? 'FlatEvent' : 'Event'), named('Gap'), named('Test')] }
  const { properties, ...message } = jsonSchema(SinkMessage) as { readonly properties: JsonObject }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `A message of a sink of secsctl with the format ${format}`,
    description: 'A CloudEvent 1.0 in its structured form.',
    ...message,
    properties: { ...properties, data },
    $defs: {
      ...(format === 'flat' ? { FlatEvent: jsonSchema(FlatEvent) } : { Event: jsonSchema(Event) }),
      Gap: jsonSchema(Gap),
      Test: jsonSchema(Trial),
    },
  }
}

const named = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` })

/** A schema of the contract, which has the dialect of OpenAPI 3.0. */
function jsonSchema(value: unknown): Json {
  if (Array.isArray(value)) return value.map(jsonSchema)
  if (typeof value !== 'object' || value === null) return value as Json
  const { component, discriminator, nullable, type, properties, ...rest } = value as Readonly<
    Record<string, unknown>
  >
  return {
    ...(type !== undefined && { type: nullable === true ? [type as string, 'null'] : (type as string) }),
    ...(properties !== undefined && { properties: each(properties as object) }),
    ...each(rest),
  }
}

const each = (values: object): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, jsonSchema(value)]))
