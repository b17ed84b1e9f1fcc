import { MESSAGE_PATTERN } from '../../contract/topics/events.js'
import { wrongUsage } from '../errors/failure.js'

const MESSAGE = new RegExp(MESSAGE_PATTERN)

/** A message such as `S6F11`, or a stream such as `S6`, in capitals. Throws `usage` for another word. */
export function messageWord(text: string): string {
  const word = text.toUpperCase()
  if (!MESSAGE.test(word))
    throw wrongUsage(`"${text}" is neither a message, such as S6F11, nor a stream, such as S6`)
  return word
}

/** The same, for a flag. */
export const messageFlag = async (text: string): Promise<string> => messageWord(text)
