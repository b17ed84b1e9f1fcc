import type { TypedValue } from '../../gem/typed-value.js'
import { optional, type Part, type Reading } from './reading.js'

export function readPrograms(reading: Reading): Part<'programs'> | undefined {
  const { programs } = reading.file
  if (!programs) return undefined
  const { stored = [], commands, ...rest } = programs
  if (new Set(stored.map(({ id }) => id)).size < stored.length) {
    reading.note('/programs/stored', 'two have the same id')
  }
  return {
    ...rest,
    stored: stored.map(({ id, body, steps }, at) => {
      const pointer = `/programs/stored/${at}`
      if (body === undefined && !steps) reading.note(pointer, 'it has neither `body` nor `steps`')
      return {
        id,
        ...optional('body', body === undefined ? undefined : bodyOf(reading, body, `${pointer}/body`)),
        ...optional(
          'steps',
          steps?.map(({ command, parameters = [] }, nth) => ({
            command: String(command),
            parameters: parameters.map((parameter, place) =>
              reading.value(parameter, `${pointer}/steps/${nth}/parameters/${place}`),
            ),
          })),
        ),
      }
    }),
    ...optional(
      'commands',
      commands?.map(({ code, name, parameters = [] }) => ({ code: String(code), name, parameters })),
    ),
  }
}

function bodyOf(reading: Reading, body: unknown, pointer: string): TypedValue {
  const value = reading.value(typeof body === 'string' ? { A: body } : body, pointer)
  if ('L' in value) reading.note(pointer, 'the body of a process program is no list')
  return value
}
