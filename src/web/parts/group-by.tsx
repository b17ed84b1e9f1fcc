import type { Tool } from '../gateway/site.js'
import { setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { labelValues } from './labels.js'

interface Props {
  readonly tools: readonly Tool[]
  /** The label whose values are the groups; empty for one group. */
  readonly value: string
}

/** Chooses the label of the groups: `group` in the address. Nothing where there are no labels. */
export function GroupBy({ tools, value }: Props) {
  const labels = labelValues(tools)
  if (labels.size === 0) return null
  return (
    <label class="inline-field">
      <span>{texts.wall.groupBy}</span>
      <select
        value={value}
        onChange={({ currentTarget }) => setQuery({ group: currentTarget.value || 'none' })}
      >
        <option value="">{texts.wall.noGroup}</option>
        {[...labels.keys()].map((label) => (
          <option key={label} value={label}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
