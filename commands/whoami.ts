import { GatewayCommand } from '../src/cli/gateway-command.js'
import { expiryText } from '../src/cli/keys/key-command.js'
import { ownIdentity } from '../src/cli/profile/own-identity.js'

export default class WhoamiCommand extends GatewayCommand {
  static override summary =
    'Show who is logged in, or which API key is used, where, and where the token came from.'
  static override examples = ['secsctl whoami', 'secsctl whoami --json']

  async run(): Promise<void> {
    await this.parse(WhoamiCommand)
    const client = await this.client()
    const server = await this.server()
    const { user, key } = await ownIdentity(client)
    const source = (await this.session.token(server))?.source ?? null
    const shown = { ...(user ?? key), url: server.url, profile: server.profile ?? null, token_source: source }
    const who: [string, string][] = user
      ? [
          ['user', user.email],
          ['name', user.name],
          ['role', user.role],
          ['selector', user.label_selector ?? ''],
        ]
      : [
          ['api key', key.name],
          ['role', key.role],
          ['selector', key.label_selector ?? ''],
          ['expires', expiryText(key, this.formatTime)],
        ]
    this.printRecord(shown, [
      ...who,
      ['server', server.url],
      ['profile', server.profile ?? ''],
      ['token from', source ?? ''],
    ])
  }
}
