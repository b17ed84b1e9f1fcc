import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.js'
import type {
  CallResponse,
  Idempotency,
  KeyedRequest,
  Replayable,
} from '../../gateway/idempotency/idempotency.js'
import type { JsonObject } from '../../kit/text/json.js'
import { problemBody } from '../responses/errors.js'
import { callerOf } from './authenticate.js'

const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/

function idempotencyKey(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined) return undefined
  if (typeof given !== 'string' || !KEY.test(given)) {
    throw new Problem('invalid_request', 'Idempotency-Key has to be 1 to 255 printable ASCII characters.', {
      errors: [{ pointer: 'Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' }],
    })
  }
  return given
}

/** The result of the caller's own message, also a refusal or failure: a repeat must get the same response. */
const isFinal = (problem: Problem, hasSent: boolean): boolean =>
  hasSent && (problem.kind === 'equipment' || problem.kind === 'timeout' || problem.status < 500)

/** Query parameters that do not change what is done: how long the client waits, and why it calls. */
const INCIDENTAL: readonly string[] = ['timeout', 'wait', 'reason']

/** The parameters that say what is to be done, in one order; empty where there is none. A `false` is the same as none. */
function wantedBy(query: object): string {
  const wanted = Object.entries(query).filter(
    ([name, value]) => value !== false && !INCIDENTAL.includes(name),
  )
  return wanted.length === 0 ? '' : JSON.stringify(wanted.sort())
}

/** Identifies the content of a request: by the bytes of a long body, by the value of another. */
const fingerprintOf = ({ body, bodyDigest }: FastifyRequest, wanted: string): string =>
  createHash('sha256')
    .update((bodyDigest ?? JSON.stringify(body ?? {})) + wanted)
    .digest('base64url')

/**
 * Does `work`, or gives the stored response when the caller gave the same `Idempotency-Key`. A repeat that
 * waits longer is a repeat; one whose `query` wants something else is another request.
 */
export async function idempotent(
  request: FastifyRequest,
  query: object,
  idempotency: Idempotency,
  work: (keyed?: KeyedRequest) => Promise<CallResponse>,
): Promise<Replayable> {
  const key = idempotencyKey(request)
  if (key === undefined) {
    const { status, body } = await work()
    return { status, body, replayed: false }
  }
  const path = request.url.split('?', 1)[0] ?? ''
  // Not the path as it is written: one resource can have several spellings, such as `/eq_1` and `/eq%5F1`.
  const { routeOptions, params, method } = request
  const scope = JSON.stringify([callerOf(request).id, method, routeOptions.url, params])
  const fingerprint = fingerprintOf(request, wantedBy(query))
  return idempotency.run(scope, key, fingerprint, async (keyed) => {
    try {
      return await work(keyed)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (!isFinal(error, keyed.hasSent)) throw error
      return { status: error.status, body: problemBody(error, path, request.id) as JsonObject }
    }
  })
}
