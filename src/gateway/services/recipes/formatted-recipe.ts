import { CatalogueError } from '../../../catalogue/catalogue.js'
import type { GivenValue } from '../../../catalogue/structure/structure-data.js'
import { readLeaf } from '../../../catalogue/values/leaf.js'
import { Problem } from '../../../contract/errors.js'
import type { FormattedProgram } from '../../../contract/topics/recipes.js'
import { encodeItem } from '../../../secs2/encode.js'
import { type Item, itemsIn, L } from '../../../secs2/item.js'
import { toTypedJson } from '../../../secs2/json.js'
import type { Reading } from '../../records/reading.js'

/** The index of the list of commands in S7F23 and S7F26: after PPID, MDLN and SOFTREV. */
const COMMANDS = 3

/** The bytes by which a formatted process program is counted and compared: its list of commands as SECS-II. */
export const bytesOfCommands = (body: Item | undefined): Uint8Array =>
  encodeItem(itemsIn(body)[COMMANDS] ?? L())

/** The program in a body of which the structure of S7F26 was checked. */
export function programIn(body: Item | undefined, { text }: Reading): FormattedProgram {
  const [, mdln, softrev, commands] = itemsIn(body)
  const textOf = (item: Item | undefined): string => (item ? String(readLeaf(item, { text })) : '')
  return {
    mdln: textOf(mdln),
    softrev: textOf(softrev),
    commands: itemsIn(commands).map((command) => {
      const [ccode, parameters] = itemsIn(command)
      const isNumber = typeof (ccode && 'value' in ccode ? ccode.value : undefined) === 'number'
      return {
        ccode: isNumber ? Number(textOf(ccode)) : textOf(ccode),
        parameters: itemsIn(parameters).map((parameter) => toTypedJson(parameter, text)),
      }
    }),
  }
}

/** The body of S7F23. Throws `invalid_message` for values that fit no item. */
export function programItem(
  ppid: string,
  { mdln, softrev, commands }: FormattedProgram,
  model: { readonly mdln: string; readonly softrev: string } | null,
  reading: Reading,
): Item | undefined {
  const own = reading.formats['CCODE'] !== undefined
  const data = {
    PPID: ppid,
    MDLN: mdln ?? model?.mdln ?? '',
    SOFTREV: softrev ?? model?.softrev ?? '',
    COMMANDS: commands.map(({ ccode, parameters }) => ({
      CCODE: typeof ccode === 'number' && !own ? { [ccode > 0xffff ? 'U4' : 'U2']: ccode } : ccode,
      // Any JSON: values that fit no item are rejected when the body is built.
      PPARM: parameters as readonly GivenValue[],
    })),
  }
  try {
    return reading.catalogue.build('S7F23', data, { ...reading, sender: 'host' })
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    const errors = error.problems.map(({ item, detail }) => ({ pointer: `/formatted/${item}`, detail }))
    throw new Problem('invalid_message', error.message, { errors })
  }
}
