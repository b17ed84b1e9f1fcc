import type { Tool } from '../gateway/site.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { labelsChosen, labelValues, selectorOf } from './labels.js'

const words = texts.filter

/**
 * Chooses equipment by its labels: `labels` in the address, as a label selector. Nothing where there are no labels. One that
 * cannot be read selects everything, which is said.
 */
export function LabelFilter({ tools }: { readonly tools: readonly Tool[] }) {
  const labels = labelValues(tools)
  const selector = place.value.query.get('labels') ?? ''
  const chosen = labelsChosen(selector)
  if (labels.size === 0 && selector === '') return null
  const setLabel = (key: string, value: string): void => {
    const next = new Map(chosen)
    if (value === '') next.delete(key)
    else next.set(key, value)
    setQuery({ labels: [...next].map(([key, value]) => `${key}=${value}`).join(',') })
  }
  const { fault } = selectorOf(selector)
  const isOwn = chosen.size > 0 || selector === ''
  return (
    <>
      <label class="inline-field">
        <span>{words.label}</span>
        <select
          value=""
          onChange={({ currentTarget }) => {
            const [key = '', value = ''] = currentTarget.value.split('=')
            currentTarget.value = ''
            setLabel(key, value)
          }}
        >
          <option value="">{words.chooseLabel}</option>
          {[...labels].map(([key, values]) => (
            <optgroup key={key} label={key}>
              {values.map((value) => (
                <option key={value} value={`${key}=${value}`}>
                  {words.labelled(key, value)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      {isOwn ? (
        [...chosen].map(([key, value]) => (
          <Chip key={key} text={words.labelled(key, value)} remove={() => setLabel(key, '')} />
        ))
      ) : (
        <Chip text={selector} remove={() => setQuery({ labels: '' })} />
      )}
      {fault !== undefined && (
        <span class="problem" role="alert">
          {words.unreadable(selector, fault)}
        </span>
      )}
    </>
  )
}

/** A filter that is set, as a button that removes it. */
function Chip({ text, remove }: { readonly text: string; readonly remove: () => void }) {
  return (
    <button type="button" class="chip" onClick={remove}>
      {text} <span aria-hidden="true">✕</span>
      <span class="unseen">{words.remove}</span>
    </button>
  )
}
