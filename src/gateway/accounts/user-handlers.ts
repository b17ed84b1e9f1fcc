import type { userEndpoints } from '../../contract/topics/accounts/users.js'
import type { Handlers } from '../handler.js'
import { requireSignOn } from '../sign-on/sign-on.js'
import { upToDate } from '../up-to-date.js'

export const userHandlers: Handlers<typeof userEndpoints> = {
  async login({ body, address }, gateway) {
    // Another daemon may have just added this user.
    await upToDate(gateway)
    return gateway.accounts.login(body, address)
  },
  refresh: async ({ caller }, gateway) =>
    caller.session === undefined
      ? gateway.accounts.refresh(caller)
      : requireSignOn(gateway).refreshOf(caller),
  logout: ({ caller }, { accounts }) => accounts.logout(caller),
  listUsers: ({ query }, { accounts }) => accounts.list(query),
  getOwnUser: ({ caller }, { accounts }) => accounts.get(caller.id),
  changeOwnPassword: ({ caller, body, address }, { accounts }) =>
    accounts.changePassword(caller, body, address),
  getUser: ({ params }, { accounts }) => accounts.get(params.id),
  createUser: ({ body, caller }, { accounts }) => accounts.create(body, caller),
  updateUser: ({ params, body, caller, revisions }, { accounts }) =>
    accounts.update(params.id, body, caller, revisions),
  deleteUser: ({ params, caller, revisions }, { accounts }) => accounts.delete(params.id, caller, revisions),
}
