import type { signOnEndpoints } from '../../contract/topics/accounts/sign-on.js'
import type { Handlers } from '../handler.js'
import { upToDate } from '../up-to-date.js'
import { requireSignOn } from './sign-on.js'

export const signOnHandlers: Handlers<typeof signOnEndpoints> = {
  async getSignOn({ query, address }, { signOn, accounts }) {
    const { name = null, issuer = null, publicUrl = null } = signOn?.settings ?? {}
    const { local } = accounts.logins
    const problem = query.check && signOn ? await signOn.check(address) : undefined
    return {
      enabled: signOn !== undefined,
      name,
      issuer,
      page_url: publicUrl,
      local,
      ...(problem !== undefined && { problem }),
    }
  },
  beginDeviceSignOn: async ({ address }, gateway) => requireSignOn(gateway).beginDevice(address),
  beginPageSignOn: async ({ body, address }, gateway) => requireSignOn(gateway).beginPage(body, address),
  exchangePageSignOn: async ({ body }, gateway) => requireSignOn(gateway).exchangePage(body),
  exchangeDeviceSignOn: async ({ body, address }, gateway) =>
    requireSignOn(gateway).exchangeDevice(body.device_code, address),
  refreshSignOn: async ({ body, address }, gateway) =>
    requireSignOn(gateway).refresh(body.session_token, address),
  endSignOn: async ({ body, address }, gateway) => ({
    end_session_url: await requireSignOn(gateway).end(body.session_token, address, () => upToDate(gateway)),
  }),
}
