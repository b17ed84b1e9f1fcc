import { Problem } from '../../../contract/errors.js'
import { onePage } from '../../../contract/schema.js'
import type {
  NewRecipe,
  RecipeQuery,
  RecipeStored,
  recipeEndpoints,
} from '../../../contract/topics/recipes.js'
import { textsIn } from '../../../gem/content.js'
import { inTurns } from '../../../kit/turns.js'
import type { Handlers } from '../../handler.js'
import type { Asking } from '../asking.js'
import { requireOne, verdict } from '../verdict.js'
import { recipeMessage } from './recipe-message.js'
import { fetchBytes, fetchCommands, storeBytes, storeCommands } from './recipe-transfer.js'

/** Process programs of equipment (stream 7): bytes, or commands that both sides can read. */
export const recipeHandlers: Handlers<typeof recipeEndpoints> = {
  async listRecipes({ params: { id }, query }, { asking }) {
    const { content } = await asking.ask(id, 'S7F19', {}, query)
    return onePage(textsIn(content.PPID).map((ppid) => ({ ppid })))
  },

  fetchRecipe: ({ params: { id, ppid }, query }, { asking }) => fetched(id, ppid, query, asking),

  async storeRecipe({ params: { id, ppid }, query, send, body }, { asking, naming }) {
    const { verify = false, allow_empty = false, ...options } = query
    requireOne(['body', body.body !== undefined], ['formatted', body.formatted !== undefined])
    if (!allow_empty) refuseEmpty(body)
    const message = await inTurns(recipeMessage(ppid, body, naming.of(id).model, asking.reading(id)))
    const stored = message.body
      ? await storeBytes(asking, id, ppid, { ...message, body: message.body }, send)
      : await storeCommands(asking, id, ppid, message.item, send)
    if (!verify || !stored.accepted) return stored
    const form = body.formatted ? 'formatted' : 'unformatted'
    return { ...stored, verified: await isThere(id, stored, { form, ...options }, asking) }
  },

  async deleteRecipe({ params: { id, ppid }, send }, { asking }) {
    return { ppid, ...verdict('ackc7', await asking.acknowledge(id, 'S7F17', { PPID: [ppid] }, send)) }
  },

  async selectRecipe({ params: { id, ppid }, send, body }, { commands }) {
    const { command = 'PP-SELECT', parameter = 'PPID', parameters = {} } = body
    const given = { command, parameters: { ...parameters, [parameter]: ppid } }
    return (await commands.send(id, given, send)).result
  },
}

/** A recipe without content overwrites one that has some: mostly the mistake of a program that has read nothing. */
function refuseEmpty({ body, formatted }: NewRecipe): void {
  if (body !== '' && formatted?.commands.length !== 0) return
  const pointer = formatted ? '/formatted/commands' : '/body'
  throw new Problem(
    'invalid_request',
    'The recipe is empty. Give allow_empty=true to store it all the same.',
    {
      errors: [{ pointer, detail: 'is empty' }],
    },
  )
}

const fetched = (id: string, ppid: string, { form, ...options }: RecipeQuery, asking: Asking) =>
  (form === 'formatted' ? fetchCommands : fetchBytes)(asking, id, ppid, options)

async function isThere(
  id: string,
  { ppid, sha256 }: RecipeStored,
  query: RecipeQuery,
  asking: Asking,
): Promise<boolean> {
  try {
    return (await fetched(id, ppid, query, asking)).sha256 === sha256
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'recipe_not_found') return false
    const detail = `${ppid} was stored, but could not be read back. ${error.message}`
    throw new Problem(error.code, detail, error.extra)
  }
}
