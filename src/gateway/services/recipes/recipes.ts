import type { CommandResult } from '../../../contract/commands.js'
import { Problem } from '../../../contract/errors.js'
import type { SendQuery } from '../../../contract/messages.js'
import type {
  ListedRecipe,
  NewRecipe,
  Recipe,
  RecipeDeleted,
  RecipeForm,
  RecipeQuery,
  RecipeSelection,
  RecipeStored,
  StoreQuery,
} from '../../../contract/recipes.js'
import type { Page } from '../../../contract/schema.js'
import { textsIn } from '../../../gem/content.js'
import type { Item } from '../../../secs2/item.js'
import type { RemoteCommands } from '../../gateway.js'
import { verdictOf } from '../acknowledged.js'
import { onePage } from '../answered-values.js'
import type { Asking } from '../asking.js'
import type { Naming } from '../naming.js'
import type { Recipes } from '../services.js'
import { programItem } from './formatted-recipe.js'
import { bytesOfBase64, isBodyFormat, itemOfBytes } from './recipe-bytes.js'
import { RecipeTransfer } from './recipe-transfer.js'

/** Process programs of equipment (stream 7): bytes, or commands that both sides can read. */
export class GemRecipes implements Recipes {
  readonly #transfer: RecipeTransfer

  constructor(
    private readonly asking: Asking,
    private readonly naming: Naming,
    private readonly commands: RemoteCommands,
  ) {
    this.#transfer = new RecipeTransfer(asking)
  }

  async list(equipmentId: string, options: SendQuery): Promise<Page<ListedRecipe>> {
    const { content } = await this.asking.ask(equipmentId, 'S7F19', {}, options)
    return onePage(textsIn(content.PPID).map((ppid) => ({ ppid })))
  }

  async fetch(
    equipmentId: string,
    ppid: string,
    { form = 'unformatted', ...options }: RecipeQuery,
  ): Promise<Recipe> {
    return form === 'formatted'
      ? this.#transfer.fetchCommands(equipmentId, ppid, options)
      : this.#transfer.fetchBytes(equipmentId, ppid, options)
  }

  async store(
    equipmentId: string,
    ppid: string,
    { body, item_format, formatted }: NewRecipe,
    { verify = false, ...options }: StoreQuery,
  ): Promise<RecipeStored> {
    if ((body === undefined) === (formatted === undefined)) {
      const detail = body === undefined ? 'is required without formatted' : 'may not stand beside formatted'
      throw new Problem('invalid_request', 'Give either body or formatted.', {
        errors: [{ pointer: '/body', detail }],
      })
    }
    const reading = this.asking.reading(equipmentId)
    const stored =
      formatted === undefined
        ? await this.#transfer.storeBytes(
            equipmentId,
            ppid,
            this.#bodyItem(equipmentId, body ?? '', item_format),
            options,
          )
        : await this.#transfer.storeCommands(
            equipmentId,
            ppid,
            programItem(ppid, formatted, this.naming.of(equipmentId).model, reading),
            options,
          )
    if (!verify || !stored.accepted) return stored
    const form: RecipeForm = formatted === undefined ? 'unformatted' : 'formatted'
    return { ...stored, verified: await this.#isThere(equipmentId, stored, { form, ...options }) }
  }

  async delete(equipmentId: string, ppid: string, options: SendQuery): Promise<RecipeDeleted> {
    const said = await this.asking.acknowledge(equipmentId, 'S7F17', { PPID: [ppid] }, options)
    return { ppid, ackc7: said.code, ackc7_text: said.text, ...verdictOf(said) }
  }

  async select(
    equipmentId: string,
    ppid: string,
    { command = 'PP-SELECT', parameter = 'PPID', parameters = {} }: RecipeSelection,
    { timeout }: SendQuery,
  ): Promise<CommandResult> {
    const given = { command, parameters: { ...parameters, [parameter]: ppid } }
    const { result } = await this.commands.send(equipmentId, given, timeout)
    return result
  }

  async #isThere(equipmentId: string, { ppid, sha256 }: RecipeStored, query: RecipeQuery): Promise<boolean> {
    try {
      return (await this.fetch(equipmentId, ppid, query)).sha256 === sha256
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'recipe_not_found') return false
      const detail = `${ppid} was stored, but could not be read back. ${error.message}`
      throw new Problem(error.code, detail, error.extra)
    }
  }

  #bodyItem(equipmentId: string, body: string, given: NewRecipe['item_format']): Item {
    const own = this.asking.reading(equipmentId).formats['PPBODY'] ?? 'B'
    return itemOfBytes(given ?? (isBodyFormat(own) ? own : 'B'), bytesOfBase64(body))
  }
}
