import { stringify } from 'yaml'
import { FOR_OLD_READERS } from '../../kit/text/yaml-for-old-readers.js'

/** A value as YAML. Every text is in quotes, so that none is read as a number, a date or a truth value. */
export const yamlText = (value: unknown): string =>
  stringify(value, {
    ...FOR_OLD_READERS,
    aliasDuplicateObjects: false,
    defaultKeyType: 'PLAIN',
    defaultStringType: 'QUOTE_DOUBLE',
    // A line break is \n, and a text one line.
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
    lineWidth: 0,
  })
