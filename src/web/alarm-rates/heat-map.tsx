import { useEffect, useRef } from 'preact/hooks'
import { EquipmentLink } from '../parts/equipment-link.js'
import { TablePlace } from '../parts/table-place.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { type RateRow, shadeOf, sumOf } from './rates.js'

const words = texts.alarmRates
const hourOnly = new Intl.DateTimeFormat(undefined, { hour: '2-digit', hourCycle: 'h23' })
const dayOnly = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric' })
const dayHour = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

interface Props {
  readonly rows: readonly RateRow[]
  /** For the sums, also those that are not rendered. */
  readonly all: readonly RateRow[]
  readonly hours: readonly number[]
}

/** Goes to the next cell in a direction that has alarms, however far it is. */
function moveTo(cell: HTMLElement, key: string): HTMLElement | undefined {
  const map = cell.closest('.heat-map')
  const cells = [...(map?.querySelectorAll<HTMLElement>('.heat-cell') ?? [])]
  const [row, column] = [Number(cell.dataset['row']), Number(cell.dataset['column'])]
  const at = (one: HTMLElement) => ({
    row: Number(one.dataset['row']),
    column: Number(one.dataset['column']),
  })
  if (key === 'ArrowRight') return cells.find((one) => at(one).row === row && at(one).column > column)
  if (key === 'ArrowLeft') return cells.findLast((one) => at(one).row === row && at(one).column < column)
  const next =
    key === 'ArrowDown' ? cells.find((one) => at(one).row > row) : cells.findLast((one) => at(one).row < row)
  if (!next || (key !== 'ArrowDown' && key !== 'ArrowUp')) return undefined
  const inRow = cells.filter((one) => at(one).row === at(next).row)
  return inRow.reduce((best, one) =>
    Math.abs(at(one).column - column) < Math.abs(at(best).column - column) ? one : best,
  )
}

function press(event: KeyboardEvent): void {
  const next = event.currentTarget instanceof HTMLElement ? moveTo(event.currentTarget, event.key) : undefined
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Counts as colours with their numbers, the present hour at the right. A cell shows the alarms of its hour. */
export function HeatMap({ rows, all, hours }: Props) {
  const { query } = place.value
  const element = useRef<HTMLDivElement>(null)
  // The newest hours are at the right edge of what scrolls.
  useEffect(() => {
    const scrolled = element.current?.parentElement
    if (scrolled) scrolled.scrollLeft = scrolled.scrollWidth
  }, [hours.length])
  const most = Math.max(1, ...all.map(({ counts }) => Math.max(...counts)))
  const sums = sumOf(all, hours)
  const chosen = `${query.get('equipment') ?? ''} ${query.get('hour') ?? ''}`
  const common = { hours, chosen }
  return (
    <TablePlace name={words.map}>
      <div
        ref={element}
        class={hours.length > 24 ? 'heat-map heat-week' : 'heat-map'}
        style={{ '--hours': hours.length }}
      >
        <Axis hours={hours} />
        <CellRow
          {...common}
          row={0}
          name={words.all}
          equipment=""
          counts={sums}
          most={Math.max(1, ...sums)}
        />
        {rows.map(({ id, name, counts }, at) => (
          <CellRow key={id} {...common} row={at + 1} name={name} equipment={id} counts={counts} most={most} />
        ))}
      </div>
    </TablePlace>
  )
}

function Axis({ hours }: { readonly hours: readonly number[] }) {
  return (
    <div class="heat-row heat-axis" aria-hidden="true">
      <span class="heat-name">{words.equipment}</span>
      {hours.map((hour, at) => {
        const isDay = at === 0 || new Date(hour).getHours() === 0
        return (
          <span key={hour} class={isDay ? 'heat-day' : ''}>
            {isDay && hours.length > 24 ? dayOnly.format(hour) : hourOnly.format(hour)}
          </span>
        )
      })}
    </div>
  )
}

interface RowProps {
  readonly row: number
  readonly name: string
  /** Id; empty for all. */
  readonly equipment: string
  readonly counts: readonly number[]
  readonly most: number
  readonly hours: readonly number[]
  /** The equipment and hour of the address. */
  readonly chosen: string
}

/** Only hours with alarms have cells: of a week most have none. */
function CellRow({ row, name, equipment, counts, most, hours, chosen }: RowProps) {
  const newest = counts.findLastIndex((count) => count > 0)
  return (
    <div class="heat-row">
      <span class="heat-name" title={name}>
        {equipment === '' ? <b>{name}</b> : <EquipmentLink id={equipment} name={name} />}
      </span>
      {counts.map((count, at) => {
        const hour = new Date(hours[at] ?? 0).toISOString().slice(0, 13)
        if (count === 0) return null
        const query = { equipment, hour }
        return (
          <a
            key={hour}
            class={`heat-cell heat-${shadeOf(count, most)} ${count > 99 ? 'heat-long' : ''}`}
            style={{ gridColumn: at + 2 }}
            href={`/alarm-rates?${new URLSearchParams(query)}`}
            data-row={row}
            data-column={at}
            // One stop of the Tab key for the sums, and one for each row would be too many: arrows go on.
            tabIndex={row === 0 && at === newest ? 0 : -1}
            aria-current={chosen === `${equipment} ${hour}` ? 'true' : undefined}
            aria-label={words.cell(count, name, dayHour.format(hours[at]))}
            onKeyDown={press}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              setQuery(query)
            }}
          >
            {count > 999 ? '1k' : count}
          </a>
        )
      })}
    </div>
  )
}
