import { stringify } from 'yaml'

/** A value as YAML. Every text is in quotes, so that none is read as a number, a date or a truth value. */
export const yamlText = (value: unknown): string =>
  stringify(value, {
    aliasDuplicateObjects: false,
    defaultKeyType: 'PLAIN',
    defaultStringType: 'QUOTE_DOUBLE',
    // A line break is \n, and a text one line.
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
    lineWidth: 0,
  })
