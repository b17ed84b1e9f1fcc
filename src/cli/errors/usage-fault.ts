import { stripVTControlCharacters } from 'node:util'

interface MissingArgument {
  readonly name: string
  readonly description?: string
  /** The only values that it takes. */
  readonly options?: readonly string[]
}

/** What oclif throws for wrong arguments. */
interface UsageError extends Error {
  /** Of arguments that are missing; where there are too many, the values. */
  readonly args?: readonly (string | MissingArgument)[]
}

/** A text as it continues after a colon; an abbreviation such as PPID stays as it is. */
const begunSmall = (text: string): string =>
  /^\p{Lu}(?!\p{Lu})/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

const PARSING = 'Parsing '
const REQUIRED = 'Missing required flag '

/** What oclif says of wrong arguments, in our own words where it gives them as data, else without its frame. */
export function usageFault({ message, args = [] }: UsageError): string {
  const missing = args.flatMap((arg) => (typeof arg === 'string' ? [] : [arg]))
  if (missing.length > 0)
    return missing
      .map(({ name, description = '', options = [] }) => [
        `${name.toUpperCase()} is missing`,
        options.length > 0 ? options.join(', ') : begunSmall(description),
      ])
      .map((parts) => parts.filter(Boolean).join(': '))
      .join('\n')
  const [first = '', ...rest] = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'See more help with --help')
  if (first.startsWith(PARSING)) {
    const flag = first.slice(PARSING.length)
    const why = rest.join(' ')
    return why.includes(flag) ? why : `${flag}: ${begunSmall(why)}`
  }
  if (!first.startsWith('The following error')) return [first, ...rest].join('\n')
  return rest
    .map((line) =>
      line.startsWith(REQUIRED) ? `the flag --${line.slice(REQUIRED.length)} is required` : line,
    )
    .join('; ')
}
