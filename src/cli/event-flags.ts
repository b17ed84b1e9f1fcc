import { Flags } from '@oclif/core'
import { EVENT_TYPES } from '../contract/events.js'
import { outputFlag } from './base-command.js'

/** What narrows the events that are listed, followed or waited for. */
export const EVENT_FLAGS = {
  equipment: Flags.string({ helpValue: 'EQ', summary: 'Only of this equipment.' }),
  type: Flags.option({
    options: EVENT_TYPES,
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Only of this type. May be repeated.',
  })(),
  output: outputFlag(['table', 'tsv', 'json', 'sml']),
}
