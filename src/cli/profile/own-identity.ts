import type { GatewayClient } from '../../client/client.js'
import { isApiKey } from '../../contract/api-key.js'
import { endpoints } from '../../contract/endpoints.js'
import type { ApiKey } from '../../contract/topics/accounts/keys.js'
import type { User } from '../../contract/topics/accounts/users.js'

/** Who calls with the token of a client: a user or an API key. */
export type OwnIdentity =
  | { readonly user: User; readonly key?: undefined }
  | { readonly key: ApiKey; readonly user?: undefined }

export async function ownIdentity(client: GatewayClient): Promise<OwnIdentity> {
  if (isApiKey(client.options.token ?? '')) return { key: await client.call(endpoints.getOwnKey, {}) }
  return { user: await client.call(endpoints.getOwnUser, {}) }
}
