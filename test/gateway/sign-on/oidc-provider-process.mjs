// A real identity provider (oidc-provider) as a process of its own, for the tests of sign-on. Its parent tells it over IPC
// who its users are, and has it change its keys; what it has issued is in a file, which the next process reads.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { Provider } from 'oidc-provider'

const { issuer, port, file, clients, tls, claims = ['groups'] } = JSON.parse(process.argv[2] ?? '{}')

const stored = new Map(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])
const save = () => writeFileSync(file, JSON.stringify([...stored]))

/** What is issued, by kind and id. */
class FileAdapter {
  constructor(kind) {
    this.kind = kind
  }
  keyOf(id) {
    return `${this.kind}:${id}`
  }
  async upsert(id, payload) {
    stored.set(this.keyOf(id), payload)
    save()
  }
  async find(id) {
    return stored.get(this.keyOf(id))
  }
  async #found(name, value) {
    const own = [...stored].filter(([key]) => key.startsWith(`${this.kind}:`))
    return own.find(([, payload]) => payload[name] === value)?.[1]
  }
  findByUid(uid) {
    return this.#found('uid', uid)
  }
  findByUserCode(code) {
    return this.#found('userCode', code)
  }
  async consume(id) {
    stored.get(this.keyOf(id)).consumed = Math.floor(Date.now() / 1000)
    save()
  }
  async destroy(id) {
    stored.delete(this.keyOf(id))
    save()
  }
  async revokeByGrantId(grantId) {
    for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key)
    save()
  }
}

let users = {}
/** The last body that was sent to the client. */
let told
const newKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  use: 'sig',
  alg: 'RS256',
})

function newProvider(keys) {
  const provider = new Provider(issuer, {
    adapter: FileAdapter,
    clients,
    jwks: { keys },
    cookies: { keys: ['a key of a test'] },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', ...claims],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
    },
    features: {
      deviceFlow: { enabled: true },
      backchannelLogout: { enabled: true },
      revocation: { enabled: true },
      devInteractions: { enabled: true },
    },
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    pkce: { required: () => true },
    // Its own refuses to tell a client on the loopback that a user is logged out.
    fetch: (url, { dispatcher: _dispatcher, ...options }) => {
      told = String(options.body)
      return fetch(url, options)
    },
    ttl: {
      DeviceCode: 600,
      RefreshToken: 3600,
      AccessToken: 600,
      IdToken: 600,
      Session: 3600,
      Grant: 3600,
      Interaction: 600,
      AuthorizationCode: 60,
    },
    findAccount: async (_, id) => {
      const user = users[id]
      if (!user || user.disabled) return undefined
      const { disabled: _disabled, ...claims } = user
      return { accountId: id, claims: async () => ({ sub: id, name: id, ...claims }) }
    },
  })
  provider.proxy = true
  return provider
}

let provider = newProvider([newKey()])
const handle = (request, response) => provider.callback()(request, response)
const server = tls ? createTlsServer(tls, handle) : createServer(handle)

const acts = {
  users: (given) => {
    users = given
  },
  rotate: () => {
    provider = newProvider([newKey()])
  },
  logout: async ({ client, subject, sid }) => {
    const found = await provider.Client.find(client)
    await found.backchannelLogout(subject, sid)
    return told
  },
}

process.on('message', async ({ id, act, given }) => {
  try {
    process.send({ id, result: await acts[act](given) })
  } catch (error) {
    process.send({ id, error: String(error?.stack ?? error) })
  }
})
process.on('disconnect', () => process.exit(0))
server.listen(port, '127.0.0.1', () => process.send({ id: 'ready' }))
