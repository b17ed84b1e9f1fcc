/** Every API key begins so, and no other token does. */
const API_KEY_PREFIX = 'secsctl_'

/** True for a token that is an API key, and not that of a login. */
export const isApiKey = (token: string): boolean => token.startsWith(API_KEY_PREFIX)

/** The text of an API key. `secret`: 64 hexadecimal digits. */
export const apiKeyText = (id: string, secret: string): string =>
  `${API_KEY_PREFIX}${id.slice('key_'.length)}_${secret}`
