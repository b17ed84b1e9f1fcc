import { useSignal } from '@preact/signals'
import { ToolName } from '../parts/tool-name.js'
import { texts } from '../texts.js'
import { type TileNames, tileNames, withoutBeginning } from '../wall/tile-names.js'
import { E10_WORDS } from './e10.js'
import { lanePaths, WIDTH } from './lane-paths.js'
import type { Row, RowGroup } from './rows.js'
import { gridOf, TimeAxis } from './time-axis.js'
import { type Span, type Stretch, sharesOf, timesOf } from './timeline.js'

const words = texts.shift
const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

interface Props {
  readonly groups: readonly RowGroup[]
  readonly groupBy: string
  readonly span: Span
  readonly hasProductive: boolean
}

/** A lane for each equipment, below the heading of its group. One line says what the pointer or the keys are on. */
export function ShiftTable({ groups, groupBy, span, hasProductive }: Props) {
  const reading = useSignal('')
  const at = useSignal<readonly [id: string, stretch: number]>(['', 0])
  const rows = groups.flatMap((group) => group.rows)
  const rowOf = (target: EventTarget | null): Row | undefined => {
    const id =
      target instanceof Element ? target.closest<HTMLElement>('tr[data-id]')?.dataset['id'] : undefined
    return id === undefined ? undefined : rows.find(({ tool }) => tool.id === id)
  }
  const read = (row: Row | undefined, stretch: Stretch | undefined): void => {
    reading.value = row && stretch ? sentence(row, stretch) : ''
  }
  const point = (event: PointerEvent): void => {
    const lane = event.target instanceof Element ? event.target.closest('.shift-lane') : null
    const row = lane ? rowOf(lane) : undefined
    if (!lane || !row) return read(undefined, undefined)
    const { left, width } = lane.getBoundingClientRect()
    const time = span.from + ((event.clientX - left) / width) * (span.to - span.from)
    read(
      row,
      row.timeline.find(({ from, to }) => from <= time && time < to),
    )
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const row = rowOf(event.target)
    if (step === undefined || !row) return
    event.preventDefault()
    const last = row.timeline.length - 1
    const [id, before] = at.value
    const next = id === row.tool.id ? Math.max(0, Math.min(last, before + step)) : last
    at.value = [row.tool.id, next]
    read(row, row.timeline[next])
  }
  const grid = gridOf(span)
  return (
    <>
      <table
        class="shift-table"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={({ pointerType }) => {
          // A finger leaves at once; what it has touched stays.
          if (pointerType === 'mouse') read(undefined, undefined)
        }}
        onKeyDown={press}
      >
        <Head {...{ rows, span, hasProductive }} />
        {groups.map((group) => (
          <GroupRows key={group.value ?? ''} {...{ group, groupBy, span, grid, hasProductive }} />
        ))}
      </table>
      <p class={reading.value ? 'shift-reading' : 'shift-reading muted'} role="status">
        {reading.value || words.keys}
      </p>
    </>
  )
}

interface HeadProps {
  readonly rows: readonly Row[]
  readonly span: Span
  readonly hasProductive: boolean
}

/** The axis of time, the titles of the columns, and the figures of all equipment. */
const Head = ({ rows, span, hasProductive }: HeadProps) => (
  <thead>
    <tr>
      {words.columns.slice(0, 1).map((title) => (
        <th key={title} scope="col">
          {title}
        </th>
      ))}
      <th scope="col" class="shift-time">
        <span class="unseen">{words.timeline}</span>
        <TimeAxis span={span} />
      </th>
      {words.columns.slice(1).map((title, place) => (
        <th key={title} scope="col" title={words.columnHelp[place + 1]}>
          {title}
        </th>
      ))}
    </tr>
    <tr class="shift-sum">
      <th scope="row">{words.total}</th>
      <td class="shift-time" />
      <Figures rows={rows} hasProductive={hasProductive} />
    </tr>
  </thead>
)

interface GroupProps extends Omit<Props, 'groups'> {
  readonly group: RowGroup
  readonly grid: string
}

function GroupRows({ group: { value, rows }, groupBy, span, grid, hasProductive }: GroupProps) {
  const names = tileNames(
    rows.map(({ tool }) => tool.record.name),
    'm',
    groupBy !== '',
  )
  return (
    <tbody>
      {groupBy !== '' && (
        <tr class="shift-sum">
          <th scope="rowgroup">
            {value === undefined ? texts.wall.without(groupBy) : texts.wall.group(groupBy, value)}{' '}
            {names.shared !== '' && <small>{texts.wall.beginsWith(names.shared, names.isOfAll)}</small>}
          </th>
          <td class="shift-time" />
          <Figures rows={rows} hasProductive={hasProductive} />
        </tr>
      )}
      {rows.map((row) => (
        <LaneRow key={row.tool.id} {...{ row, names, span, grid, hasProductive }} />
      ))}
    </tbody>
  )
}

interface LaneProps extends Pick<GroupProps, 'span' | 'grid' | 'hasProductive'> {
  readonly row: Row
  readonly names: TileNames
}

function LaneRow({ row, names, span, grid, hasProductive }: LaneProps) {
  const { name } = row.tool.record
  const paths = lanePaths(row.timeline, span)
  return (
    <tr data-id={row.tool.id}>
      <th scope="row">
        <a href={`/equipment/${encodeURIComponent(name)}`} class="tool-link" title={name}>
          <ToolName name={name} shown={withoutBeginning(name, names.shared)} />
        </a>
      </th>
      <td class="shift-time">
        <svg
          class="shift-lane tone-unknown"
          viewBox={`0 0 ${WIDTH} 1`}
          preserveAspectRatio="none"
          role="img"
          aria-label={spoken(row)}
        >
          {paths.map(([kind, path]) => (
            <path key={kind} class={`e10-${kind}`} d={path} />
          ))}
          <path class="shift-grid" d={grid} />
        </svg>
      </td>
      <Figures rows={[row]} hasProductive={hasProductive} />
    </tr>
  )
}

function Figures({
  rows,
  hasProductive,
}: {
  readonly rows: readonly Row[]
  readonly hasProductive: boolean
}) {
  const { productive, up, unknown } = sharesOf(timesOf(rows.map(({ timeline }) => timeline)))
  return (
    <>
      <td>{words.share(hasProductive ? productive : undefined)}</td>
      <td>{words.share(up)}</td>
      <td>{words.share(unknown)}</td>
    </>
  )
}

const stateOf = ({ state }: Stretch): string => (state ? texts.states[state] : words.notRunning)

const sentence = ({ tool }: Row, stretch: Stretch): string =>
  words.stretch(
    tool.record.name,
    words.e10[stretch.word] ?? '',
    stateOf(stretch),
    clockTime.format(stretch.from),
    clockTime.format(stretch.to),
  )

function spoken({ tool, timeline }: Row): string {
  const times = timesOf([timeline])
  const all = (timeline.at(-1)?.to ?? 0) - (timeline[0]?.from ?? 0)
  const parts = E10_WORDS.filter((word) => times[word] > 0).map(
    (word) => `${words.e10[word]} ${words.share(times[word] / all)}`,
  )
  const last = timeline.at(-1)
  if (!last) return tool.record.name
  return words.spoken(
    tool.record.name,
    parts.join(', '),
    words.e10[last.word] ?? '',
    clockTime.format(last.from),
  )
}
