import { isUnreachable } from '../src/cli/errors/report.js'
import { GatewayCommand } from '../src/cli/gateway-command.js'
import { GatewayClient } from '../src/client/client.js'
import { endpoints } from '../src/contract/endpoints.js'

export default class LogoutCommand extends GatewayCommand {
  static override summary = 'Revoke the token and forget it.'
  static override examples = ['secsctl logout']

  async run(): Promise<void> {
    await this.parse(LogoutCommand)
    const server = await this.server()
    const found = await this.session.token(server)
    const store = await this.session.store(server.profile)
    const account = this.session.account(server)
    if (!found?.token)
      return this.printDone({ url: server.url, revoked: false }, `nobody was logged in to ${server.url}`)
    let revoked = true
    try {
      await new GatewayClient({ url: server.url, token: found.token }).call(endpoints.logout, {})
    } catch (error) {
      // A token that is no longer valid needs no revocation; a gateway that is away cannot revoke it.
      const dead = error instanceof Error && 'status' in error && error.status === 401
      if (!dead && !isUnreachable(error)) throw error
      revoked = dead
    }
    const { secret } = await store.read(account)
    if (secret) await store.write(account, { secret, logged_out: true })
    else await store.remove(account)
    const unrevoked = `the token is removed here, but ${server.url} could not revoke it`
    this.printDone({ url: server.url, revoked }, revoked ? `logged out of ${server.url}` : unrevoked)
  }
}
