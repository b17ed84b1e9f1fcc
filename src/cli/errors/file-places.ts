import { AnsweredProblem } from '../../client/failures.js'
import type { Place } from '../../kit/text/json-text.js'

/**
 * A problem with what a file says, told by lines and columns of the file; anything else as it is. What is
 * printed for programs stays the problem as it was answered.
 */
export function placedIn(error: unknown, file: string, placeOf: (pointer: string) => Place): unknown {
  if (!(error instanceof AnsweredProblem)) return error
  const { errors = [] } = error.extra
  if (errors.length === 0) return error
  const placed = errors.map(({ pointer, detail }) => {
    const { line, column } = placeOf(pointer)
    return {
      pointer: `${file}:${line}:${column}`,
      detail: `${pointer.slice(1).replaceAll('/', '.')} ${detail}`,
    }
  })
  const message = `${file} cannot be applied as it is`
  return new AnsweredProblem(
    error.code,
    message,
    { ...error.extra, errors: placed },
    error.status,
    error.body,
  )
}
