import { outputFlag } from '../base-command.js'
import { rare, textFlag } from './flags.js'
import { LIST_WATCH } from './repetition.js'

const FORMATS = ['table', 'wide', 'tsv', 'csv', 'yaml', 'json'] as const

const shownFlags = (formats: readonly string[]) => ({
  output: outputFlag(formats),
  watch: LIST_WATCH,
  ...rare({
    columns: textFlag(
      'TITLE,TITLE',
      'Only these columns, in this order, by their titles in any case. Not with json, yaml and sml.',
    ),
    sort: textFlag(
      'TITLE[:desc]',
      'Sort the output by a column; numbers by value, empty values last. --limit and --all select before.',
    ),
  }),
})

/** How the rows of a list are printed. */
export const LIST_OUTPUT_FLAGS = shownFlags(FORMATS)

/** The same for a list of which each row may have an SML text. */
export const SML_LIST_OUTPUT_FLAGS = shownFlags([...FORMATS, 'sml'])
