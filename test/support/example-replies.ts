import type { Static } from 'typebox'
import { endpoints } from '../../src/contract/endpoints.js'

/** The reply of each endpoint that its documentation shows. */
export const REPLIES = Object.fromEntries(
  Object.entries(endpoints).map(([name, { examples }]) => [name, examples.reply]),
) as { readonly [Name in keyof typeof endpoints]: Static<(typeof endpoints)[Name]['reply']> }
