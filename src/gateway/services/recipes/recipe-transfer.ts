import { Problem } from '../../../contract/errors.js'
import type { Recipe, RecipeStored } from '../../../contract/topics/recipes.js'
import { inTurns } from '../../../kit/turns.js'
import { type Item, itemsIn } from '../../../secs2/item.js'
import type { Acknowledged, Asking, AskOptions, Exchanged, SendOptions } from '../asking.js'
import { isUnknownMessage } from '../unknown-message.js'
import { verdict } from '../verdict.js'
import { bytesOfCommands, programIn } from './formatted-recipe.js'
import { bytesAfterHeader, isBodyFormat, recipeWith, sumOf } from './recipe-bytes.js'

// Moves process programs from equipment and to it, as bytes (S7F1 to S7F6) or as commands (S7F23 to S7F26). Programs may
// be long: the work yields to the event loop between steps.

export async function fetchBytes(
  asking: Asking,
  equipmentId: string,
  ppid: string,
  options: AskOptions,
): Promise<Recipe> {
  // The program is taken from the body, so its values are not converted to text.
  const asked = await asking.ask(equipmentId, 'S7F5', { PPID: ppid }, { ...options, leaf: () => '' })
  const { message_id, reply_id } = asked
  const [, item] = itemsIn(asked.body)
  if (!item || !isBodyFormat(item.format)) throw notFound(asking, equipmentId, ppid, asked)
  const bytes = await inTurns(bytesAfterHeader(item))
  const sum = await sumOf(bytes)
  const others = { ppid, ...sum, item_format: item.format, formatted: null, message_id, reply_id }
  return recipeWith(bytes, others)
}

export async function fetchCommands(
  asking: Asking,
  equipmentId: string,
  ppid: string,
  options: AskOptions,
): Promise<Recipe> {
  const asked = await asking.ask(equipmentId, 'S7F25', { PPID: ppid }, options)
  const { body, message_id, reply_id } = asked
  if (itemsIn(body).length === 0) throw notFound(asking, equipmentId, ppid, asked)
  const formatted = programIn(body, asking.reading(equipmentId))
  const sum = await sumOf(bytesOfCommands(body))
  return { ppid, ...sum, body: null, formatted, message_id, reply_id }
}

/** Inquires by S7F1 first; equipment that does not support it, as HSMS allows, is sent the program anyway. */
export async function storeBytes(
  asking: Asking,
  equipmentId: string,
  ppid: string,
  { body, item }: { readonly body: Item; readonly item: Item | undefined },
  options: SendOptions,
): Promise<RecipeStored> {
  const bytes = await inTurns(bytesAfterHeader(body))
  const sum = await sumOf(bytes)
  const inquiry = { PPID: ppid, LENGTH: sum.bytes }
  const granted = await ifKnown(() => asking.acknowledge(equipmentId, 'S7F1', inquiry, options))
  const grant = { ppgnt: granted?.code ?? null, ppgnt_text: granted?.text ?? null }
  if (granted && !granted.accepted) {
    const { message_id, reply_id } = granted
    const nothing = { accepted: false, ackc7: null, ackc7_text: null, verified: null }
    return { ppid, ...sum, ...grant, ...nothing, message_id, reply_id }
  }
  const said = await asking.acknowledgeBody(equipmentId, 'S7F3', item, options)
  return { ppid, ...sum, ...grant, ...verdict('ackc7', said), verified: null }
}

export async function storeCommands(
  asking: Asking,
  equipmentId: string,
  ppid: string,
  item: Item | undefined,
  options: SendOptions,
): Promise<RecipeStored> {
  const said = await asking.acknowledgeBody(equipmentId, 'S7F23', item, options)
  const sum = await sumOf(bytesOfCommands(item))
  return { ppid, ...sum, ppgnt: null, ppgnt_text: null, ...verdict('ackc7', said), verified: null }
}

async function ifKnown(ask: () => Promise<Acknowledged>): Promise<Acknowledged | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isUnknownMessage(error)) return undefined
    throw error
  }
}

function notFound(asking: Asking, equipmentId: string, ppid: string, ids: Exchanged): Problem {
  const name = asking.nameOf(equipmentId)
  const { message_id, reply_id } = ids
  return new Problem('recipe_not_found', `${name} has no recipe ${ppid}, or does not send it.`, {
    message_id,
    reply_id,
    next: [{ operation: 'listRecipes', parameters: { id: equipmentId } }],
  })
}
