import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { bearerToken } from '../../../src/api/request/authenticate.js'

const tokenOf = (authorization?: string): string => {
  try {
    return bearerToken({ headers: { authorization } } as FastifyRequest)
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

/** Headers, each with its token, or what it is refused with. Each is asked after each other one, and after itself. */
const ROWS: readonly (readonly [header: string | undefined, token: string])[] = [
  ['Bearer one', 'one'],
  ['Bearer two', 'two'],
  ['bearer  one ', 'one'],
  ['Bearer one-and-more', 'one-and-more'],
  ['Bearer one two', 'unauthenticated'],
  ['Bearer one, Bearer two', 'unauthenticated'],
  ['Bearer', 'unauthenticated'],
  ['Basic one', 'unauthenticated'],
  ['', 'unauthenticated'],
  [undefined, 'unauthenticated'],
]

test.each(ROWS)('the header %j has its token, whatever header came before it', (header, token) => {
  for (const [other, otherToken] of ROWS) {
    expect([tokenOf(other), tokenOf(header), tokenOf(header), tokenOf(other)]).toEqual([
      ...[otherToken, token, token, otherToken],
    ])
  }
})
