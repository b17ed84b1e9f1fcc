import { randomBytes } from 'node:crypto'

/** Crockford's base 32 in lower case: no letter that reads like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 10

/** A new identifier such as `eq_7f3k2m9qta`: fifty random bits behind a word that says what it names. */
export const newId = (kind: 'eq' | 'usr'): string =>
  `${kind}_${Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte & 31]).join('')}`
