import { requireDocumented } from './api-document.js'
import { ADMIN } from './daemon-process.js'

const MAX_TRIES = 60

/** Whatever JSON came: a client without a schema looks and sees. */
export type PlainBody = ReturnType<typeof JSON.parse>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: PlainBody
}

/**
 * A client that knows nothing but the specification: paths, JSON bodies, and a bearer token. What it is answered
 * has to be in the OpenAPI document.
 */
export class PlainClient {
  token: string | undefined

  constructor(readonly url: string) {}

  /** Repeats a call that no daemon has carried out yet, as the specification says of `equipment_unowned`. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#callOnce(method, path, body, headers)
      if (answer.body?.code !== 'equipment_unowned' || tries === MAX_TRIES) return answer
      const seconds = Number(answer.headers.get('retry-after'))
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }

  async #callOnce(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    requireDocumented({
      method,
      url: `/api/v1${path}`,
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      body: text,
    })
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }

  get = (path: string) => this.call('GET', path)
  post = (path: string, body?: unknown) => this.call('POST', path, body)
  put = (path: string, body: unknown) => this.call('PUT', path, body)
  delete = (path: string) => this.call('DELETE', path)

  async login(credentials: { readonly email: string; readonly password: string } = ADMIN): Promise<this> {
    const { status, body } = await this.post('/auth/login', credentials)
    if (status !== 200) throw new Error(`login answered ${status}: ${JSON.stringify(body)}`)
    this.token = body.token
    return this
  }
}
