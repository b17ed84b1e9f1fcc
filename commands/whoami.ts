import { GatewayCommand } from '../src/cli/gateway-command.js'
import { endpoints } from '../src/contract/endpoints.js'

export default class WhoamiCommand extends GatewayCommand {
  static override summary = 'Show who is logged in, where, and where the token came from.'
  static override examples = ['secsctl whoami', 'secsctl whoami --json']

  async run(): Promise<void> {
    await this.parse(WhoamiCommand)
    const client = await this.client()
    const server = await this.server()
    const user = await client.call(endpoints.getOwnUser, {})
    const source = (await this.session.token(server))?.source ?? null
    const shown = { ...user, url: server.url, profile: server.profile ?? null, token_source: source }
    this.printRecord(shown, [
      ['user', user.email],
      ['name', user.name],
      ['role', user.role],
      ['server', server.url],
      ['profile', server.profile ?? ''],
      ['token from', source ?? ''],
    ])
  }
}
