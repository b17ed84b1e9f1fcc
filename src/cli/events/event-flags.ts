import { Flags } from '@oclif/core'
import { EVENT_NAMES, EVENT_TYPES } from '../../contract/topics/events.js'
import { outputFlag } from '../base-command.js'
import { EQUIPMENT_FLAG } from '../input/list-flags.js'

/** What narrows the events that are listed, followed or waited for. */
export const EVENT_FLAGS = {
  equipment: EQUIPMENT_FLAG,
  type: Flags.option({
    options: EVENT_TYPES,
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Only of this type. May be repeated.',
  })(),
  output: outputFlag(['table', 'tsv', 'json', 'sml']),
}

/** What narrows the events that are followed or waited for further. A name that no event has would wait forever. */
export const WANTED_FLAGS = {
  name: Flags.option({
    options: EVENT_NAMES,
    helpValue: 'NAME',
    summary: 'Only events of this name, such as alarm_set.',
  })(),
  'collection-event': Flags.string({
    helpValue: 'NAME',
    summary: 'Only reports (S6F11) of this collection event, by its name or CEID.',
  }),
}
