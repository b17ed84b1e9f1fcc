import type { Live } from '../gateway/live.js'
import { texts } from '../texts.js'
import type { PlacedGroup } from './fit.js'
import type { Size } from './sizes.js'
import { ToolTile } from './tile.js'

interface Props {
  readonly groups: readonly PlacedGroup[]
  readonly groupBy: string
  readonly size: Size
  readonly columns: number
  readonly zoom?: number
  readonly live: Live
}

/** Groups of tiles on one grid, so that all tiles are in line and small groups share a row. */
export function Tiles({ groups, groupBy, size, columns, zoom = 1, live }: Props) {
  return (
    <div class={`groups size-${size}`} style={{ '--columns': columns, zoom }}>
      {groups.map(({ value, tools, columns, urgent }) => (
        <section key={`${value ?? ''}/${tools[0]?.id}`} class="group" style={{ '--span': columns }}>
          {groupBy !== '' && (
            <h2>
              {value === undefined ? texts.wall.without(groupBy) : texts.wall.group(groupBy, value)}
              {urgent > 0 && <span class="group-urgent">{texts.wall.urgent(urgent)}</span>}
            </h2>
          )}
          <ul class="tiles">
            {tools.map((tool) => (
              <ToolTile key={tool.id} tool={tool} live={live} size={size} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
