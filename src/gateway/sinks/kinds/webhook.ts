import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Agent, buildConnector, request } from 'undici'
import type { SinkTarget } from '../../../contract/topics/sinks/targets.js'
import { allowedAddress, type Lookup, lookupAllowed } from './allowed-address.js'
import type { OpenTarget, OutMessage, Producer, Rejection, SinkKind } from './kind.js'
import { retryAfterMs } from './retry-after.js'
import { invalid, refuseUrl, urlDestinations } from './target-rules.js'
import { untilAborted } from './until-aborted.js'

/** Milliseconds that a target may take to connect, to respond, and for the whole request. */
const CONNECT_TIMEOUT_MS = 10_000
const RESPONSE_TIMEOUT_MS = 30_000
const EXCHANGE_TIMEOUT_MS = 60_000
/** Of a response only this much is read, in bytes, and quoted, in characters. */
const MAX_READ = 4096
const MAX_QUOTED = 120

const compressed = promisify(gzip)
/** Statuses below 500 after which the same request may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

/** Standard Webhooks: the signature of a request. `secret`: `whsec_` and the key in base64. */
export function signature(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
}

/** Sends messages by POST: one CloudEvent, or several as a batch. `lookup`: another one in tests. */
export const webhook =
  (lookup?: Lookup): OpenTarget =>
  ({ webhook: target, secret }, { localTargets, clock }) => {
    if (!target) throw new Error('The sink has no webhook.')
    const { url, batch = 1, gzip: isCompressed = false, ca } = target
    const connector = buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      ...(ca !== undefined && { ca }),
      ...(!localTargets && { lookup: lookupAllowed(lookup) }),
    })
    const agent = new Agent({
      connections: 1,
      headersTimeout: RESPONSE_TIMEOUT_MS,
      bodyTimeout: RESPONSE_TIMEOUT_MS,
      connect: (options, callback) => {
        // A host that is an address is not looked up.
        const refused = localTargets ? undefined : allowedAddress(options.hostname)
        if (refused) return callback(refused, null)
        connector(options, callback)
      },
    })
    return {
      maxMessages: batch,
      async send(messages, signal) {
        const isBatch = batch > 1
        const text = isBatch ? `[${messages.map((one) => one.text).join(',')}]` : (messages[0]?.text ?? '')
        const id = idOf(messages)
        const seconds = Math.floor(clock.date().getTime() / 1000)
        // Standard Webhooks signs the body as it is before its content encoding.
        const headers = {
          'content-type': `application/cloudevents${isBatch ? '-batch' : ''}+json; charset=utf-8`,
          'user-agent': 'secsctl',
          'webhook-id': id,
          'webhook-timestamp': String(seconds),
          ...(secret !== null && { 'webhook-signature': signature(secret, id, seconds, text) }),
          ...(isCompressed && { 'content-encoding': 'gzip' }),
        }
        const body = isCompressed ? await compressed(text) : text
        const late = new AbortController()
        const cancel = clock.at(clock.now() + EXCHANGE_TIMEOUT_MS, () =>
          late.abort(new Error('it took too long')),
        )
        const until = AbortSignal.any([signal, late.signal])
        try {
          const options = { method: 'POST', dispatcher: agent, headers, body, signal: until } as const
          // A request that waits for its connection does not look at the signal.
          const response = await untilAborted(request(url, options), until)
          const said = await beginningOf(response.body)
          return rejectionOf(
            response.statusCode,
            said,
            retryAfterMs(response.headers['retry-after'], clock.date()),
          )
        } finally {
          cancel()
        }
      },
      // The target may keep its connection open for ever.
      close: () => agent.destroy(),
    } satisfies Producer
  }

const KEY_BYTES = { least: 24, most: 64 }

export const WEBHOOK: SinkKind<SinkTarget<'webhook'>> = {
  open: webhook(),
  refuseTarget: (target, world) => refuseUrl('/webhook', target, ['http:', 'https:'], world),
  refuseSecret(secret) {
    const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? ''
    const { length } = Buffer.from(key, 'base64')
    if (length < KEY_BYTES.least || length > KEY_BYTES.most)
      throw invalid('/secret', `is not "whsec_" and ${KEY_BYTES.least} to ${KEY_BYTES.most} bytes in base64`)
  },
  destinations: urlDestinations,
}

/** Of several messages, those of the first and the last. */
function idOf(messages: readonly OutMessage[]): string {
  const [first, last] = [messages[0]?.id ?? '', messages.at(-1)?.id ?? '']
  return first === last ? first : `${first}..${last.slice(last.indexOf('-') + 1)}`
}

function rejectionOf(status: number, said: string, retryAfter: number | undefined): Rejection | undefined {
  if (status >= 200 && status < 300) return undefined
  const quoted = said === '' ? '' : `: ${said}`
  const moved = status >= 300 && status < 400 ? ', a redirect, which is not followed' : quoted
  return {
    isPermanent: status >= 400 && status < 500 && !PASSING.has(status),
    detail: `it responded with ${status}${moved}`,
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

/** The beginning of the response, as one line; what follows is not read. A broken body does not change the status. */
async function beginningOf(body: AsyncIterable<Uint8Array> & { destroy(): void }): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for await (const part of body) {
      parts.push(part)
      size += part.length
      if (size >= MAX_READ) break
    }
  } catch {
    // The status has said it all.
  }
  body.destroy()
  const text = Buffer.concat(parts).toString('utf8')
  return text
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, MAX_QUOTED)
}
