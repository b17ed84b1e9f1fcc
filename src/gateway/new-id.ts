import { randomBytes } from 'node:crypto'

/** Crockford's base 32 in lower case: no letter that reads like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 10

/** A new identifier such as `eq_7f3k2m9qta`: a prefix for the kind and fifty random bits. */
export const newId = (kind: 'eq' | 'usr' | 'key' | 'snk' | 'sso'): string =>
  `${kind}_${Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte & 31]).join('')}`
