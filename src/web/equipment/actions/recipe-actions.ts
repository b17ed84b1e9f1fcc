import type { FormattedProgram, NewRecipe, RecipeStored } from '../../../contract/topics/recipes.js'
import { recipeEndpoints } from '../../../contract/topics/recipes.js'
import { texts } from '../../texts.js'
import {
  type Act,
  type Action,
  commanded,
  communicates,
  type Done,
  given,
  type Planned,
  type Typed,
} from './action.js'

const words = texts.actions
/** The most that an item has room for, in bytes. */
const MAX_BYTES = 16_777_215
/** Characters of Base64 that a preview shows: 960 bytes, which are whole numbers in each format. */
const SHOWN = 1280
const SHOWN_COMMANDS = 20

async function recipes({ calls, equipment }: Act): Promise<readonly string[]> {
  const { items } = await calls.call(recipeEndpoints.listRecipes, { params: { id: equipment.id }, query: {} })
  return items.map(({ ppid }) => ppid)
}

/** A call about the recipe that was typed. */
const about = (act: Act, { ppid = '' }: Typed) => {
  const { params, ...others } = given(act)
  return { ...others, params: { ...params, ppid } }
}

/** How many bytes Base64 stands for. */
const bytesOf = (base64: string): number => (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0)

/** What is to be stored. Throws for a file that is too long, and for commands that are no JSON. */
function contentOf({ file = '', format = '' }: Typed): NewRecipe {
  if (bytesOf(file) > MAX_BYTES) throw new RangeError(words.tooLong(MAX_BYTES))
  if (format !== 'commands') return { body: file, ...(format !== '' && { item_format: format as 'A' }) }
  const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0))
  try {
    return { formatted: JSON.parse(new TextDecoder().decode(bytes)) as FormattedProgram }
  } catch {
    throw new SyntaxError(words.noCommands)
  }
}

/** The messages that store a recipe; of a long one the beginning. */
function storing(typed: Typed): Planned {
  const { ppid = '', file = '' } = typed
  const { body, formatted, item_format } = contentOf(typed)
  if (body === undefined) {
    const { commands } = formatted ?? { commands: [] }
    const isCut = Array.isArray(commands) && commands.length > SHOWN_COMMANDS
    const shown = { ...formatted, commands: isCut ? commands.slice(0, SHOWN_COMMANDS) : commands }
    return {
      messages: [{ recipe: { ppid, formatted: shown } }],
      note: isCut ? words.firstCommands(SHOWN_COMMANDS, commands.length) : undefined,
    }
  }
  const bytes = bytesOf(file)
  const shown = body.slice(0, SHOWN)
  const inquiry = { message: { stream: 7, function: 1, data: { PPID: ppid, LENGTH: bytes } } }
  return {
    messages: [inquiry, { recipe: { ppid, body: shown, ...(item_format && { item_format }) } }],
    note: shown === body ? undefined : words.firstBytes(bytesOf(shown), bytes),
  }
}

function stored(result: RecipeStored): Done {
  const { accepted, ackc7, ackc7_text, ppgnt, ppgnt_text, bytes, verified, reply_id } = result
  const code = ackc7 === null ? `PPGNT ${ppgnt}, ${ppgnt_text}` : `ACKC7 ${ackc7}, ${ackc7_text}`
  const detail = `${words.bytes(bytes)}, SHA-256 ${result.sha256}`
  const check = verified === null ? [] : [verified ? words.same : words.notSame]
  return {
    isGood: accepted && verified !== false,
    text: words.replied(result.ppid, code),
    detail: [detail, ...check].join('\n'),
    replyId: reply_id,
  }
}

export const RECIPE_ACTIONS: readonly Action[] = [
  {
    name: 'recipe',
    role: recipeEndpoints.selectRecipe.access,
    isWriting: true,
    isOffered: communicates,
    fields: [{ name: 'ppid', known: recipes }],
    preview: ({ ppid = '' }) => ({
      messages: [{ command: { command: 'PP-SELECT', parameters: { PPID: ppid } } }],
    }),
    run: async (act, typed) =>
      commanded(await act.calls.call(recipeEndpoints.selectRecipe, about(act, typed))),
  },
  {
    name: 'store',
    role: recipeEndpoints.storeRecipe.access,
    isWriting: true,
    isOffered: communicates,
    fields: [
      { name: 'ppid', known: recipes, warnsIfKnown: words.willReplace },
      { name: 'file', isFile: true },
      { name: 'format', isOptional: true, choices: words.formats },
      { name: 'verify', isOptional: true, choices: words.verifies },
    ],
    preview: storing,
    run: async (act, typed) => {
      const { query, ...call } = about(act, typed)
      const body = contentOf(typed)
      const checked = typed['verify'] ? { verify: true } : {}
      const options = { ...call, query: { ...query, ...checked }, body }
      return stored(await act.calls.call(recipeEndpoints.storeRecipe, options))
    },
  },
  {
    name: 'delete',
    role: recipeEndpoints.deleteRecipe.access,
    isWriting: true,
    isOffered: communicates,
    fields: [{ name: 'ppid', known: recipes }],
    preview: ({ ppid = '' }) => ({
      messages: [{ message: { stream: 7, function: 17, data: { PPID: [ppid] } } }],
    }),
    run: async (act, typed) => {
      const reply = await act.calls.call(recipeEndpoints.deleteRecipe, about(act, typed))
      const text = words.replied(reply.ppid, `ACKC7 ${reply.ackc7}, ${reply.ackc7_text}`)
      return { isGood: reply.accepted, text, replyId: reply.reply_id }
    },
  },
]
