import { CatalogueError } from '../../../catalogue/catalogue.js'
import { Problem } from '../../../contract/errors.js'
import type { NewRecipe } from '../../../contract/topics/recipes.js'
import { type Item, L } from '../../../secs2/item.js'
import type { Reading } from '../../records/reading.js'
import { requireOne } from '../verdict.js'
import { programItem } from './formatted-recipe.js'
import { isBodyFormat, itemOfBase64 } from './recipe-bytes.js'

/** MDLN and SOFTREV as the equipment reports them; null if they are not known. */
export type Model = { readonly mdln: string; readonly softrev: string } | null

/** The message with the content of a recipe, in one of two forms. */
export interface RecipeMessage {
  /** Of stream 7: 3 for bytes, 23 for commands. */
  readonly function: 3 | 23
  readonly item: Item | undefined
  /** PPBODY, of a recipe in bytes. */
  readonly body?: Item
}

/** The message that stores a recipe, in steps. Throws `invalid_request` without exactly one form, `invalid_message` for what fits no item. */
export function* recipeMessage(
  ppid: string,
  given: NewRecipe,
  model: Model,
  reading: Reading,
): Generator<void, RecipeMessage> {
  const { formatted } = given
  requireOne(['body', given.body !== undefined], ['formatted', formatted !== undefined])
  if (formatted) return { function: 23, item: programItem(ppid, formatted, model, reading) }
  const body = yield* bodyItem(given, reading)
  const name = ppidItem(ppid, reading)
  return { function: 3, item: L(...(name ? [name] : []), body), body }
}

function ppidItem(ppid: string, reading: Reading): Item | undefined {
  try {
    return reading.catalogue.build('S7F5', { PPID: ppid }, { ...reading, sender: 'host' })
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    const { item, detail } = error
    throw new Problem('invalid_message', `${item} ${detail}`, { errors: [{ pointer: '/ppid', detail }] })
  }
}

function bodyItem({ body = '', item_format }: NewRecipe, { formats }: Reading): Generator<void, Item> {
  const own = formats['PPBODY'] ?? 'B'
  return itemOfBase64(item_format ?? (isBodyFormat(own) ? own : 'B'), body)
}
