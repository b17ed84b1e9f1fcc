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
  const details: Record<string, Json> = {}
  const params = call.params as JsonObject
  const isOfEquipment = path.startsWith('/equipment/{id}')
  for (const name in params) if (!isOfEquipment || name !== 'id') details[name] = params[name] ?? null
  const query = call.query as JsonObject
  for (const name in query) if (!INCIDENTAL.includes(name)) details[name] = bounded(query[name])
  const body = (call.body ?? {}) as Readonly<Record<string, unknown>>
  const fields: string[] = []
  for (const name in body) {
    const value = body[name]
    if (value === undefined) continue
    if (audited.includes(name)) details[name] = name === 'ids' ? idsText(value as string[]) : bounded(value)
    else if (!INCIDENTAL.includes(name)) fields.push(name)
  }
  const { sml, body: content } = body
  const [message] = (typeof sml === 'string' && /S\d{1,3}F\d{1,3}/i.exec(sml.slice(0, SML_START))) || []
  if (message !== undefined) details['message'] = message.toUpperCase()
  if (typeof content === 'string') details['size'] = Buffer.byteLength(content, 'base64')
  if (fields.length > 0) details['fields'] = fields
  return details
}
