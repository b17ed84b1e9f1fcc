import { GatewayClient } from '../../client/client.js'
import { isApiKey } from '../../contract/api-key.js'
import { endpoints } from '../../contract/endpoints.js'
import { isUnreachable } from '../errors/report.js'
import { GatewayCommand } from '../gateway-command.js'
import { verb } from '../verb.js'

export const logoutCommand = verb(GatewayCommand, {
  summary: 'Revoke the token and forget it.',
  description: 'An API key is only forgotten here: it stays valid until it expires or keys revoke ends it.',
  examples: ['secsctl logout'],
  async run(on) {
    const server = await on.server()
    const found = await on.session.token(server)
    const store = await on.session.store(server.profile)
    const account = on.session.account(server)
    if (!found?.token)
      return on.printDone({ url: server.url, revoked: false }, `nobody was logged in to ${server.url}`)
    const isKey = isApiKey(found.token)
    if (isKey && found.source.startsWith('SECSCTL_')) {
      const detail = `the API key in ${found.source} stays as it is: keys revoke ends it`
      return on.printDone({ url: server.url, revoked: false }, detail)
    }
    let revoked = !isKey
    try {
      if (!isKey) await new GatewayClient({ url: server.url, token: found.token }).call(endpoints.logout, {})
    } catch (error) {
      // A token that is no longer valid needs no revocation; a gateway that is away cannot revoke it.
      const dead = error instanceof Error && 'status' in error && error.status === 401
      if (!dead && !isUnreachable(error)) throw error
      revoked = dead
    }
    const { secret } = await store.read(account)
    if (secret) await store.write(account, { secret, logged_out: true })
    else await store.remove(account)
    const kept = `the API key is removed here, and stays valid at ${server.url}`
    const unrevoked = `the token is removed here, but ${server.url} could not revoke it`
    on.printDone(
      { url: server.url, revoked },
      isKey ? kept : revoked ? `logged out of ${server.url}` : unrevoked,
    )
  },
})
