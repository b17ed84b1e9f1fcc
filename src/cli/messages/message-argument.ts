import type { Catalogue } from '../../catalogue/catalogue.js'
import { itemNames, namesIn, type Structure } from '../../catalogue/structure/structure.js'
import type { NewMessage } from '../../contract/topics/messages.js'
import { shellWord } from '../../kit/shell-word.js'
import { wrongUsage } from '../errors/failure.js'
import { parseParameters } from '../input/parameters.js'

export interface StreamFunction {
  readonly stream: number
  readonly function: number
}

/** The stream and function that `S2F41` names; undefined when the text names none. */
export function parseMessageName(text: string): StreamFunction | undefined {
  const [, stream, fn] = /^S(\d{1,3})F(\d{1,3})$/i.exec(text) ?? []
  if (stream === undefined || fn === undefined) return undefined
  const name = { stream: Number(stream), function: Number(fn) }
  if (name.stream > 127 || name.function > 255) {
    throw wrongUsage(`${text} is no message: streams go to 127, functions to 255`)
  }
  return name
}

/** The message that the arguments of `send` mean: a name and items, or an SML text. */
export function messageGiven(
  text: string,
  parameters: readonly string[],
  catalogue: Catalogue,
  equipment = 'EQUIPMENT',
): NewMessage {
  const name = parseMessageName(text)
  const call = (...words: readonly string[]) => ['secsctl', 'send', ...words].map(shellWord).join(' ')
  if (name) {
    if (parameters.some((word) => word.startsWith('<'))) {
      const items = parameters.join(' ').replace(/^W /, '')
      throw wrongUsage('a message in SML is one word, in quotes', call(equipment, `${text} W ${items}`))
    }
    const structure = structureOf(name, catalogue)
    const data = parseParameters(parameters, repeats(structure), exampleOf(structure))
    return { ...name, ...(parameters.length > 0 && { data }) }
  }
  if (!/[<.\s]/.test(text)) {
    if (parseMessageName(equipment))
      throw wrongUsage('the equipment is named before the message', call(text, equipment, ...parameters))
    throw wrongUsage(`"${text}" is neither a message such as S1F1 nor SML`, 'secsctl catalogue describe S1F1')
  }
  if (parameters.length > 0) throw wrongUsage('an SML text holds its items: KEY=VALUE does not go with it')
  return { sml: text }
}

function structureOf({ stream, function: fn }: StreamFunction, catalogue: Catalogue): Structure | undefined {
  const row = catalogue.find(stream, fn, 'host')
  return row && catalogue.structures(row)[0]
}

/** Finds the items of a message that hold several values, so that `SVID=1,2` means two. */
function repeats(structure: Structure | undefined): (key: string) => boolean {
  const names = new Set(structure ? repeatedItems(structure) : [])
  return (key) => names.has(key)
}

/** An item of a message as it is typed; that of any message where this one has none. */
function exampleOf(structure: Structure | undefined): string | undefined {
  const [name] = structure ? namesIn(structure) : []
  if (structure === undefined || name === undefined) return undefined
  if (repeatedItems(structure).includes(name)) return `${name}=1,2`
  return itemNames(structure).includes(name) ? `${name}=1` : `${name}:=[]`
}

function repeatedItems(structure: Structure): readonly string[] {
  switch (structure.kind) {
    case 'nothing':
      return []
    case 'item':
      return structure.many ? [structure.name] : []
    case 'items':
      return [structure.name]
    case 'list':
      return structure.members.flatMap(repeatedItems)
    case 'choice':
      return structure.alternatives.flatMap(repeatedItems)
    case 'group':
      return repeatedItems(structure.member)
  }
}
