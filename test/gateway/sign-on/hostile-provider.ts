import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** An identity provider that responds with whatever tokens a test wants: what no right one would send. */
export class HostileProvider {
  readonly #server: Server
  readonly #keys = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>>()
  /** How a key signs, where it is not RS256. */
  readonly #algorithms = new Map<string, string>()
  /** The kids of the keys that it publishes. */
  published: string[] = ['own']
  /** The identity token of the next response; none when undefined. */
  idToken: string | undefined
  /** Status and body of the token endpoint in place of tokens. */
  refusal: { readonly status: number; readonly body: object } | undefined
  /** Members of the discovery document in place of the right ones. */
  metadata: Readonly<Record<string, unknown>> = {}
  userInfo: Readonly<Record<string, unknown>> = {}
  /** Milliseconds by which its clock is ahead. */
  ahead = 0
  /** Paths that were asked for. */
  readonly asked: string[] = []
  issuer = ''
  /** Responds in its place; false where it does not. */
  override: (path: string, response: ServerResponse) => boolean = () => false

  private constructor() {
    this.#server = createServer((request, response) => {
      request.resume()
      this.asked.push(request.url ?? '')
      if (this.override(request.url ?? '', response)) return
      void this.#respond(request.url ?? '').then(([status, body]) => {
        response.setHeader('date', new Date(Date.now() + this.ahead).toUTCString())
        response.setHeader('content-type', 'application/json')
        response.statusCode = status
        response.end(JSON.stringify(body))
      })
    })
  }

  static async listen(): Promise<HostileProvider> {
    const provider = new HostileProvider()
    for (const kid of ['own', 'other']) provider.#keys.set(kid, await generateKeyPair('RS256'))
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve))
    provider.issuer = `http://127.0.0.1:${(provider.#server.address() as AddressInfo).port}`
    return provider
  }

  /** A token as the provider makes it, but for what is given. */
  token(
    claims: Readonly<Record<string, unknown>> = {},
    kid = 'own',
    header: { readonly alg?: string; readonly kid?: string; readonly typ?: string } = {},
  ): Promise<string> {
    const now = Math.floor((Date.now() + this.ahead) / 1000)
    const all = {
      iss: this.issuer,
      aud: 'secsctl',
      sub: 'ann',
      iat: now,
      exp: now + 300,
      groups: [],
      ...claims,
    }
    const key = this.#keys.get(kid)?.privateKey
    if (!key) throw new Error(`there is no key ${kid}`)
    return new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(key)
  }

  /** Makes another key, and gives it the name of the one before. */
  async renewKey(): Promise<void> {
    this.#keys.set('own', await generateKeyPair('RS256'))
  }

  /** Publishes a key that signs in this way, by its name. */
  async addKey(alg: string): Promise<void> {
    this.#keys.set(alg, await generateKeyPair(alg))
    this.#algorithms.set(alg, alg)
    this.published.push(alg)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #respond(path: string): Promise<readonly [status: number, body: object]> {
    const { issuer } = this
    switch (path.split('?')[0]) {
      case '/.well-known/openid-configuration':
        return [
          200,
          {
            issuer,
            authorization_endpoint: `${issuer}/auth`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            userinfo_endpoint: `${issuer}/me`,
            device_authorization_endpoint: `${issuer}/device`,
            id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
            ...this.metadata,
          },
        ]
      case '/keys': {
        const keys = this.published.map(async (kid) => {
          const key = this.#keys.get(kid)?.publicKey
          return {
            ...(key && (await exportJWK(key))),
            kid,
            use: 'sig',
            alg: this.#algorithms.get(kid) ?? 'RS256',
          }
        })
        return [200, { keys: await Promise.all(keys) }]
      }
      case '/me':
        return [200, { sub: 'ann', ...this.userInfo }]
      case '/token': {
        if (this.refusal) return [this.refusal.status, this.refusal.body]
        const tokens = { access_token: 'any', token_type: 'Bearer', refresh_token: 'again' }
        return [200, { ...tokens, ...(this.idToken !== undefined && { id_token: this.idToken }) }]
      }
      default:
        return [404, {}]
    }
  }
}
