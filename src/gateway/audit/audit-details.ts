import type { AnyEndpoint, Call } from '../../contract/endpoint.js'
import type { Json, JsonObject } from '../../kit/text/json.js'

/** Characters of JSON of one value in an entry. */
const MAX_VALUE = 512

/** A long value is not repeated. */
function bounded(value: unknown): Json {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > MAX_VALUE ? `(${text.length} characters)` : (value as Json)
}

/** Ids of several records are repeated in full: what was done is not known without them. */
const idsText = (ids: readonly string[]): string => ids.join(' ')

/** Parameters of the query that do not say what is done. */
const INCIDENTAL: readonly string[] = ['timeout', 'wait', 'reason']

/** Characters of SML in which the stream and function are searched. */
const SML_START = 64

/** What an entry says of a call: what its row lists in `audited`, and the names of all other members of the body. */
export function auditDetails({ path, audited }: AnyEndpoint, call: Call<AnyEndpoint>): JsonObject {
  const params = { ...(call.params as JsonObject) }
  if (path.startsWith('/equipment/{id}')) delete params['id']
  const query = Object.entries(call.query as JsonObject).filter(([name]) => !INCIDENTAL.includes(name))
  const body = (call.body ?? {}) as Readonly<Record<string, unknown>>
  const given = Object.keys(body).filter((name) => body[name] !== undefined)
  const shown = given.filter((name) => audited.includes(name))
  const fields = given.filter((name) => !audited.includes(name) && !INCIDENTAL.includes(name))
  const { sml, body: content } = body
  const [message] = (typeof sml === 'string' && /S\d{1,3}F\d{1,3}/i.exec(sml.slice(0, SML_START))) || []
  return {
    ...params,
    ...Object.fromEntries(query.map(([name, value]) => [name, bounded(value)])),
    ...Object.fromEntries(
      shown.map((name) => [name, name === 'ids' ? idsText(body[name] as string[]) : bounded(body[name])]),
    ),
    ...(message !== undefined && { message: message.toUpperCase() }),
    ...(typeof content === 'string' && { size: Buffer.byteLength(content, 'base64') }),
    ...(fields.length > 0 && { fields }),
  }
}
