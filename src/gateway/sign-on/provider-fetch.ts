import { Agent, type Dispatcher, fetch, ProxyAgent } from 'undici'
import type { Clock } from '../../kit/clock.js'
import type { SignOnSettings } from './sign-on-settings.js'

const CONNECT_TIMEOUT_MS = 5000
const TIMEOUT_MS = 10_000
/** Milliseconds until an idle connection is closed: before the provider closes it, in the middle of a request. */
const IDLE_MS = 1000
/** Bytes of a response of the provider, once it is unpacked: keys and tokens are far shorter. */
const MAX_RESPONSE = 1024 * 1024
/** Connections to the provider at once; further requests wait for one. */
const MAX_CONNECTIONS = 16
/** They describe the response as it was on its way. */
const OF_TRANSFER = ['content-encoding', 'content-length', 'transfer-encoding']
/** Statuses of responses without a body. */
const WITHOUT_BODY = [204, 205, 304]

/** The code of the error for a response that is longer than the limit. */
export const TOO_LONG = 'SSO_RESPONSE_TOO_LONG'

/** Requests to the identity provider: with the authorities that it is certified by, and over a proxy. */
export class ProviderFetch {
  readonly #dispatcher: Dispatcher
  /** Milliseconds by which the clock of the provider was ahead of ours at its last response; undefined before one. */
  clockDifference: number | undefined

  constructor(
    { ca, proxy }: Pick<SignOnSettings, 'ca' | 'proxy'>,
    readonly clock: Clock,
  ) {
    const tls = { timeout: CONNECT_TIMEOUT_MS, ...(ca !== undefined && { ca }) }
    const limits = {
      connections: MAX_CONNECTIONS,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    }
    this.#dispatcher =
      proxy === undefined
        ? new Agent({ ...limits, connect: tls })
        : new ProxyAgent({ ...limits, uri: proxy, requestTls: tls, proxyTls: tls })
  }

  /** The whole response. Throws where it is too long. */
  readonly fetch = async (url: string, options: object): Promise<Response> => {
    const response = await fetch(url, { ...options, dispatcher: this.#dispatcher })
    const theirs = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(theirs)) this.clockDifference = theirs - this.clock.date().getTime()
    const { status, statusText, body } = response
    const headers = new Headers([...response.headers])
    for (const name of OF_TRANSFER) headers.delete(name)
    const bytes = await wholeOf(body ?? [])
    return new Response(WITHOUT_BODY.includes(status) ? null : bytes, { status, statusText, headers })
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy()
  }
}

async function wholeOf(
  body: AsyncIterable<Uint8Array> | readonly Uint8Array[],
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > MAX_RESPONSE)
      throw Object.assign(new Error(`the response is longer than ${MAX_RESPONSE} bytes`), { code: TOO_LONG })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
