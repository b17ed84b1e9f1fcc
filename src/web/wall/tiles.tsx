import type { Live } from '../gateway/live.js'
import { texts } from '../texts.js'
import type { PlacedGroup } from './fit.js'
import type { Size } from './sizes.js'
import { ToolTile } from './tile.js'
import { tileNames } from './tile-names.js'

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
      {groups.map((group) => (
        <TileGroup
          key={`${group.value ?? ''}/${group.tools[0]?.id}`}
          group={group}
          groupBy={groupBy}
          size={size}
          live={live}
        />
      ))}
    </div>
  )
}

interface GroupProps extends Pick<Props, 'groupBy' | 'size' | 'live'> {
  readonly group: PlacedGroup
}

function TileGroup({ group: { value, tools, columns, urgent }, groupBy, size, live }: GroupProps) {
  const names = tileNames(
    tools.map(({ record }) => record.name),
    size,
    groupBy !== '',
  )
  return (
    <section class="group" style={{ '--span': columns }}>
      {groupBy !== '' && (
        <h2>
          {value === undefined ? texts.wall.without(groupBy) : texts.wall.group(groupBy, value)}
          {names.shared !== '' && (
            <span class="group-shared">{texts.wall.beginsWith(names.shared, names.isOfAll)}</span>
          )}
          {urgent > 0 && !live.isStale.value && <span class="group-urgent">{texts.wall.urgent(urgent)}</span>}
        </h2>
      )}
      <ul class="tiles">
        {tools.map((tool) => (
          <ToolTile key={tool.id} tool={tool} live={live} size={size} names={names} />
        ))}
      </ul>
    </section>
  )
}
