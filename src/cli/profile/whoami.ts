import { GatewayCommand } from '../gateway-command.js'
import { expiryText } from '../keys/key-command.js'
import { verb } from '../verb.js'
import { ownIdentity } from './own-identity.js'

export const whoamiCommand = verb(GatewayCommand, {
  summary: 'Show who is logged in, or which API key is used, where, and where the token came from.',
  examples: ['secsctl whoami', 'secsctl whoami --json'],
  async run(on) {
    const client = await on.client()
    const server = await on.server()
    const { user, key } = await ownIdentity(client)
    const source = (await on.session.token(server))?.source ?? null
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
          ['expires', expiryText(key, on.formatTime)],
        ]
    on.printRecord(shown, [
      ...who,
      ['server', server.url],
      ['profile', server.profile ?? ''],
      ['token from', source ?? ''],
    ])
  },
})
