import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Live } from '../gateway/live.js'
import type { Tool } from '../gateway/site.js'
import { texts } from '../texts.js'
import { navigate } from './router.js'

const words = texts.shortcuts
const SHOWN = 12

/** Tools whose name and labels together contain every word of `text`. */
function toolsWith(text: string, tools: readonly Tool[]): readonly Tool[] {
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean)
  return tools.filter(({ record }) => {
    const searched = [record.name, ...Object.entries(record.labels).map((label) => label.join('='))]
      .join(' ')
      .toLowerCase()
    return parts.every((part) => searched.includes(part))
  })
}

/** Jumps to equipment by what is typed of its name or labels; the arrow keys choose. */
export function Palette({ live, close }: { readonly live: Live; readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const typed = useSignal('')
  const chosen = useSignal(0)
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(
    () => document.getElementById(`palette-${chosen.value}`)?.scrollIntoView({ block: 'nearest' }),
    [chosen.value],
  )
  const found = toolsWith(typed.value, live.site.tools.value)
  const shown = found.slice(0, SHOWN)
  const at = Math.min(chosen.value, shown.length - 1)
  const go = (id: string | undefined): void => {
    if (id === undefined) return
    close()
    navigate(`/equipment/${encodeURIComponent(id)}`)
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || shown.length === 0) return
    event.preventDefault()
    chosen.value = (at + step + shown.length) % shown.length
  }
  return (
    <dialog ref={dialog} class="palette" aria-label={words.jump} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go(shown[at]?.record.name)
        }}
      >
        <input
          type="text"
          role="combobox"
          aria-label={words.jump}
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={shown.length > 0 ? `palette-${at}` : undefined}
          placeholder={words.jump}
          autofocus
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onKeyDown={press}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
            chosen.value = 0
          }}
        />
        <div id="palette-list" role="listbox" aria-label={texts.pages.equipment}>
          {shown.map(({ record }, place) => (
            <div
              key={record.id}
              id={`palette-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === at}
              onClick={() => go(record.name)}
              onKeyDown={() => undefined}
            >
              <b>{record.name}</b> <span class="muted">{Object.values(record.labels).join(', ')}</span>
            </div>
          ))}
        </div>
        <p class="muted" role="status">
          {found.length === 0 ? texts.wall.noMatch : texts.wall.tools(found.length)}
        </p>
      </form>
    </dialog>
  )
}
