import { readFileSync } from 'node:fs'

/** The vectors of a file in test/vectors. Each says in `why` where its facts come from. */
export const vectors = <T>(file: string): (T & { readonly name: string; readonly why: string })[] =>
  JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8'))

export const hexBytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
