import type { Tool } from '../gateway/site.js'
import type { CsvColumn } from '../parts/csv.js'
import { CsvButton } from '../parts/csv-button.js'
import { GroupBy } from '../parts/group-by.js'
import { LabelFilter } from '../parts/label-filter.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import type { Choice } from './selection.js'

const words = texts.wall

/** The address of the wall screen that shows what this wall shows. */
function kioskHref(groupBy: string): string {
  const { query } = place.value
  const search = new URLSearchParams({ wall: query.get('labels') ?? '' })
  if (groupBy !== '') search.set('group', groupBy)
  return `/?${search}`
}

const CSV: readonly CsvColumn<Tool>[] = [
  ['equipment', ({ record }) => record.name],
  ['state', ({ tile }) => texts.states[tile.value.state]],
  ['connection_state', ({ record }) => record.connection_state],
  ['communication_state', ({ record }) => record.communication_state],
  ['control_state', ({ record }) => record.control_state],
  ['health', ({ record }) => record.health],
  ['active_alarms', ({ tile }) => tile.value.activeAlarms],
  ['shelved_alarms', ({ tile }) => tile.value.shelved],
  ['alarm', ({ tile }) => tile.value.alarm],
  [
    'labels',
    ({ record }) =>
      Object.entries(record.labels)
        .map((label) => label.join('='))
        .join(' '),
  ],
]

interface Props {
  readonly tools: readonly Tool[]
  readonly choice: Choice
  readonly shown: readonly Tool[]
}

/** Search, filter and grouping. All of it is in the address, so that a link shows the same wall. */
export function Toolbar({ tools, choice, shown }: Props) {
  return (
    <div class="toolbar">
      <h1>{words.heading}</h1>
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={choice.search}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
      />
      <LabelFilter tools={tools} />
      <GroupBy tools={tools} value={choice.groupBy} />
      <span class="toolbar-count" role="status">
        {words.shown(shown.length, tools.length)}
      </span>
      <CsvButton name="equipment" rows={shown} columns={CSV} />
      <a class="button to-kiosk" href={kioskHref(choice.groupBy)}>
        {words.kiosk}
      </a>
    </div>
  )
}
