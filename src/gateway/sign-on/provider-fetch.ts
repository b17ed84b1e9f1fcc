import { Agent, type Dispatcher, fetch, ProxyAgent } from 'undici'
import type { Clock } from '../../kit/clock.js'
import type { SignOnSettings } from './sign-on-settings.js'

const CONNECT_TIMEOUT_MS = 5000
const TIMEOUT_MS = 10_000
/** Bytes of a response of the provider: keys and tokens are far shorter. */
const MAX_RESPONSE = 1024 * 1024
/** Connections to the provider at once; further requests wait for one. */
const MAX_CONNECTIONS = 16

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
      maxResponseSize: MAX_RESPONSE,
    }
    this.#dispatcher =
      proxy === undefined
        ? new Agent({ ...limits, connect: tls })
        : new ProxyAgent({ ...limits, uri: proxy, requestTls: tls, proxyTls: tls })
  }

  readonly fetch = async (url: string, options: object): Promise<Response> => {
    const response = await fetch(url, { ...options, dispatcher: this.#dispatcher })
    const theirs = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(theirs)) this.clockDifference = theirs - this.clock.date().getTime()
    return response as unknown as Response
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy()
  }
}
