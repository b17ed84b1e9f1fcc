import { parseSml } from '../../secs2/sml/parse.js'
import { UNKNOWN_ENCODING } from '../../secs2/text.js'
import { filled, namesIn, type Variables } from './variables.js'

/** What is wrong with the replies of `on`, by primary; SML with variables of the run is looked at only then. */
export function replyMistakes(
  on: Readonly<Record<string, string>>,
  known: Variables,
): readonly { readonly primary: string; readonly detail: string }[] {
  return Object.entries(on).flatMap(([primary, sml]) => {
    const detail = mistakeIn(primary, sml, known)
    return detail === undefined ? [] : [{ primary, detail }]
  })
}

function mistakeIn(primary: string, sml: string, known: Variables): string | undefined {
  const [, stream, fn] = /^S(\d{1,3})F(\d{0,2}[13579])$/.exec(primary) ?? []
  if (stream === undefined) return `"${primary}" is not a primary such as S6F11`
  if (stream === '9' || primary === 'S1F13') return `${primary} cannot have another reply`
  const text = String(filled(sml, known))
  if (sml === 'none' || namesIn(sml).some((name) => !known.has(name))) return undefined
  const next = Number(fn) + 1
  try {
    const [message, ...others] = parseSml(text, { text: UNKNOWN_ENCODING })
    const isReply = message?.stream === Number(stream) && [0, next].includes(message.function)
    if (isReply && !message.wait && others.length === 0) return undefined
    return `the reply to ${primary} is one of S${stream}F${next}, S${stream}F0 and none`
  } catch (error) {
    return `not SML: ${(error as Error).message}`
  }
}
