import { Problem } from '../../contract/errors.js'
import type { keyEndpoints } from '../../contract/topics/accounts/keys.js'
import type { Handlers } from '../handler.js'

export const keyHandlers: Handlers<typeof keyEndpoints> = {
  listKeys: ({ query }, { accounts }) => accounts.keys.list(query),
  getOwnKey: async ({ caller }, { accounts }) => {
    if (caller.key) return accounts.keys.get(caller.key.id)
    throw new Problem('key_not_found', `${caller.email} is a user, and the call has no API key.`)
  },
  getKey: ({ params }, { accounts }) => accounts.keys.get(params.id),
  createKey: ({ body, caller }, { accounts }) => accounts.keys.create(body, caller),
  revokeKey: ({ params, caller, revisions }, { accounts }) =>
    accounts.keys.revoke(params.id, caller, revisions),
}
